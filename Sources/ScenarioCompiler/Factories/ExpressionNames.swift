internal import Foundations
internal import ScenarioPlan

/// Diagnostics of unknown names in expressions.
enum ExpressionNames {
  static func unknown(
    _ name: Located<String>, fields: ExpressionFields, _ runNames: EvaluationSite.RunNames,
    isInObject: Bool = false
  ) -> Diagnostic {
    var known = ["build", "clock", "env", "matrix", "scenario", "seed", "vars"]
    switch runNames {
    case .none: break
    case .directory: known += ["capture", "dir", "secrets", "targets"]
    case .request: known += ["capture", "dir", "request", "secrets", "state"]
    }
    if isInObject { known += ["n", "parent", "self"] }
    return Diagnostic(
      "unknown name \"\(name.value)\"", code: .unknownName, at: name.range,
      help: fields.known(and: known).help(for: name.value, label: "names known here"))
  }

  static func unknownBuild(
    _ steps: [PathStep], _ builds: ExpressionFields, at range: SourceRange
  ) -> Diagnostic {
    guard case .key(let name)? = steps.first else {
      return Diagnostic(
        "\"build\" needs the name of an object after it", code: .unknownMember, at: range,
        help: builds.names.isEmpty
          ? "define one: build: { NAME: { $build: FACTORY } }"
          : "write build.NAME with one of: \(builds.names.sorted().joined(separator: ", "))")
    }
    return Diagnostic(
      "\"build\" has no object \"\(name)\"", code: .unknownMember, at: range,
      help: builds.known().help(for: name, label: "objects"))
  }

  /// A word behind a root that has other words.
  static func unknownMember(
    of root: Located<String>, _ steps: [PathStep], known: [String], label: String
  ) -> Diagnostic {
    unknownMember(of: root, steps, known: KnownNames(known), label: label)
  }

  /// A word behind a root that has other words.
  static func unknownMember(
    of root: Located<String>, _ steps: [PathStep], known: KnownNames, label: String
  ) -> Diagnostic {
    guard case .key(let name)? = steps.first else {
      return Diagnostic(
        "\"\(root.value)\" needs a name after it", code: .unknownMember, at: root.range,
        help: known.help(for: "", label: label))
    }
    return Diagnostic(
      "\"\(root.value)\" has no \"\(name)\"", code: .unknownMember, at: root.range,
      help: known.help(for: name, label: label))
  }
}
