package import Foundations
internal import OrderedCollections

/// A place in a message, for whoever walks along data that describes one.
package struct MessagePlace: Sendable {
  private enum Kind: Sendable {
    case message(Int)
    /// All of a field: a list or a map, if it is one.
    case field(FieldType)
    /// One element of a list, or one value of a map.
    case element(FieldType)
    /// Within what may be anything.
    case free
  }

  private let pool: DescriptorPool
  private let kind: Kind

  private init(_ pool: DescriptorPool, _ kind: Kind) {
    self.pool = pool
    self.kind = kind
  }

  /// The place of a whole message.
  package init(_ message: MessageReference, in pool: DescriptorPool) {
    self.init(pool, .message(message.index))
  }

  /// The message at the place, if it has fields that JSON shows as such.
  private var plainMessage: Int? {
    switch kind {
    case .message(let index): pool.messages[index].wellKnown == nil ? index : nil
    case .field(let field) where !field.isRepeated, .element(let field):
      if case .message(let index) = field.kind, pool.messages[index].wellKnown == nil {
        index
      } else {
        nil
      }
    case .field, .free: nil
    }
  }

  /// True if the place is that of a list.
  package var isList: Bool {
    if case .field(let field) = kind { field.isRepeated && !field.isMap } else { false }
  }

  /// True if a map at this place names fields of a message.
  package var hasFields: Bool { plainMessage != nil }

  /// The place below a key, and the key as JSON has it.
  ///
  /// - Throws: If the message has no such field.
  package func below(_ key: String) throws(MessageProblem) -> (key: String, place: MessagePlace) {
    if let index = plainMessage {
      let type = pool.messages[index]
      guard let place = type.placeByName[key] else { throw type.unknown(key) }
      let field = type.fields[place]
      return (field.key, MessagePlace(pool, .field(field)))
    }
    if case .field(let field) = kind, let value = value(ofMap: field) {
      return (key, MessagePlace(pool, .element(value)))
    }
    return (key, MessagePlace(pool, .free))
  }

  private func value(ofMap field: FieldType) -> FieldType? {
    guard field.isMap, case .message(let index) = field.kind,
      pool.messages[index].fields.count == 2
    else { return nil }
    return pool.messages[index].fields[1]
  }

  /// Checks that the keys of a map can stand beside each other: none names a field again, or another one of its oneof.
  ///
  /// - Throws: If two keys cannot.
  package func check(_ keys: [String]) throws(MessageProblem) {
    guard let index = plainMessage else { return }
    let type = pool.messages[index]
    // Which value they have does not matter, nor do keys that are reported anyway.
    let members = keys.filter { type.placeByName[$0] != nil }.map { ($0, Value.bool(true)) }
    _ = try type.places(of: OrderedDictionary(uniqueKeysWithValues: members), isPart: true)
  }

  /// The place of each element of a list, or of each value of a map.
  package var element: MessagePlace {
    guard case .field(let field) = kind else { return MessagePlace(pool, .free) }
    if let value = value(ofMap: field) { return MessagePlace(pool, .element(value)) }
    return MessagePlace(pool, field.isRepeated ? .element(field) : .free)
  }

  /// The fields that have a default where nothing is said of them, with that.
  package var defaults: [(key: String, value: Value)] {
    guard let index = plainMessage else { return [] }
    return pool.messages[index].fields.filter { !$0.hasPresence && !$0.isExtension }.map {
      ($0.key, pool.defaultValue(of: $0))
    }
  }

  /// The form that a value at this place has when a message is read.
  ///
  /// - Parameter isWhole: whether the value is all of what is there, so that what it does not name has its default.
  package func normalized(_ value: Value, isWhole: Bool) throws(MessageProblem) -> Value {
    let normalizer = MessageNormalizer(pool: pool, fillsDefaults: isWhole)
    switch kind {
    case .message(let index): return try normalizer.normalize(value, as: index, depth: 0)
    case .element(let field): return try normalizer.element(value, of: field, 0)
    case .field(let field): return try normalizer.normalize(value, of: field, 0) ?? .null
    case .free: return value
    }
  }
}
