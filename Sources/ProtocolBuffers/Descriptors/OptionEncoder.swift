internal import Foundations

/// Writes options as the messages that `descriptor.proto` has for them.
struct OptionEncoder {
  /// The pool with the messages of options, and with the extensions that files add to them.
  let pool: DescriptorPool
  let path: String
  private(set) var problems: [ProtoProblem] = []

  init(pool: DescriptorPool, path: String) {
    self.pool = pool
    self.path = path
  }

  /// The bytes of a message of options; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - type: the message's name below `google.protobuf`.
  ///   - scope: the name of what has the options, from which the names of extensions are looked up.
  mutating func encode(_ options: [ProtoOption], as type: String, in scope: String) -> [UInt8]? {
    let own = options.filter { option in
      // Both are fields of the field's own description.
      type != "FieldOptions" || !["default", "json_name"].contains(option.plainName ?? "")
    }
    guard !own.isEmpty, let index = pool.messageIndices["google.protobuf.\(type)"] else {
      return nil
    }
    var writer = WireWriter()
    for option in own {
      do throws(MessageProblem) {
        writer.raw(try bytes(option.path[...], option.value, in: index, scope))
      } catch {
        problems.append(
          ProtoProblem(error.message, in: path, at: option.location, help: error.help))
      }
    }
    return writer.bytes
  }

  private func bytes(
    _ parts: ArraySlice<ProtoOption.Part>, _ value: ProtoOption.Constant, in index: Int,
    _ scope: String
  ) throws(MessageProblem) -> [UInt8] {
    guard let part = parts.first else { return [] }
    let field = try field(part, of: index, scope, isOption: true)
    var writer = WireWriter()
    if parts.count == 1 {
      try write(value, of: field, to: &writer, scope)
    } else {
      guard case .message(let inner) = field.kind, !field.isRepeated else {
        throw MessageProblem(
          "the option \"\(part.name.text)\" has no parts", help: "write a value behind its name")
      }
      wrap(try bytes(parts.dropFirst(), value, in: inner, scope), in: field, &writer)
    }
    return writer.bytes
  }

  private func wrap(_ content: [UInt8], in field: FieldType, _ writer: inout WireWriter) {
    if field.isGroup {
      writer.tag(field.number, .start)
      writer.raw(content)
      writer.tag(field.number, .end)
    } else {
      writer.tag(field.number, .length)
      writer.delimited(content)
    }
  }

  private func field(
    _ part: ProtoOption.Part, of index: Int, _ scope: String, isOption: Bool
  ) throws(MessageProblem) -> FieldType {
    let type = pool.messages[index]
    let name = part.name.text
    if part.isExtension {
      for candidate in SymbolTable.candidates(name, in: scope) {
        if let place = pool.extensions[candidate.name], place.message == index {
          return type.fields[place.field]
        }
      }
      let known = pool.extensions.filter { $0.value.message == index }.map(\.key)
      throw MessageProblem(
        "no extension of \(type.fullName) is called \"\(name)\"",
        help: "import the file that defines it; "
          + Suggestion.help(for: name, in: known, label: "extensions"))
    }
    let fields = type.fields.filter { !$0.isExtension }
    // The field of a group is called like its message.
    guard
      let field = fields.first(where: {
        $0.name == name || $0.isGroup && $0.name == name.lowercased()
      })
    else {
      throw MessageProblem(
        isOption
          ? "unknown option \"\(name)\"" : "\(type.fullName) has no field \"\(name)\"",
        help: Suggestion.help(
          for: name, in: fields.map(\.name).filter { $0 != "uninterpreted_option" },
          label: isOption ? "options" : "its fields"))
    }
    return field
  }

  // MARK: - Values

  private func write(
    _ constant: ProtoOption.Constant, of field: FieldType, to writer: inout WireWriter,
    _ scope: String
  ) throws(MessageProblem) {
    if case .list(let elements) = constant {
      guard field.isRepeated else {
        throw MessageProblem("\"\(field.name)\" is no list", help: "write one value")
      }
      for element in elements { try write(element, of: field, to: &writer, scope) }
      return
    }
    guard case .message(let index) = field.kind else {
      let scalar = try scalar(constant, of: field)
      writer.tag(field.number, scalar.type)
      return scalar.write(to: &writer)
    }
    guard case .message(let members) = constant else {
      throw MessageProblem(
        "\"\(field.name)\" is a \(pool.messages[index].fullName)", help: "write { … }")
    }
    wrap(try content(members, of: index, scope), in: field, &writer)
  }

