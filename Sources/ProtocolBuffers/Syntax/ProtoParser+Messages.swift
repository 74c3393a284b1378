extension ProtoParser {
  /// The numbers that fields may have.
  static let fieldNumbers = 1...536_870_911
  private static let enumNumbers = Int(Int32.min)...Int(Int32.max)

  mutating func message() throws(ProtoProblem) -> ProtoMessage {
    try advance()
    var message = ProtoMessage(name: try name("the message's name"))
    try parseBody(of: &message)
    return message
  }

  private mutating func parseBody(of message: inout ProtoMessage) throws(ProtoProblem) {
    let start = token.location
    try expect("{", behind: "the name \"\(message.name.text)\"")
    depth += 1
    defer { depth -= 1 }
    guard depth <= ProtoLimits.nesting else {
      throw failure(
        "messages are nested more than \(ProtoLimits.nesting) deep", at: start,
        "move the inner ones out")
    }
    while try !take("}") {
      if try take(";") { continue }
      guard token.content != .end else {
        throw failure(
          "the message \"\(message.name.text)\" does not end", at: start, "write \"}\" at its end")
      }
      try parseMember(of: &message)
    }
  }

  private mutating func parseMember(of message: inout ProtoMessage) throws(ProtoProblem) {
    guard case .word(let word) = token.content, try !isField() else {
      return try parseField(of: &message, oneof: nil)
    }
    switch word {
    case "message": message.messages.append(try self.message())
    case "enum": message.enums.append(try enumeration())
    case "extend": message.extensions += try extend(&message.messages)
    case "option": message.options.append(try option())
    case "oneof": try parseOneof(of: &message)
    case "extensions": try parseExtensionRanges(of: &message)
    default:
      try advance()
      (message.reservedNumbers, message.reservedNames) = try reserved(
        message.reservedNumbers, message.reservedNames, in: Self.fieldNumbers)
    }
  }

  /// Returns whether a member begins that is no statement: keywords may be names of types, too, but every statement has
  /// something else behind its keyword than a field's type has.
  private mutating func isField() throws(ProtoProblem) -> Bool {
    guard case .word(let word) = token.content else { return true }
    guard
      ["message", "enum", "extend", "option", "oneof", "extensions", "reserved"].contains(word)
    else { return true }
    var ahead = lexer
    let next = try ahead.next()
    switch (word, next.content) {
    case ("extensions", .integer), ("reserved", .integer), ("reserved", .string),
      ("reserved", .sign(UInt8(ascii: "-"))), ("extend", .sign(UInt8(ascii: "."))),
      ("option", .sign(UInt8(ascii: "("))):
      return false
    case ("reserved", .word), ("message", .word), ("enum", .word), ("extend", .word),
      ("option", .word), ("oneof", .word):
      // `message NAME {` and not `message NAME =`.
      let behind = try ahead.next()
      return word != "option" && behind.content == .sign(UInt8(ascii: "="))
    default: return true
    }
  }

  // MARK: - Fields

  private mutating func parseField(
    of message: inout ProtoMessage, oneof: Int?
  ) throws(ProtoProblem) {
    if isWord("map"), oneof == nil, let field = try mapField(of: &message) {
      return message.fields.append(field)
    }
    let (field, group) = try field(isOneof: oneof != nil)
    var placed = field
    placed.oneof = oneof
    message.fields.append(placed)
    if let group { message.messages.append(group) }
  }

  /// A field, and the message that a group is.
  private mutating func field(isOneof: Bool) throws(ProtoProblem) -> (ProtoField, ProtoMessage?) {
    let start = token.location
    var label = ProtoField.Label.singular
    if case .word(let word) = token.content {
      let known: ProtoField.Label? =
        switch word {
        case "optional": .optional
        case "required": .required
        case "repeated": .repeated
        default: nil
        }
      if let known {
        label = known
        try advance()
      }
    }
    if isOneof, label != .singular {
      throw failure("a field of a oneof has no label", at: start, "remove the label")
    }
    try checkLabel(label, at: start, isOneof: isOneof)
    if isWord("group"), file.syntax == .proto2 {
      return try group(label)
    }
    let type = try fieldType()
    let name = try name("the field's name")
    try expect("=", behind: "the field's name")
    let (number, location) = try integer("a field's number", in: Self.fieldNumbers)
    var field = ProtoField(
      name: name, number: number, numberLocation: location, label: label, type: type)
    field.options = try bracketedOptions()
    field.isProto3Optional = label == .optional && file.syntax == .proto3
    try expect(";", behind: "the field \"\(name.text)\"")
    return (field, nil)
  }

  private func checkLabel(
    _ label: ProtoField.Label, at location: ProtoLocation, isOneof: Bool
  ) throws(ProtoProblem) {
    switch (file.syntax, label) {
    case (.proto3, .required):
      throw failure("proto3 has no required fields", at: location, "remove \"required\"")
    case (.edition2023, .required):
      throw failure(
        "editions have no \"required\"", at: location,
        "write [features.field_presence = LEGACY_REQUIRED]")
    case (.edition2023, .optional):
      throw failure(
        "editions have no \"optional\"", at: location, "remove it: fields have presence anyway")
    case (.proto2, .singular) where !isOneof && !isWord("map"):
      throw failure(
        "the field has no label", at: location,
        "write optional, required or repeated in front, or syntax = \"proto3\" at the file's beginning"
      )
    default: break
    }
  }

  private mutating func fieldType() throws(ProtoProblem) -> ProtoField.TypeName {
    if case .word(let word) = token.content, let scalar = ProtoScalar(rawValue: word) {
      let location = token.location
      try advance()
      guard isSign(".") else { return .scalar(scalar) }
      try advance()
      return .named(
        ProtoName(word + "." + (try fullName("a type", mayLead: false)).text, at: location))
    }
    return .named(try fullName("a field's type"))
  }

  private mutating func group(
    _ label: ProtoField.Label
  ) throws(ProtoProblem) -> (ProtoField, ProtoMessage?) {
    try advance()
    let name = try name("the group's name")
    guard let first = name.text.first, first.isUppercase else {
      throw failure(
        "the name of a group begins with a capital", at: name.location, "write it so")
    }
    try expect("=", behind: "the group's name")
    let (number, location) = try integer("a field's number", in: Self.fieldNumbers)
    var field = ProtoField(
      name: ProtoName(name.text.lowercased(), at: name.location), number: number,
      numberLocation: location, label: label, type: .group(name))
    field.options = try bracketedOptions()
    var message = ProtoMessage(name: name)
    try parseBody(of: &message)
    return (field, message)
  }

  /// `map<KEY, VALUE> NAME = NUMBER`; `nil` if a type is called `map`.
  private mutating func mapField(
    of message: inout ProtoMessage
  ) throws(ProtoProblem) -> ProtoField? {
    var ahead = lexer
    guard try ahead.next().content == .sign(UInt8(ascii: "<")) else { return nil }
    try advance()
    try advance()
    let keyLocation = token.location
    guard case .word(let word) = token.content, let key = ProtoScalar(rawValue: word),
      ![.double, .float, .bytes].contains(key)
    else {
      throw unexpected(
        "the type of a map's keys", "write string, bool, or a type of whole numbers")
    }
    try advance()
    try expect(",", behind: "the type of a map's keys")
    let value = try fieldType()
    try expect(">", behind: "the type of a map's values")
    let name = try name("the field's name")
    try expect("=", behind: "the field's name")
    let (number, location) = try integer("a field's number", in: Self.fieldNumbers)
    // What protoc makes of it.
    let camel = Self.camelCase(name.text, isCapital: true) + "Entry"
    var entry = ProtoMessage(name: ProtoName(camel, at: name.location))
    entry.isMapEntry = true
    entry.fields = [
      ProtoField(
        name: ProtoName("key", at: keyLocation), number: 1, label: .optional, type: .scalar(key)),
      ProtoField(name: ProtoName("value"), number: 2, label: .optional, type: value),
    ]
    message.messages.append(entry)
    var field = ProtoField(
      name: name, number: number, numberLocation: location, label: .repeated,
      type: .named(ProtoName(camel, at: name.location)))
    field.options = try bracketedOptions()
    try expect(";", behind: "the field \"\(name.text)\"")
    return field
  }

  /// The name in camel case, as JSON has it.
  static func camelCase(_ name: String, isCapital: Bool = false) -> String {
    var text = ""
    var isNextCapital = isCapital
    for letter in name.unicodeScalars {
      if letter == "_" {
        isNextCapital = true
      } else {
        text += isNextCapital && letter.isASCII ? String(letter).uppercased() : String(letter)
        isNextCapital = false
      }
    }
    return text
  }

  private mutating func parseOneof(of message: inout ProtoMessage) throws(ProtoProblem) {
    try advance()
    let name = try name("the oneof's name")
    let index = message.oneofs.count
    message.oneofs.append(ProtoMessage.Oneof(name: name))
    let start = token.location
    try expect("{", behind: "the oneof's name")
    var count = 0
    while try !take("}") {
      if try take(";") { continue }
      guard token.content != .end else {
        throw failure(
          "the oneof \"\(name.text)\" does not end", at: start, "write \"}\" at its end")
      }
      if isWord("option") {
        message.oneofs[index].options.append(try option())
      } else {
        try parseField(of: &message, oneof: index)
        count += 1
      }
    }
    guard count > 0 else {
      throw failure("the oneof \"\(name.text)\" has no field", at: name.location, "add a field")
    }
  }

  // MARK: - Numbers and names

  private mutating func parseExtensionRanges(
    of message: inout ProtoMessage
  ) throws(ProtoProblem) {
    let start = token.location
    try advance()
    if file.syntax == .proto3 {
      throw failure("proto3 has no extension ranges", at: start, "remove them")
    }
    var ranges = try numberRanges(in: Self.fieldNumbers)
    let options = try bracketedOptions()
    for index in ranges.indices { ranges[index].options = options }
    message.extensionRanges += ranges
    try expect(";", behind: "the extension ranges")
  }

  private mutating func numberRanges(
    in bounds: ClosedRange<Int>
  ) throws(ProtoProblem) -> [ProtoMessage.Numbers] {
    var ranges: [ProtoMessage.Numbers] = []
    repeat {
      let (low, location) = try integer(
        "a number", in: bounds, mayBeNegative: bounds.lowerBound < 0)
      var high = low
      if try take(word: "to") {
        if try take(word: "max") {
          high = bounds.upperBound
        } else {
          high = try integer("a number", in: bounds, mayBeNegative: bounds.lowerBound < 0).0
        }
      }
      guard low <= high else {
        throw failure(
          "the range ends before it begins", at: location, "write the smaller one first")
      }
      ranges.append(ProtoMessage.Numbers(range: low...high, location: location))
    } while try take(",")
    return ranges
  }

  private mutating func reserved(
    _ numbers: [ProtoMessage.Numbers], _ names: [ProtoName], in bounds: ClosedRange<Int>
  ) throws(ProtoProblem) -> ([ProtoMessage.Numbers], [ProtoName]) {
    var (numbers, names) = (numbers, names)
    switch token.content {
    case .string:
      repeat { names.append(try string("a reserved name")) } while try take(",")
    case .word:
      repeat { names.append(try name("a reserved name")) } while try take(",")
    default: numbers += try numberRanges(in: bounds)
    }
    try expect(";", behind: "what is reserved")
    return (numbers, names)
  }

  // MARK: - Enums and extensions

  mutating func enumeration() throws(ProtoProblem) -> ProtoEnum {
    try advance()
    var type = ProtoEnum(name: try name("the enum's name"))
    let start = token.location
    try expect("{", behind: "the enum's name")
    while try !take("}") {
      if try take(";") { continue }
      guard token.content != .end else {
        throw failure(
          "the enum \"\(type.name.text)\" does not end", at: start, "write \"}\" at its end")
      }
      var ahead = lexer
      let isValue = try ahead.next().content == .sign(UInt8(ascii: "="))
      if isWord("option"), !isValue {
        type.options.append(try option())
      } else if isWord("reserved"), !isValue {
        try advance()
        (type.reservedNumbers, type.reservedNames) = try reserved(
          type.reservedNumbers, type.reservedNames, in: Self.enumNumbers)
      } else {
        let name = try name("the name of a value")
        try expect("=", behind: "the name of a value")
        let (number, location) = try integer(
          "a value's number", in: Self.enumNumbers, mayBeNegative: true)
        var value = ProtoEnum.Case(name: name, number: number, numberLocation: location)
        value.options = try bracketedOptions()
        try expect(";", behind: "the value \"\(name.text)\"")
        type.cases.append(value)
      }
    }
    guard !type.cases.isEmpty else {
      throw failure(
        "the enum \"\(type.name.text)\" has no value", at: type.name.location, "add a value")
    }
    return type
  }

  /// The extensions of a message, and the messages that groups among them are.
  mutating func extend(_ groups: inout [ProtoMessage]) throws(ProtoProblem) -> [ProtoField] {
    try advance()
    let extendee = try fullName("the message that is extended")
    try expect("{", behind: "the message that is extended")
    var fields: [ProtoField] = []
    while try !take("}") {
      if try take(";") { continue }
      let (field, group) = try field(isOneof: false)
      var placed = field
      placed.extendee = extendee
      fields.append(placed)
      if let group { groups.append(group) }
    }
    return fields
  }
}
