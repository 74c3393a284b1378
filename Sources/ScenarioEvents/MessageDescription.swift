package import Foundations

/// A message of a WebSocket or of a call of gRPC, or a piece of a body that comes in pieces, secrets taken out.
package struct MessageDescription: Sendable, Hashable, Codable {
  /// The number of the request that it belongs to (`RequestDescription.number`).
  package var request: Int
  /// True if the target sent it.
  package var isFromTarget: Bool
  /// Its beginning: text, or Base64 where it is none.
  package var text: String
  /// True if `text` is Base64.
  package var isBase64: Bool
  /// Its whole length in bytes.
  package var byteCount: Int
  /// Virtual time since the scenario's start.
  package var time: Nanoseconds

  /// Creates a description.
  package init(
    request: Int, isFromTarget: Bool, text: String, isBase64: Bool, byteCount: Int,
    time: Nanoseconds
  ) {
    self.request = request
    self.isFromTarget = isFromTarget
    self.text = text
    self.isBase64 = isBase64
    self.byteCount = byteCount
    self.time = time
  }
}