  private func content(
    _ members: [ProtoOption.Member], of index: Int, _ scope: String
  ) throws(MessageProblem) -> [UInt8] {
    var writer = WireWriter()
    for member in members {
      let name = member.part.name.text
      if member.part.isExtension, name.contains("/") {
        // The text format's own way of writing an Any.
        let inner = String(name.split(separator: "/").last ?? "")
        guard pool.messages[index].wellKnown == .any, let type = pool.messageIndices[inner],
          case .message(let members) = member.value
        else {
          throw MessageProblem(
            "\"\(name)\" names no message of the files", help: "import the file that defines it")
        }
        writer.tag(1, .length)
        writer.delimited(Array(name.utf8))
        writer.tag(2, .length)
        writer.delimited(try content(members, of: type, scope))
        continue
      }
      let field = try field(member.part, of: index, scope, isOption: false)
      try write(member.value, of: field, to: &writer, scope)
    }
    return writer.bytes
  }

  private func scalar(
    _ constant: ProtoOption.Constant, of field: FieldType
  ) throws(MessageProblem) -> WireScalar {
    guard case .enumeration(let index) = field.kind else {
      guard case .scalar(let scalar) = field.kind else {
        throw MessageProblem("expected a message", help: "write { … }")
      }
      return try scalar.scalar(from: constant.value(as: scalar))
    }
    let value: Value =
      switch constant {
      case .word(let word): .string(word)
      case .integer(let digits):
        constant.decimal.flatMap { Int64($0) }.map { .integer($0) } ?? .string(digits)
      default: .null
      }
    return .varint(UInt64(bitPattern: Int64(try pool.enums[index].number(of: value))))
  }
}

extension ProtoOption.Constant {
  /// A whole number in decimal digits; `nil` if it is none, or does not fit 64 bits.
  var decimal: String? {
    guard case .integer(let text) = self else { return nil }
    let isNegative = text.hasPrefix("-")
    let digits = (isNegative ? String(text.dropFirst()) : text).lowercased()
    let value: UInt64? =
      if digits.hasPrefix("0x") {
        UInt64(digits.dropFirst(2), radix: 16)
      } else if digits.hasPrefix("0"), digits.count > 1 {
        UInt64(digits.dropFirst(), radix: 8)
      } else {
        UInt64(digits)
      }
    return value.map { isNegative && $0 != 0 ? "-\($0)" : "\($0)" }
  }

  /// The number that it is, if it is one.
  var number: Double? {
    switch self {
    case .integer: decimal.flatMap { Double($0) }
    case .float(let text): Double(text)
    case .word(let word):
      switch word.lowercased() {
      case "inf", "infinity": .infinity
      case "-inf", "-infinity": -.infinity
      case "nan", "-nan": .nan
      default: nil
      }
    case .string, .list, .message: nil
    }
  }

  /// The value in JSON that it is for a scalar.
  func value(as scalar: ProtoScalar) -> Value {
    switch (self, scalar) {
    case (.word("true"), .bool): .bool(true)
    case (.word("false"), .bool): .bool(false)
    case (.string(let bytes), .bytes): .string(Base64.encoded(bytes))
    case (.string(let bytes), .string): .string(String(decoding: bytes, as: UTF8.self))
    case (_, .double), (_, .float):
      switch number {
      case nil: .string(text)
      case .some(let number):
        number.isNaN
          ? .string("NaN")
          : number.isInfinite ? .string(number < 0 ? "-Infinity" : "Infinity") : .number(number)
      }
    // Text that is no value of the kind, so that the message shows it.
    case (.integer, .string), (.integer, .bytes), (.integer, .bool):
      .integer(decimal.flatMap { Int64($0) } ?? 0)
    case (.word, .string), (.word, .bytes), (.message, _), (.list, _): .list([])
    default: .string(decimal ?? text)
    }
  }

  /// The constant as messages show it.
  private var text: String {
    switch self {
    case .word(let text), .integer(let text), .float(let text): text
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .list: "[…]"
    case .message: "{…}"
    }
  }
}
