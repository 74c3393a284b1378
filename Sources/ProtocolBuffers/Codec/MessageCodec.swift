package import Foundations
internal import OrderedCollections

/// Translates messages between their bytes and the canonical form in JSON (protobuf.dev, "ProtoJSON Format").
package struct MessageCodec: Sendable {
  let pool: DescriptorPool

  /// Creates a codec for the messages of a pool.
  package init(_ pool: DescriptorPool) {
    self.pool = pool
  }

  /// Reads a message.
  ///
  /// Fields that the message does not have are passed over, as every reader of Protocol Buffers does. What is not there
  /// has its default, where a reader could not tell the two apart, if `showsDefaults`.
  package func decode(
    _ bytes: [UInt8], as message: MessageReference, showsDefaults: Bool = true
  ) throws(WireProblem) -> Value {
    let decoder = MessageDecoder(pool: pool, showsDefaults: showsDefaults)
    return try decoder.decode(bytes, 0..<bytes.count, as: message.index, depth: 0)
  }

  /// Writes a message: fields in the order of their numbers, the same bytes for the same value.
  package func encode(
    _ value: Value, as message: MessageReference
  ) throws(MessageProblem) -> [UInt8] {
    try MessageEncoder(pool: pool).encode(value, as: message.index, depth: 0)
  }

  /// The form that `decode` gives to a message that a value describes.
  ///
  /// - Parameter fillsDefaults: Whether all of the message is meant, so that what is not there has its default.
  package func normalized(
    _ value: Value, as message: MessageReference, fillsDefaults: Bool
  ) throws(MessageProblem) -> Value {
    try MessageNormalizer(pool: pool, fillsDefaults: fillsDefaults).normalize(
      value, as: message.index, depth: 0)
  }
}

/// The reason why a value describes no message.
package struct MessageProblem: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  package var message: String
  /// What to do.
  package var help: String
  /// The place in the value.
  package var path: [PathStep] = []
  /// True if the key at the place is wrong, and not what stands behind it.
  package var isKey = false

  init(_ message: String, help: String, isKey: Bool = false) {
    self.message = message
    self.help = help
    self.isKey = isKey
  }

  /// The problem as one of what is around.
  func below(_ step: PathStep) -> MessageProblem {
    var problem = self
    problem.path.insert(step, at: 0)
    return problem
  }
}
