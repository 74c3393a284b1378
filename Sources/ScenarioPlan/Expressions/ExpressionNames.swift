internal import ScenarioModel

/// What to say about names in expressions that nobody knows.
enum ExpressionNames {
  static func unknown(
    _ name: Located<String>, fields: ExpressionFields, _ runNames: EvaluationSite.RunNames,
    isInObject: Bool = false
  ) -> Diagnostic {
    var known = ["build", "clock", "env", "matrix", "scenario", "seed"]
    switch runNames {
    case .none: break
    case .directory: known += ["capture", "dir"]
    case .request: known += ["capture", "dir", "request"]
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
        "\"build\" needs the name of an object behind it", code: .unknownMember, at: range,
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
        "\"\(root.value)\" needs a name behind it", code: .unknownMember, at: root.range,
        help: known.help(for: "", label: label))
    }
    return Diagnostic(
      "\"\(root.value)\" has no \"\(name)\"", code: .unknownMember, at: root.range,
      help: known.help(for: name, label: label))
  }
}

/// The names below `request`.
enum RequestNames {
  private static let all = [
    "body", "cookies", "count", "form", "headers", "json", "method", "operation", "path", "query",
    "url", "variables",
  ]

  /// Those that are texts by name.
  static let maps: Set<String> = ["cookies", "form", "headers", "path", "query"]

  /// The steps with header names in lower case; a name that no request has is an error.
  static func normalize(
    _ steps: [PathStep], captures: [String], at range: SourceRange
  ) throws(Diagnostic) -> [PathStep] {
    guard case .key(let name)? = steps.first, all.contains(name) else {
      var word = ""
      if case .key(let key)? = steps.first { word = key }
      throw Diagnostic(
        word.isEmpty ? "\"request\" needs a name behind it" : "\"request\" has no \"\(word)\"",
        code: .unknownMember, at: range,
        help: Suggestion.help(for: word, in: all, label: "names of a request"))
    }
    guard maps.contains(name) else { return steps }
    guard steps.count == 2, case .key(let member) = steps[1] else {
      throw Diagnostic(
        "\"request.\(name)\" needs one name behind it", code: .unknownMember, at: range,
        help: "write request.\(name).NAME")
    }
    if name == "path", !captures.contains(member) {
      throw Diagnostic(
        "the entry's URL has no template \"{\(member)}\"", code: .unknownMember, at: range,
        help: Suggestion.help(for: member, in: captures, label: "its templates"))
    }
    return name == "headers" ? [steps[0], .key(member.lowercased())] : steps
  }
}
