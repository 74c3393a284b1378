internal import Foundations
internal import OrderedCollections

/// Reads messages.
struct MessageDecoder {
  let pool: DescriptorPool
  let showsDefaults: Bool

  /// What the wire holds for a field.
  private enum Found {
    case values([Value])
    /// The pieces of a message, which count as one.
    case pieces([Range<Int>])
  }

  func decode(
    _ bytes: [UInt8], _ range: Range<Int>, as index: Int, depth: Int
  ) throws(WireProblem) -> Value {
    let type = pool.messages[index]
    guard depth <= ProtoLimits.depth else {
      throw WireProblem(
        message: type.fullName, offset: range.lowerBound,
        reason: "messages are nested more than \(ProtoLimits.depth) deep")
    }
    // The values of a struct are messages that only their JSON shows as one.
    switch type.wellKnown {
    case .value?, .structure?, .list?, nil: break
    case .some(let known):
      let members = try members(bytes, range, type, depth, showsDefaults: true)
      return try wellKnown(known, members, type, at: range.lowerBound, depth)
    }
    let members = try members(bytes, range, type, depth, showsDefaults: showsDefaults)
    switch type.wellKnown {
    case .structure?: return members["fields"] ?? .map([:])
    case .list?: return members["values"] ?? .list([])
    case .value?:
      let kind = members.first { !($0.key == "nullValue") }
      return kind?.value ?? .null
    default: return .map(members)
    }
  }

  private func members(
    _ bytes: [UInt8], _ range: Range<Int>, _ type: MessageType, _ depth: Int, showsDefaults: Bool
  ) throws(WireProblem) -> OrderedDictionary<String, Value> {
    var found = [Found?](repeating: nil, count: type.fields.count)
    var reader = WireReader(bytes, range)
    while !reader.isAtEnd {
      let start = reader.position
      var field: FieldType?
      do throws(WireReader.Failure) {
        let (number, form) = try reader.tag()
        guard let place = type.placeByNumber[number] else {
          try reader.skip(form, number: number, depth: depth)
          continue
        }
        field = type.fields[place]
        try read(
          type.fields[place], form, at: start, &reader, into: &found[place], depth)
        if let oneof = type.fields[place].oneof {
          for other in type.fields.indices where other != place && type.fields[other].oneof == oneof
          {
            found[other] = nil
          }
        }
      } catch {
        throw problem(type, field, error.offset, error.reason)
      }
    }
    return try members(of: type, found, bytes, depth, showsDefaults)
  }

  private func problem(
    _ type: MessageType, _ field: FieldType?, _ offset: Int, _ reason: String
  ) -> WireProblem {
    WireProblem(
      message: type.fullName, field: field.map { "\"\($0.name)\" (\($0.number))" }, offset: offset,
      reason: reason)
  }

  // MARK: - Fields

  private func read(
    _ field: FieldType, _ form: WireType, at start: Int, _ reader: inout WireReader,
    into found: inout Found?, _ depth: Int
  ) throws(WireReader.Failure) {
    switch field.kind {
    case .message:
      let range: Range<Int>
      switch form {
      case .length: range = try reader.range()
      case .start: range = try reader.group(number: field.number, depth: depth)
      default: throw misfit(form, .length, at: start)
      }
      guard case .pieces(var pieces)? = found else {
        found = .pieces([range])
        return
      }
      found = nil
      pieces.append(range)
      found = .pieces(pieces)
    case .scalar(let scalar) where scalar.wireType == .length:
      guard form == .length else { throw misfit(form, .length, at: start) }
      let range = try reader.range()
      let value: Value
      if scalar == .bytes {
        value = .string(Base64.encoded(Array(reader.bytes[range])))
      } else if let text = String(validating: reader.bytes[range], as: UTF8.self) {
        value = .string(text)
      } else if field.isValidated {
        throw WireReader.Failure(offset: range.lowerBound, reason: "the text is not UTF-8")
      } else {
        value = .string(String(decoding: reader.bytes[range], as: UTF8.self))
      }
      Self.add(value, of: field, to: &found)
    case .scalar(let scalar):
      try readNumbers(field, form, scalar.wireType, at: start, &reader, into: &found) {
        reader throws(WireReader.Failure) in try scalar.read(&reader)
      }
    case .enumeration(let index):
      let type = pool.enums[index]
      try readNumbers(field, form, .varint, at: start, &reader, into: &found) {
        reader throws(WireReader.Failure) in
        let number = Int(Int32(truncatingIfNeeded: try reader.varint()))
        if type.fullName == WellKnownType.null { return .null }
        return type.nameByNumber[number].map { .string($0) } ?? .integer(Int64(number))
      }
    }
  }

