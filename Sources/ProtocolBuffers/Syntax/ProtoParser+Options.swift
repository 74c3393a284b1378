extension ProtoParser {
  /// Reads `option NAME = VALUE;`.
  mutating func option() throws(ProtoProblem) -> ProtoOption {
    try advance()
    let option = try assignment()
    try expect(";", behind: "the option")
    return option
  }

  /// `[NAME = VALUE, …]`; nothing if there is none.
  mutating func bracketedOptions() throws(ProtoProblem) -> [ProtoOption] {
    guard try take("[") else { return [] }
    var options: [ProtoOption] = []
    repeat { options.append(try assignment()) } while try take(",")
    try expect("]", behind: "the options")
    return options
  }

  private mutating func assignment() throws(ProtoProblem) -> ProtoOption {
    let location = token.location
    var path: [ProtoOption.Part] = []
    repeat {
      guard path.count < ProtoLimits.nesting else {
        throw failure(
          "the option's name has more than \(ProtoLimits.nesting) parts", at: location,
          "write the inner ones as a message, between braces")
      }
      if try take("(") {
        path.append(.init(name: try fullName("the name of an extension"), isExtension: true))
        try expect(")", behind: "the name of an extension")
      } else {
        path.append(.init(name: try name("the name of an option"), isExtension: false))
      }
    } while try take(".")
    try expect("=", behind: "the option's name")
    return ProtoOption(path: path, value: try constant(), location: location)
  }

  /// A value of an option; between braces, one of the text format.
  private mutating func constant() throws(ProtoProblem) -> ProtoOption.Constant {
    switch token.content {
    case .string: return .string(try joinedStrings())
    case .sign(UInt8(ascii: "{")):
      try advance()
      return .message(try members(until: "}"))
    case .word(let word):
      try advance()
      return .word(word)
    default: return try number()
    }
  }

  private mutating func joinedStrings() throws(ProtoProblem) -> [UInt8] {
    var joined: [UInt8] = []
    while case .string(let bytes) = token.content {
      joined += bytes
      try advance()
    }
    return joined
  }

  private mutating func number() throws(ProtoProblem) -> ProtoOption.Constant {
    var sign = ""
    if try take("-") { sign = "-" } else if try take("+") {}
    switch token.content {
    case .integer(let digits):
      try advance()
      return .integer(sign + digits)
    case .float(let digits):
      try advance()
      return .float(sign + digits)
    case .word(let word) where ["inf", "infinity", "nan"].contains(word.lowercased()):
      try advance()
      return .word(sign + word)
    default: throw unexpected("a value", "write a number, a string, a name, or { … }")
    }
  }

  // MARK: - The text format

  private mutating func members(
    until end: Character
  ) throws(ProtoProblem) -> [ProtoOption.Member] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ProtoLimits.nesting else {
      throw failure(
        "values are nested more than \(ProtoLimits.nesting) deep", at: token.location,
        "write a flatter one")
    }
    var members: [ProtoOption.Member] = []
    while try !take(end) {
      let part: ProtoOption.Part
      if try take("[") {
        var name = try fullName("the name of an extension")
        if try take("/") {
          name.text += "/" + (try fullName("the name of a type", mayLead: false)).text
        }
        part = .init(name: name, isExtension: true)
        try expect("]", behind: "the name of an extension")
      } else {
        part = .init(name: try name("the name of a field"), isExtension: false)
      }
      let value: ProtoOption.Constant
      if try take(":") {
        value = try textValue()
      } else {
        guard isSign("{") || isSign("<") || isSign("[") else {
          throw unexpected("\":\" behind a field's name", "write NAME: VALUE")
        }
        value = try textValue()
      }
      members.append(ProtoOption.Member(part: part, value: value))
      if try !take(",") { _ = try take(";") }
    }
    return members
  }

  private mutating func textValue() throws(ProtoProblem) -> ProtoOption.Constant {
    if try take("{") { return .message(try members(until: "}")) }
    if try take("<") { return .message(try members(until: ">")) }
    if try take("[") {
      depth += 1
      defer { depth -= 1 }
      guard depth <= ProtoLimits.nesting else {
        throw failure(
          "values are nested more than \(ProtoLimits.nesting) deep", at: token.location,
          "write a flatter one")
      }
      var elements: [ProtoOption.Constant] = []
      if try take("]") { return .list([]) }
      repeat { elements.append(try textValue()) } while try take(",")
      try expect("]", behind: "the list")
      return .list(elements)
    }
    return try constant()
  }
}
