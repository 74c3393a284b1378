internal import Foundations
internal import OrderedCollections

/// Writes messages.
struct MessageEncoder {
  let pool: DescriptorPool

  func encode(_ value: Value, as index: Int, depth: Int) throws(MessageProblem) -> [UInt8] {
    let type = pool.messages[index]
    guard depth <= ProtoLimits.depth else {
      throw MessageProblem(
        "messages are nested more than \(ProtoLimits.depth) deep", help: "write a flatter one")
    }
    if let known = type.wellKnown {
      return try wellKnown(known, value, type, depth)
    }
    return try members(of: value, type, depth)
  }

  // MARK: - Fields

  private func members(
    of value: Value, _ type: MessageType, _ depth: Int
  ) throws(MessageProblem) -> [UInt8] {
    guard case .map(let members) = value else {
      throw MessageProblem(
        "expected a \(type.fullName), got \(value.excerpt())", help: "write a map of its fields")
    }
    var parts: [(number: Int, bytes: [UInt8])] = []
    for (key, place) in try type.places(of: members) {
      let field = type.fields[place]
      guard let member = members[key] else { continue }
      do throws(MessageProblem) {
        var writer = WireWriter()
        try write(member, of: field, to: &writer, depth)
        parts.append((field.number, writer.bytes))
      } catch {
        throw error.below(.key(key))
      }
    }
    parts.sort { $0.number < $1.number }
    var writer = WireWriter()
    for part in parts { writer.raw(part.bytes) }
    return writer.bytes
  }

  private func write(
    _ value: Value, of field: FieldType, to writer: inout WireWriter, _ depth: Int
  ) throws(MessageProblem) {
    if value == .null, !pool.allowsNull(field) || field.isRepeated { return }
    if field.isMap { return try write(map: value, of: field, to: &writer, depth) }
    guard field.isRepeated else {
      return try write(element: value, of: field, to: &writer, depth, isOptional: field.hasPresence)
    }
    guard case .list(let elements) = value else {
      throw MessageProblem(
        "expected a list, got \(value.excerpt())",
        help: "\"\(field.name)\" is repeated: write [ … ]")
    }
    var packed = WireWriter()
    for (index, element) in elements.enumerated() {
      do throws(MessageProblem) {
        if element == .null, !pool.allowsNull(field) {
          throw MessageProblem("null cannot be an element", help: "write a value, or leave it out")
        }
        if field.isPacked {
          try scalar(element, of: field).write(to: &packed)
        } else {
          try write(element: element, of: field, to: &writer, depth, isOptional: true)
        }
      } catch {
        throw error.below(.index(index))
      }
    }
    if field.isPacked, !elements.isEmpty {
      writer.tag(field.number, .length)
      writer.delimited(packed.bytes)
    }
  }

  private func write(
    element value: Value, of field: FieldType, to writer: inout WireWriter, _ depth: Int,
    isOptional: Bool
  ) throws(MessageProblem) {
    if case .message(let index) = field.kind {
      let content = try encode(value, as: index, depth: depth + 1)
      if field.isGroup {
        writer.tag(field.number, .start)
        writer.raw(content)
        writer.tag(field.number, .end)
      } else {
        writer.tag(field.number, .length)
        writer.delimited(content)
      }
      return
    }
    let scalar = try scalar(value, of: field)
    // What has no presence and its default is not there.
    guard isOptional || !scalar.isDefault else { return }
    writer.tag(field.number, scalar.type)
    scalar.write(to: &writer)
  }

  private func write(
    map value: Value, of field: FieldType, to writer: inout WireWriter, _ depth: Int
  ) throws(MessageProblem) {
    guard case .map(let members) = value, case .message(let index) = field.kind,
      pool.messages[index].fields.count == 2
    else {
      throw MessageProblem(
        "expected a map, got \(value.excerpt())", help: "\"\(field.name)\" is a map: write { … }")
    }
    let type = pool.messages[index]
    for (key, member) in members {
      do throws(MessageProblem) {
        guard member != .null || pool.allowsNull(type.fields[1]) else {
          throw MessageProblem("null cannot be a value of a map", help: "write a value")
        }
        var entry = WireWriter()
        try write(
          element: Self.keyValue(key, type.fields[0]), of: type.fields[0], to: &entry, depth,
          isOptional: true)
        try write(
          element: member, of: type.fields[1], to: &entry, depth, isOptional: true)
        writer.tag(field.number, .length)
        writer.delimited(entry.bytes)
      } catch {
        throw error.below(.key(key))
      }
    }
  }