  /// Numbers: one, or packed ones, whatever the field says.
  private func readNumbers(
    _ field: FieldType, _ form: WireType, _ wanted: WireType, at start: Int,
    _ reader: inout WireReader, into found: inout Found?,
    _ read: (inout WireReader) throws(WireReader.Failure) -> Value
  ) throws(WireReader.Failure) {
    if form == wanted { return Self.add(try read(&reader), of: field, to: &found) }
    guard form == .length, field.isRepeated else { throw misfit(form, wanted, at: start) }
    var packed = WireReader(reader.bytes, try reader.range())
    while !packed.isAtEnd { Self.add(try read(&packed), of: field, to: &found) }
  }

  private static func add(_ value: Value, of field: FieldType, to found: inout Found?) {
    guard field.isRepeated, case .values(var values)? = found else {
      found = .values([value])
      return
    }
    found = nil
    values.append(value)
    found = .values(values)
  }

  private func misfit(
    _ form: WireType, _ wanted: WireType, at start: Int
  ) -> WireReader.Failure {
    WireReader.Failure(
      offset: start, reason: "the field is \(wanted.text) on the wire, but \(form.text) came")
  }

  // MARK: - JSON

  private func members(
    of type: MessageType, _ found: [Found?], _ bytes: [UInt8], _ depth: Int, _ showsDefaults: Bool
  ) throws(WireProblem) -> OrderedDictionary<String, Value> {
    var members: OrderedDictionary<String, Value> = [:]
    for (field, found) in zip(type.fields, found) {
      switch found {
      case nil:
        if showsDefaults, !field.hasPresence, !field.isExtension {
          members[field.key] = pool.defaultValue(of: field)
        }
      case .values(let values)?:
        members[field.key] = field.isRepeated ? .list(values) : values[values.count - 1]
      case .pieces(let pieces)?:
        guard case .message(let index) = field.kind else { continue }
        if field.isMap {
          members[field.key] = try map(pieces, index, bytes, depth + 1)
        } else if field.isRepeated {
          var elements: [Value] = []
          for piece in pieces {
            elements.append(try decode(bytes, piece, as: index, depth: depth + 1))
          }
          members[field.key] = .list(elements)
        } else if pieces.count == 1 {
          members[field.key] = try decode(bytes, pieces[0], as: index, depth: depth + 1)
        } else {
          // "Encoding", section "Last One Wins": the pieces of a message are merged, as if they were one.
          let joined = pieces.flatMap { bytes[$0] }
          members[field.key] = try decode(joined, 0..<joined.count, as: index, depth: depth + 1)
        }
      }
    }
    return members
  }

  private func map(
    _ pieces: [Range<Int>], _ index: Int, _ bytes: [UInt8], _ depth: Int
  ) throws(WireProblem) -> Value {
    let type = pool.messages[index]
    guard type.fields.count == 2 else { return .map([:]) }
    var members: OrderedDictionary<String, Value> = [:]
    for piece in pieces {
      let entry = try self.members(bytes, piece, type, depth, showsDefaults: false)
      let key = entry["key"] ?? pool.zero(of: type.fields[0])
      members[key.keyText] = entry["value"] ?? pool.zero(of: type.fields[1])
    }
    return .map(members)
  }
}

extension Value {
  /// A key of a map in JSON.
  fileprivate var keyText: String {
    switch self {
    case .bool(let truth): truth ? "true" : "false"
    case .integer(let integer): String(integer)
    case .string(let text): text
    case .null, .number, .list, .map: ""
    }
  }
}

extension DescriptorPool {
  /// The value in JSON of a field without presence that is not there.
  func defaultValue(of field: FieldType) -> Value {
    if field.isMap { return .map([:]) }
    if field.isRepeated { return .list([]) }
    return zero(of: field)
  }

  /// The value of one element that is not there.
  func zero(of field: FieldType) -> Value {
    switch field.kind {
    case .scalar(let scalar): scalar.zero
    case .enumeration(let index):
      if enums[index].fullName == WellKnownType.null {
        .null
      } else {
        enums[index].nameByNumber[enums[index].first].map { .string($0) } ?? .integer(0)
      }
    case .message(let index): emptyValue(of: index)
    }
  }

  /// A message without any field.
  func emptyValue(of index: Int) -> Value {
    let empty = try? MessageDecoder(pool: self, showsDefaults: true).decode(
      [], 0..<0, as: index, depth: 0)
    return empty ?? .map([:])
  }
}
