internal import Foundations
internal import ScenarioModel

/// What the texts of a file say of names: those that expressions read, and those that look as if one did.
struct NameReview {
  /// A text that names values in the syntax of other tools.
  private struct Other {
    var values: [NamedValue]
    var scalar: YAMLScalar
    var range: SourceRange
    /// Whether the text is read before there are values, so that it cannot be computed.
    var isEarly: Bool
  }

  /// What the keys of a map are.
  private enum Level {
    /// Keys of the language, some of which define names.
    case language
    /// Names that authors give to maps of the language.
    case names
    /// Data, in which "vars" is a key as any other.
    case data
  }

  /// The names that expressions read.
  private(set) var read = NamesRead()
  /// Texts that name values in the syntax of other tools.
  private var others: [Other] = []
  /// The names that the file defines, by the root of the expressions that read them.
  private var defined: [String: Set<String>] = [:]

  /// The keys that define names, by the root of the expressions that read those.
  private static let roots = [
    "build": "build", "capture": "capture", "matrix": "matrix", "params": "with",
    "secrets": "secrets", "vars": "vars",
  ]
  /// The keys of maps of the language that hold others of its maps in which names are defined.
  private static let bodies: Set<String> = ["cleanup", "exec", "scenarios", "steps"]
  /// The keys whose texts are read before there are values.
  private static let earlyKeys: Set<String> = ["include", "matrix", "secrets", "use", "vars"]

  /// Reviews a whole file.
  init(of root: YAMLNode) {
    collect(in: root, .language, isEarly: false)
  }

  private mutating func collect(in node: YAMLNode, _ level: Level, isEarly: Bool) {
    switch node.content {
    case .sequence(let nodes): for node in nodes { collect(in: node, level, isEarly: isEarly) }
    case .mapping(let members):
      for member in members {
        let key = member.key.value
        let isLanguage = level == .language
        if isLanguage, let root = Self.roots[key] { define(member.value, behind: root) }
        collect(
          in: member.value, Self.level(behind: key, in: level),
          isEarly: isEarly || isLanguage && Self.earlyKeys.contains(key))
      }
    case .scalar(let scalar):
      let values = NamedValue.all(in: scalar.text)
      // That it is named is meant, and how is told.
      for value in values { read.insert(value.name, behind: value.root) }
      if !values.isEmpty {
        others.append(Other(values: values, scalar: scalar, range: node.range, isEarly: isEarly))
      }
      guard TemplateParser.isNeeded(for: scalar.text),
        let template = try? Template(text: scalar.text, at: node.range)
      else { return }
      read.insert(template.firstSteps)
    }
  }

  private static func level(behind key: String, in level: Level) -> Level {
    switch level {
    case .language where key == "blocks": .names
    case .language: bodies.contains(key) ? .language : .data
    case .names: .language
    case .data: .data
    }
  }

  /// Notes the names that a key such as `vars` defines, or the columns of its rows.
  private mutating func define(_ node: YAMLNode, behind root: String) {
    switch node.content {
    case .mapping(let members) where root == "secrets":
      // The names are those of variables, and the keys say where secrets are.
      for member in members where member.key.value == "env" { define(member.value, behind: root) }
    case .mapping(let members):
      defined[root, default: []].formUnion(members.lazy.map(\.key.value))
    case .sequence(let nodes): for node in nodes { define(node, behind: root) }
    case .scalar(let scalar):
      if root == "secrets" || root == "with" { defined[root, default: []].insert(scalar.text) }
    }
  }

  /// Returns whether the file can mean a value: it has the name, or braces are around what is likely a slip in one, as
  /// `${build.number}` is a name of other tools, and `$build.log` a variable of a shell, and a dot.
  private func isMeant(_ value: NamedValue) -> Bool {
    guard let names = defined[value.root] else { return false }
    return names.contains(value.name)
      || value.isBraced && Suggestion.slip(value.name, in: names) != nil
  }

  /// Warnings of values that are named in the syntax of other tools, of each text once where it stands several times in
  /// a scalar.
  ///
  /// - Parameter fixedTexts: the places of texts that no expression can compute, but for the values of variables and
  ///   rows.
  func warnings(in source: SourceText, fixedTexts: Set<SourceRange>) -> [Diagnostic] {
    others.flatMap { other -> [Diagnostic] in
      var seen: Set<String> = []
      let values = other.values.filter { isMeant($0) && seen.insert($0.text).inserted }
      guard !values.isEmpty else { return [] }
      let places = TextPlaces(other.scalar, at: other.range, in: source)
      let isQuoted = other.scalar.style == .singleQuoted || other.scalar.style == .doubleQuoted
      return values.map { value in
        let place = places.range(at: value.offset, length: value.text.unicodeScalars.count)
        let isFixed =
          other.isEarly
          || fixedTexts.contains(other.range) && !LateValue.roots.contains(value.root)
        let isFixable =
          !isFixed && isQuoted && value.isExpression && source.text(at: place) == value.text
        return Self.warning(of: value, at: place, isFixed: isFixed, isFixable: isFixable)
      }
    }
  }

  private static func warning(
    of value: NamedValue, at place: SourceRange, isFixed: Bool, isFixable: Bool
  ) -> Diagnostic {
    guard !isFixed else {
      return Diagnostic(
        "\"\(value.text)\" is text, and expressions are not allowed here",
        code: .looksLikeExpression,
        at: place, help: "write fixed text")
    }
    let meant = "${{ \(value.expression) }}"
    let sign = value.isBraced ? "${" : "$"
    let plain = "${{ '\(sign)' }}\(value.text.dropFirst(sign.count))"
    return Diagnostic(
      "\"\(value.text)\" is text: an expression is written between \"${{\" and \"}}\"",
      code: .looksLikeExpression, at: place,
      help: "write \"\(meant)\" for the value, or \"\(plain)\" for the text",
      fix: isFixable
        ? DiagnosticFix(replacing: place, with: meant, confidence: .likely) : nil)
  }
}
