internal import Foundations
internal import OrderedCollections

/// Gives values of JSON the form in which messages are read.
struct MessageNormalizer {
  let pool: DescriptorPool
  let fillsDefaults: Bool

  func normalize(_ value: Value, as index: Int, depth: Int) throws(MessageProblem) -> Value {
    let type = pool.messages[index]
    guard depth <= ProtoLimits.depth else {
      throw MessageProblem(
        "messages are nested more than \(ProtoLimits.depth) deep", help: "write a flatter one")
    }
    switch type.wellKnown {
    case .structure?, .value?, .list?: return value
    case .any? where !fillsDefaults: return value
    case .some:
      let bytes = try MessageEncoder(pool: pool).encode(value, as: index, depth: depth)
      let decoder = MessageDecoder(pool: pool, showsDefaults: true)
      let form = try? decoder.decode(bytes, 0..<bytes.count, as: index, depth: depth)
      return form ?? value
    case nil: break
    }
    guard case .map(let members) = value else {
      throw MessageProblem(
        "expected a \(type.fullName), got \(value.excerpt())", help: "write a map of its fields")
    }
    var found: [Int: Value] = [:]
    for (key, place) in try type.places(of: members, isPart: !fillsDefaults) {
      guard let member = members[key] else { continue }
      do throws(MessageProblem) {
        found[place] = try normalize(member, of: type.fields[place], depth)
      } catch {
        throw error.below(.key(key))
      }
    }
    var result: OrderedDictionary<String, Value> = [:]
    for (place, field) in type.fields.enumerated() {
      if let value = found[place] {
        result[field.key] = value
      } else if fillsDefaults, !field.hasPresence, !field.isExtension {
        result[field.key] = pool.defaultValue(of: field)
      }
    }
    return .map(result)
  }

  /// A field's value; `nil` for null, which stands for what is not there.
  func normalize(
    _ value: Value, of field: FieldType, _ depth: Int
  ) throws(MessageProblem) -> Value? {
    if value == .null, !pool.allowsNull(field) { return nil }
    if field.isMap, case .message(let index) = field.kind {
      guard case .map(let members) = value, pool.messages[index].fields.count == 2 else {
        throw MessageProblem(
          "expected a map, got \(value.excerpt())", help: "\"\(field.name)\" is a map: write { … }")
      }
      let (keyField, valueField) = (pool.messages[index].fields[0], pool.messages[index].fields[1])
      var result: OrderedDictionary<String, Value> = [:]
      for (key, member) in members {
        do throws(MessageProblem) {
          _ = try element(MessageEncoder.keyValue(key, keyField), of: keyField, depth)
          result[key] = try element(member, of: valueField, depth)
        } catch {
          throw error.below(.key(key))
        }
      }
      return .map(result)
    }
    guard field.isRepeated else { return try element(value, of: field, depth) }
    guard case .list(let elements) = value else {
      throw MessageProblem(
        "expected a list, got \(value.excerpt())",
        help: "\"\(field.name)\" is repeated: write [ … ]")
    }
    var result: [Value] = []
    for (index, element) in elements.enumerated() {
      do throws(MessageProblem) {
        result.append(try self.element(element, of: field, depth))
      } catch {
        throw error.below(.index(index))
      }
    }
    return .list(result)
  }

  /// One value of a field.
  func element(_ value: Value, of field: FieldType, _ depth: Int) throws(MessageProblem) -> Value {
    switch field.kind {
    case .message(let index): return try normalize(value, as: index, depth: depth + 1)
    case .enumeration(let index):
      let type = pool.enums[index]
      let number = try type.number(of: value)
      if type.fullName == WellKnownType.null { return .null }
      return type.nameByNumber[number].map { .string($0) } ?? .integer(Int64(number))
    case .scalar(let scalar):
      let wire = try scalar.scalar(from: value)
      if case .bytes(let bytes) = wire {
        return scalar == .bytes ? .string(Base64.encoded(bytes)) : value
      }
      var writer = WireWriter()
      wire.write(to: &writer)
      var reader = WireReader(writer.bytes, 0..<writer.bytes.count)
      return (try? scalar.read(&reader)) ?? value
    }
  }
}
