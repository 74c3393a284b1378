internal import Foundations
internal import ScenarioModel

/// What the texts of a file say of names: those that expressions read, and those that look as if one did.
struct NameReview {
  /// The names that expressions read.
  private(set) var read = NamesRead()
  /// Values that are named in the syntax of other tools, with their texts.
  private var others: [(value: NamedValue, scalar: YAMLScalar, range: SourceRange)] = []
  /// The names that the file defines, by the root of the expressions that read them.
  private var defined: [String: Set<String>] = [:]

  /// Reviews a whole file.
  init(of root: YAMLNode) {
    collect(in: root)
  }

  private mutating func collect(in node: YAMLNode) {
    switch node.content {
    case .sequence(let nodes): for node in nodes { collect(in: node) }
    case .mapping(let members):
      for member in members {
        if let root = NamedValue.roots[member.key.value] { define(member.value, behind: root) }
        collect(in: member.value)
      }
    case .scalar(let scalar):
      for value in NamedValue.all(in: scalar.text) {
        others.append((value, scalar, node.range))
        // That it is named is meant, and how is told.
        read.insert(value.name, behind: value.root)
      }
      guard TemplateParser.isNeeded(for: scalar.text),
        let template = try? Template(text: scalar.text, at: node.range)
      else { return }
      read.insert(template.firstSteps)
    }
  }

  /// Notes the names that a key such as `vars` defines, or the columns of its rows.
  private mutating func define(_ node: YAMLNode, behind root: String) {
    switch node.content {
    case .mapping(let members):
      defined[root, default: []].formUnion(members.lazy.map(\.key.value))
    case .sequence(let nodes): for node in nodes { define(node, behind: root) }
    case .scalar: break
    }
  }

  /// Warnings of values that are named in the syntax of other tools.
  ///
  /// Only those count that the file can mean: with braces where it defines anything behind that root, and without where
  /// it has the name itself, as `$build.log` may be a variable of a shell, and a dot.
  func warnings(in source: SourceText) -> [Diagnostic] {
    others.compactMap { value, scalar, range in
      let names = defined[value.root] ?? []
      guard value.isBraced ? !names.isEmpty : names.contains(value.name) else { return nil }
      let place = TextPlaces(scalar, at: range, in: source)
        .range(at: value.offset, length: value.text.unicodeScalars.count)
      let meant = "${{ \(value.expression) }}"
      let sign = value.isBraced ? "${" : "$"
      let plain = "${{ '\(sign)' }}\(value.text.dropFirst(sign.count))"
      let isQuoted = scalar.style == .singleQuoted || scalar.style == .doubleQuoted
      return Diagnostic(
        "\"\(value.text)\" is text, and an expression stands between \"${{\" and \"}}\"",
        code: .looksLikeExpression, at: place,
        help: "write \"\(meant)\" for the value, or \"\(plain)\" for the text",
        fix: isQuoted && source.text(at: place) == value.text
          ? DiagnosticFix(replacing: place, with: meant, confidence: .likely) : nil)
    }
  }
}
