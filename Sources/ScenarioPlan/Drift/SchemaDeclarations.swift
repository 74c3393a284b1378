/// The type definitions of a GraphQL schema, as far as shapes need them (October 2021, section 3).
struct SchemaDeclarations {
  /// A type by reference: `[User!]!`.
  indirect enum Reference: Equatable {
    case named(String)
    case list(Reference)
    case required(Reference)
  }

  /// What a name stands for.
  enum Definition: Equatable {
    /// An object or interface: its fields.
    case object([String: Reference])
    /// An enumeration's values.
    case values(Set<String>)
    /// A union's members.
    case union([String])
    /// A scalar of the schema's own.
    case scalar
  }

  private(set) var definitions: [String: Definition] = [:]
  /// The root types by kind of operation.
  private(set) var roots = [
    "query": "Query", "mutation": "Mutation", "subscription": "Subscription",
  ]

  /// Reads a schema.
  ///
  /// - Throws: At the first thing that is no type definition.
  init(_ text: String) throws(DeclarationError) {
    var reader = Reader(text)
    while let word = reader.next() {
      if word.hasPrefix("\"") || word == "extend" { continue }
      switch word {
      case "schema": try readRoots(&reader)
      case "scalar":
        definitions[try reader.name()] = .scalar
        reader.skipDirectives()
      case "type", "interface": try readObject(&reader)
      case "input":
        _ = try reader.name()
        reader.skipDirectives()
        if reader.peek() == "{" { reader.skipGroup() }
      case "enum": try readEnumeration(&reader)
      case "union": try readUnion(&reader)
      case "directive": reader.skipDirectiveDefinition()
      default:
        throw DeclarationError(
          "\"\(word)\" in line \(reader.line) begins no type definition",
          help: "name a GraphQL schema as SDL, as in \"type Query { … }\"")
      }
    }
    guard definitions[roots["query"] ?? ""] != nil else {
      throw DeclarationError("the schema has no type for queries", help: "add \"type Query { … }\"")
    }
  }

  private mutating func readRoots(_ reader: inout Reader) throws(DeclarationError) {
    reader.skipDirectives()
    try reader.expect("{")
    while let kind = reader.next(), kind != "}" {
      try reader.expect(":")
      roots[kind] = try reader.name()
    }
  }

  private mutating func readObject(_ reader: inout Reader) throws(DeclarationError) {
    let name = try reader.name()
    while let word = reader.peek(), !["{", "@"].contains(word), !Reader.keywords.contains(word) {
      // `implements A & B`
      _ = reader.next()
    }
    reader.skipDirectives()
    var fields: [String: Reference] = [:]
    if case .object(let known)? = definitions[name] { fields = known }
    if reader.peek() == "{" {
      try reader.expect("{")
      while let word = reader.next(), word != "}" {
        if word.hasPrefix("\"") { continue }
        if reader.peek() == "(" { reader.skipGroup() }
        try reader.expect(":")
        fields[word] = try reader.reference()
        reader.skipDirectives()
      }
    }
    definitions[name] = .object(fields)
  }

  private mutating func readEnumeration(_ reader: inout Reader) throws(DeclarationError) {
    let name = try reader.name()
    reader.skipDirectives()
    var values: Set<String> = []
    if case .values(let known)? = definitions[name] { values = known }
    try reader.expect("{")
    while let word = reader.next(), word != "}" {
      if !word.hasPrefix("\"") { values.insert(word) }
      reader.skipDirectives()
    }
    definitions[name] = .values(values)
  }

  private mutating func readUnion(_ reader: inout Reader) throws(DeclarationError) {
    let name = try reader.name()
    reader.skipDirectives()
    var members: [String] = []
    if reader.peek() == "=" {
      try reader.expect("=")
      if reader.peek() == "|" { _ = reader.next() }
      members.append(try reader.name())
      while reader.peek() == "|" {
        _ = reader.next()
        members.append(try reader.name())
      }
    }
    definitions[name] = .union(members)
  }

