internal import Foundations
internal import OrderedCollections

extension MessageEncoder {
  /// A message that has a form of its own in JSON.
  func wellKnown(
    _ known: WellKnownType, _ value: Value, _ type: MessageType, _ depth: Int
  ) throws(MessageProblem) -> [UInt8] {
    switch known {
    case .timestamp:
      let (seconds, nanoseconds) = try WellKnownForms.timestamp(of: value)
      return time(seconds, nanoseconds)
    case .duration:
      let (seconds, nanoseconds) = try WellKnownForms.duration(of: value)
      return time(seconds, nanoseconds)
    case .fieldMask:
      var writer = WireWriter()
      for path in try WellKnownForms.paths(ofFieldMask: value) {
        writer.tag(1, .length)
        writer.delimited(Array(path.utf8))
      }
      return writer.bytes
    case .structure: return try structure(value, depth)
    case .list: return try list(value, depth)
    case .value: return try anyValue(value, depth)
    case .any: return try any(value, depth)
    default:
      var writer = WireWriter()
      let scalar = try scalar(value, of: type.fields[0])
      if !scalar.isDefault {
        writer.tag(1, scalar.type)
        scalar.write(to: &writer)
      }
      return writer.bytes
    }
  }

  private func time(_ seconds: Int64, _ nanoseconds: Int64) -> [UInt8] {
    var writer = WireWriter()
    for (number, count) in [(1, seconds), (2, nanoseconds)] where count != 0 {
      writer.tag(number, .varint)
      writer.varint(UInt64(bitPattern: count))
    }
    return writer.bytes
  }

  // MARK: - Values of any kind

  private func checkDepth(_ depth: Int) throws(MessageProblem) {
    guard depth <= ProtoLimits.depth else {
      throw MessageProblem(
        "values are nested more than \(ProtoLimits.depth) deep", help: "write a flatter one")
    }
  }

  private func structure(_ value: Value, _ depth: Int) throws(MessageProblem) -> [UInt8] {
    guard case .map(let members) = value else {
      throw MessageProblem("expected a map, got \(value.excerpt())", help: "write { … }")
    }
    try checkDepth(depth)
    var writer = WireWriter()
    for (key, member) in members {
      var entry = WireWriter()
      entry.tag(1, .length)
      entry.delimited(Array(key.utf8))
      entry.tag(2, .length)
      do throws(MessageProblem) {
        entry.delimited(try anyValue(member, depth + 1))
      } catch {
        throw error.below(.key(key))
      }
      writer.tag(1, .length)
      writer.delimited(entry.bytes)
    }
    return writer.bytes
  }

  private func list(_ value: Value, _ depth: Int) throws(MessageProblem) -> [UInt8] {
    guard case .list(let elements) = value else {
      throw MessageProblem("expected a list, got \(value.excerpt())", help: "write [ … ]")
    }
    try checkDepth(depth)
    var writer = WireWriter()
    for (index, element) in elements.enumerated() {
      writer.tag(1, .length)
      do throws(MessageProblem) {
        writer.delimited(try anyValue(element, depth + 1))
      } catch {
        throw error.below(.index(index))
      }
    }
    return writer.bytes
  }

  private func anyValue(_ value: Value, _ depth: Int) throws(MessageProblem) -> [UInt8] {
    var writer = WireWriter()
    switch value {
    case .null:
      writer.tag(1, .varint)
      writer.varint(0)
    case .integer(let integer):
      writer.tag(2, .fixed64)
      writer.fixed(Double(integer).bitPattern, 8)
    case .number(let number):
      writer.tag(2, .fixed64)
      writer.fixed(number.bitPattern, 8)
    case .string(let text):
      writer.tag(3, .length)
      writer.delimited(Array(text.utf8))
    case .bool(let truth):
      writer.tag(4, .varint)
      writer.varint(truth ? 1 : 0)
    case .map:
      writer.tag(5, .length)
      writer.delimited(try structure(value, depth + 1))
    case .list:
      writer.tag(6, .length)
      writer.delimited(try list(value, depth + 1))
    }
    return writer.bytes
  }

  // MARK: - Any

  private func any(_ value: Value, _ depth: Int) throws(MessageProblem) -> [UInt8] {
    guard case .map(var members) = value else {
      throw MessageProblem(
        "expected a message with its type, got \(value.excerpt())",
        help: "write { \"@type\": type.googleapis.com/NAME, … }")
    }
    if members.isEmpty { return [] }
    let (url, index) = try pool.type(ofAny: members)
    members["@type"] = nil
    let content: [UInt8]
    if pool.messages[index].wellKnown == nil {
      content = try encode(.map(members), as: index, depth: depth + 1)
    } else {
      guard let inner = members["value"], members.count == 1 else {
        throw MessageProblem(
          "\(pool.messages[index].fullName) stands in \"value\"",
          help: "write \"value\" beside \"@type\", and nothing else")
      }
      do throws(MessageProblem) {
        content = try encode(inner, as: index, depth: depth + 1)
      } catch {
        throw error.below(.key("value"))
      }
    }
    var writer = WireWriter()
    writer.tag(1, .length)
    writer.delimited(Array(url.utf8))
    if !content.isEmpty {
      writer.tag(2, .length)
      writer.delimited(content)
    }
    return writer.bytes
  }
}

extension DescriptorPool {
  /// The type that the members of an `Any` name, with its address.
  func type(
    ofAny members: OrderedDictionary<String, Value>
  ) throws(MessageProblem) -> (url: String, index: Int) {
    guard case .string(let url)? = members["@type"] else {
      throw MessageProblem(
        "the message has no \"@type\"",
        help: "add \"@type\": type.googleapis.com/NAME")
    }
    let name = url.split(separator: "/").last.map(String.init) ?? url
    guard url.contains("/"), let index = messageIndices[name] else {
      throw MessageProblem(
        "\"\(url)\" names no message of the files",
        help: "write type.googleapis.com/NAME; "
          + Suggestion.help(
            for: name, in: messages.filter { !$0.isMapEntry }.map(\.fullName), label: "messages")
      ).below(.key("@type"))
    }
    return (url, index)
  }
}
