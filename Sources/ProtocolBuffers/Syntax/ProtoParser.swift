/// Reads a .proto file of proto2, proto3 or edition 2023 (protobuf.dev, language specifications).
///
/// Descends as deep as messages are nested, up to a bound.
struct ProtoParser {
  var lexer: ProtoLexer
  var token: ProtoToken
  var file: ProtoFile
  var depth = 0

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: the name by which other files import it.
  ///   - path: its path, for messages.
  static func parse(_ bytes: [UInt8], name: String, path: String) throws(ProtoProblem) -> ProtoFile
  {
    guard bytes.count <= ProtoLimits.length else {
      throw ProtoProblem(
        "the file is longer than \(ProtoLimits.length) bytes", in: path, at: nil,
        help: "split it into several files")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ProtoProblem(
        "the file is not UTF-8", in: path, at: nil,
        help: "name a .proto file; a descriptor set ends with .binpb, .pb, .protoset or .desc")
    }
    var lexer = ProtoLexer(bytes, file: path)
    let token = try lexer.next()
    var parser = ProtoParser(
      lexer: lexer, token: token, file: ProtoFile(name: name, path: path))
    try parser.parseFile()
    return parser.file
  }

  // MARK: - Tokens

  func failure(_ message: String, at location: ProtoLocation?, _ help: String) -> ProtoProblem {
    ProtoProblem(message, in: file.path, at: location, help: help)
  }

  func unexpected(_ expected: String, _ help: String) -> ProtoProblem {
    failure("expected \(expected), found \(token.text)", at: token.location, help)
  }

  mutating func advance() throws(ProtoProblem) {
    token = try lexer.next()
  }

  func isSign(_ sign: Character) -> Bool {
    token.content == .sign(sign.asciiValue ?? 0)
  }

  func isWord(_ word: String) -> Bool {
    token.content == .word(word)
  }

  /// Takes a sign if it comes next.
  mutating func take(_ sign: Character) throws(ProtoProblem) -> Bool {
    guard isSign(sign) else { return false }
    try advance()
    return true
  }

  /// Takes a keyword if it comes next.
  mutating func take(word: String) throws(ProtoProblem) -> Bool {
    guard isWord(word) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: Character, behind what: String) throws(ProtoProblem) {
    guard try take(sign) else {
      throw unexpected("\"\(sign)\" behind \(what)", "write \"\(sign)\" there")
    }
  }

  mutating func name(_ what: String) throws(ProtoProblem) -> ProtoName {
    guard case .word(let word) = token.content else {
      throw unexpected(what, "write a name: letters, digits and \"_\"")
    }
    let name = ProtoName(word, at: token.location)
    try advance()
    return name
  }

  /// `a.b.C`, with a dot in front if it is counted from the outside.
  mutating func fullName(_ what: String, mayLead: Bool = true) throws(ProtoProblem) -> ProtoName {
    var location = token.location
    var text = ""
    if mayLead, try take(".") { text = "." }
    let first = try name(what)
    text += first.text
    while isSign(".") {
      try advance()
      text += "." + (try name("a name behind \".\"")).text
    }
    location.length = text.unicodeScalars.count
    return ProtoName(text, at: location)
  }

  mutating func string(_ what: String) throws(ProtoProblem) -> ProtoName {
    guard case .string(let bytes) = token.content else {
      throw unexpected(what, "write it between quotes")
    }
    let location = token.location
    try advance()
    return ProtoName(String(decoding: bytes, as: UTF8.self), at: location)
  }