  /// A key of a map in JSON as a value.
  static func keyValue(_ key: String, _ field: FieldType) -> Value {
    if case .scalar(.bool) = field.kind {
      if key == "true" { return .bool(true) }
      if key == "false" { return .bool(false) }
    }
    return .string(key)
  }

  func scalar(_ value: Value, of field: FieldType) throws(MessageProblem) -> WireScalar {
    switch field.kind {
    case .scalar(let scalar): try scalar.scalar(from: value)
    case .enumeration(let index):
      .varint(UInt64(bitPattern: Int64(try pool.enums[index].number(of: value))))
    case .message: throw MessageProblem("expected a message", help: "write a map")
    }
  }
}

extension DescriptorPool {
  /// True if null is a value of a field, and not its absence.
  func allowsNull(_ field: FieldType) -> Bool {
    switch field.kind {
    case .scalar: false
    case .enumeration(let index): enums[index].fullName == WellKnownType.null
    case .message(let index):
      messages[index].wellKnown == .value
        || messages[index].isMapEntry && messages[index].fields.count == 2
          && allowsNull(messages[index].fields[1])
    }
  }
}

extension EnumType {
  /// The number of a value in JSON: a name, or a number.
  func number(of value: Value) throws(MessageProblem) -> Int {
    switch value {
    case .null where fullName == WellKnownType.null: return 0
    case .string(let name):
      if let number = numberByName[name] { return number }
      throw MessageProblem(
        "\(fullName) has no value \"\(name)\"",
        help: Suggestion.help(for: name, in: names, label: "its values"))
    case .integer(let integer) where Int32(exactly: integer) != nil:
      let number = Int(integer)
      guard isOpen || nameByNumber[number] != nil else {
        throw MessageProblem(
          "\(fullName) has no value \(number)",
          help: Suggestion.help(for: "", in: names, label: "its values"))
      }
      return number
    default:
      throw MessageProblem(
        "expected a value of \(fullName), got \(value.excerpt())",
        help: Suggestion.help(for: "", in: names, label: "its values"))
    }
  }
}

extension MessageType {
  /// The fields that the keys of a map name, each with its key.
  ///
  /// - Parameter isPart: Whether only a part of the message is meant, which may lack required fields.
  /// - Throws: For a key that names no field, a field that two keys name, and two fields of one oneof.
  func places(
    of members: OrderedDictionary<String, Value>, isPart: Bool = false
  ) throws(MessageProblem) -> [(key: String, place: Int)] {
    var found: [(key: String, place: Int)] = []
    var keys: [Int: String] = [:]
    var chosen: [Int: String] = [:]
    for (key, value) in members {
      guard let place = placeByName[key] else { throw unknown(key).below(.key(key)) }
      if let other = keys[place] {
        throw MessageProblem(
          "\"\(key)\" and \"\(other)\" are one field", help: "remove one of them", isKey: true
        ).below(.key(key))
      }
      keys[place] = key
      if let oneof = fields[place].oneof, value != .null {
        if let other = chosen[oneof] {
          throw MessageProblem(
            "\"\(key)\" cannot stand beside \"\(other)\": both belong to \"\(oneofs[oneof])\"",
            help: "remove one of them", isKey: true
          ).below(.key(key))
        }
        chosen[oneof] = key
      }
      found.append((key, place))
    }
    for (place, field) in fields.enumerated()
    where !isPart && field.isRequired && keys[place] == nil {
      throw MessageProblem(
        "the required field \"\(field.name)\" of \(fullName) is missing", help: "add it")
    }
    return found
  }

  /// The mistake of a key that names no field.
  func unknown(_ key: String) -> MessageProblem {
    MessageProblem(
      "\(fullName) has no field \"\(key)\"",
      help: Suggestion.help(for: key, in: fields.map(\.key), label: "its fields"), isKey: true)
  }
}