  /// Words and marks of a schema, one after the other.
  private struct Reader {
    static let keywords: Set<String> = [
      "type", "interface", "union", "enum", "input", "scalar", "schema", "directive", "extend",
    ]

    private let tokens: [(text: String, line: Int)]
    private var position = 0

    init(_ text: String) {
      tokens = Self.tokens(of: text)
    }

    var line: Int { tokens.indices.contains(position - 1) ? tokens[position - 1].line : 1 }

    private static func tokens(of text: String) -> [(text: String, line: Int)] {
      let scalars = Array(text.unicodeScalars)
      var tokens: [(text: String, line: Int)] = []
      var index = 0
      var line = 1
      func starts(_ mark: String, at index: Int) -> Bool {
        scalars[index...].starts(with: mark.unicodeScalars)
      }
      while index < scalars.count {
        let scalar = scalars[index]
        if scalar == "\n" {
          line += 1
          index += 1
        } else if scalar.properties.isWhitespace || scalar == "," || scalar == "\u{FEFF}" {
          index += 1
        } else if scalar == "#" {
          while index < scalars.count, scalars[index] != "\n" { index += 1 }
        } else if scalar == "\"" {
          let mark = starts("\"\"\"", at: index) ? "\"\"\"" : "\""
          var end = index + mark.count
          while end < scalars.count, !starts(mark, at: end) {
            if scalars[end] == "\n" { line += 1 }
            end += scalars[end] == "\\" ? 2 : 1
          }
          tokens.append(("\"", line))
          index = end + mark.count
        } else if scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar) {
          var end = index
          while end < scalars.count,
            scalars[end].properties.isAlphabetic || scalars[end] == "_"
              || ("0"..."9").contains(scalars[end])
          {
            end += 1
          }
          tokens.append((String(String.UnicodeScalarView(scalars[index..<end])), line))
          index = end
        } else {
          tokens.append((String(scalar), line))
          index += 1
        }
      }
      return tokens
    }

    func peek() -> String? {
      tokens.indices.contains(position) ? tokens[position].text : nil
    }

    mutating func next() -> String? {
      guard let token = peek() else { return nil }
      position += 1
      return token
    }

    mutating func expect(_ mark: String) throws(DeclarationError) {
      let found = next()
      guard found == mark else {
        throw DeclarationError(
          "expected \"\(mark)\" in line \(line) of the schema, found \"\(found ?? "its end")\"",
          help: "the schema must be SDL, as in \"type Query { … }\"")
      }
    }

    mutating func name() throws(DeclarationError) -> String {
      guard let word = next(), let first = word.unicodeScalars.first,
        first.properties.isAlphabetic || first == "_"
      else {
        throw DeclarationError(
          "expected a name in line \(line) of the schema", help: "the schema must be SDL")
      }
      return word
    }

    mutating func reference() throws(DeclarationError) -> Reference {
      var reference: Reference
      if peek() == "[" {
        try expect("[")
        reference = .list(try self.reference())
        try expect("]")
      } else {
        reference = .named(try name())
      }
      if peek() == "!" {
        try expect("!")
        reference = .required(reference)
      }
      return reference
    }

    /// Steps over `( … )` or `{ … }`, whatever is in it.
    mutating func skipGroup() {
      var depth = 0
      while let token = next() {
        if ["(", "{", "["].contains(token) { depth += 1 }
        if [")", "}", "]"].contains(token) { depth -= 1 }
        if depth <= 0 { return }
      }
    }

    /// Steps over `@name(arguments)`, any number of times.
    mutating func skipDirectives() {
      while peek() == "@" {
        _ = next()
        _ = next()
        if peek() == "(" { skipGroup() }
      }
    }

    mutating func skipDirectiveDefinition() {
      while let token = peek(), token == "(" || !Self.keywords.contains(token) && token != "\"" {
        if token == "(" { skipGroup() } else { _ = next() }
      }
    }
  }
}