  /// A whole number within a range, with the place where it stands.
  mutating func integer(
    _ what: String, in range: ClosedRange<Int>, mayBeNegative: Bool = false
  ) throws(ProtoProblem) -> (Int, ProtoLocation) {
    let location = token.location
    let isNegative = mayBeNegative ? try take("-") : false
    guard case .integer(let digits) = token.content else {
      throw unexpected(what, "write a whole number")
    }
    let value = Self.value(ofDigits: digits).map { isNegative ? -$0 : $0 }
    guard let value, range.contains(value) else {
      throw failure(
        "\(isNegative ? "-" : "")\(digits) is out of range for \(what)", at: location,
        "write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    try advance()
    return (value, location)
  }

  /// The value of an unsigned number as the language writes it; `nil` if it is too large.
  static func value(ofDigits digits: String) -> Int? {
    let text = digits.lowercased()
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0"), text.count > 1 { return Int(text.dropFirst(), radix: 8) }
    return Int(text)
  }

  // MARK: - Files

  private mutating func parseFile() throws(ProtoProblem) {
    if isWord("syntax") || isWord("edition") { try parseSyntax() }
    while token.content != .end {
      if try take(";") { continue }
      let location = token.location
      guard case .word(let word) = token.content else {
        throw unexpected("a definition", "write message, enum, service, extend, import or option")
      }
      switch word {
      case "package":
        if file.package != nil {
          throw failure("a second package", at: location, "remove one of the two")
        }
        try advance()
        file.package = try fullName("the package's name", mayLead: false)
        try expect(";", behind: "the package")
      case "import": try parseImport()
      case "option": file.options.append(try option())
      case "message": file.messages.append(try message())
      case "enum": file.enums.append(try enumeration())
      case "service": file.services.append(try service())
      case "extend":
        var groups: [ProtoMessage] = []
        file.extensions += try extend(&groups)
        file.messages += groups
      case "syntax", "edition":
        throw failure(
          "\"\(word)\" must be the first statement", at: location, "move it to the file's beginning"
        )
      default:
        throw unexpected("a definition", "write message, enum, service, extend, import or option")
      }
    }
  }

  private mutating func parseSyntax() throws(ProtoProblem) {
    let isEdition = isWord("edition")
    try advance()
    try expect("=", behind: isEdition ? "\"edition\"" : "\"syntax\"")
    let name = try string(isEdition ? "an edition" : "\"proto2\" or \"proto3\"")
    switch (isEdition, name.text) {
    case (false, "proto2"): file.syntax = .proto2
    case (false, "proto3"): file.syntax = .proto3
    case (true, "2023"): file.syntax = .edition2023
    default:
      throw failure(
        isEdition ? "the edition \"\(name.text)\" is not known" : "unknown syntax \"\(name.text)\"",
        at: name.location,
        isEdition ? "write edition = \"2023\"" : "write syntax = \"proto3\", or \"proto2\"")
    }
    try expect(";", behind: isEdition ? "the edition" : "the syntax")
  }

  private mutating func parseImport() throws(ProtoProblem) {
    try advance()
    let isPublic = try take(word: "public")
    let isWeak = isPublic ? false : try take(word: "weak")
    let path = try string("the path of the imported file")
    try expect(";", behind: "the import")
    file.imports.append(ProtoFile.Import(path: path, isPublic: isPublic, isWeak: isWeak))
  }

  // MARK: - Services

  private mutating func service() throws(ProtoProblem) -> ProtoService {
    try advance()
    var service = ProtoService(name: try name("the service's name"))
    try expect("{", behind: "the service's name")
    while try !take("}") {
      if try take(";") { continue }
      if isWord("option") {
        service.options.append(try option())
      } else if isWord("rpc") {
        service.methods.append(try method())
      } else {
        throw unexpected(
          "\"rpc\", \"option\" or \"}\"", "write rpc NAME (REQUEST) returns (REPLY);")
      }
    }
    return service
  }

  private mutating func method() throws(ProtoProblem) -> ProtoService.Method {
    try advance()
    let name = try name("the method's name")
    let (input, streamsRequests) = try methodType("the method's name")
    guard try take(word: "returns") else {
      throw unexpected("\"returns\"", "write rpc NAME (REQUEST) returns (REPLY);")
    }
    let (output, streamsReplies) = try methodType("\"returns\"")
    var method = ProtoService.Method(
      name: name, input: input, output: output, streamsRequests: streamsRequests,
      streamsReplies: streamsReplies)
    guard try take("{") else {
      try expect(";", behind: "the method")
      return method
    }
    while try !take("}") {
      if try take(";") { continue }
      guard isWord("option") else {
        throw unexpected("\"option\" or \"}\"", "a method holds nothing but options")
      }
      method.options.append(try option())
    }
    return method
  }

  private mutating func methodType(
    _ what: String
  ) throws(ProtoProblem) -> (ProtoName, isStream: Bool) {
    try expect("(", behind: what)
    var isStream = false
    var type: ProtoName?
    if isWord("stream") {
      let word = try name("a type")
      if isSign(".") {
        // A package or a message may be called like the keyword.
        try advance()
        let rest = try fullName("a type", mayLead: false)
        if isSign(")") {
          var location = word.location
          location?.length = word.text.count + 1 + rest.text.count
          // `stream .a.B` reads the same but for its space.
          let isJoined = rest.location?.column == (word.location?.column ?? 0) + word.text.count + 1
          type = ProtoName((isJoined ? "stream." : ".") + rest.text, at: location)
          isStream = !isJoined
        }
      } else if isSign(")") {
        type = word
      } else {
        isStream = true
      }
    }
    let found: ProtoName
    if let type { found = type } else { found = try fullName("a message type") }
    try expect(")", behind: "the type")
    return (found, isStream)
  }
}
