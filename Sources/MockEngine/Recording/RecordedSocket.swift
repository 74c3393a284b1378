package import Foundations
internal import OrderedCollections

/// A WebSocket between the client and a real host.
package struct RecordedSocket: Sendable, Hashable {
  /// The most that is kept of all messages together, in bytes.
  package static let maximumKept = 64 << 20

  /// A message or an end of one side.
  package enum Turn: Sendable, Hashable {
    /// The client sent text.
    case clientText(String)
    /// The client sent bytes.
    case clientBytes([UInt8])
    /// The host sent text.
    case hostText(String)
    /// The host sent bytes.
    case hostBytes([UInt8])
    /// The host sent a ping.
    case hostPing(String)
    /// The host sent a close frame first; 1005 is no code.
    case hostClosed(code: Int, reason: String)
    /// The host left without a word.
    case hostLeft(ConnectionEnding)
  }

  /// The host's header fields in order, as far as they are no part of the handshake.
  package var headers: [IncomingRequest.Header]
  /// The messages and the end, in order.
  package var turns: [Turn]
  /// True if there was more than is kept.
  package var isCut: Bool

  /// Creates a record.
  package init(headers: [IncomingRequest.Header], turns: [Turn] = [], isCut: Bool = false) {
    self.headers = headers.filter { header in
      !["connection", "sec-websocket-accept", "sec-websocket-extensions", "upgrade"]
        .contains(header.name.lowercased())
    }
    self.turns = turns
    self.isCut = isCut
  }
}

extension RecordedSocket {
  /// The steps of a script that does the same.
  ///
  /// - Parameter redaction: what is to be hidden.
  func steps(_ redaction: Redaction) -> [Value] {
    let steps = turns.map { $0.step(redaction) }
    switch turns.last {
    case .hostClosed, .hostLeft: return steps
    default: return steps + [.map(["expect": .string("end")])]
    }
  }
}

extension RecordedSocket.Turn {
  /// The step of a script that does the same.
  ///
  /// - Parameter redaction: what is to be hidden.
  func step(_ redaction: Redaction) -> Value {
    switch self {
    case .clientText(let text): .map(["expect": Self.condition(text, redaction)])
    case .clientBytes(let bytes): .map(["expect": .map(["base64": .string(Base64.encoded(bytes))])])
    case .hostText(let text): .map(["send": Self.message(text, redaction)])
    case .hostBytes(let bytes): .map(["send": .map(["base64": .string(Base64.encoded(bytes))])])
    case .hostPing(let text): .map(["ping": .string(text)])
    case .hostClosed(let code, let reason) where reason.isEmpty:
      .map(["close": .integer(Int64(code))])
    case .hostClosed(let code, let reason):
      .map(["close": .map(["code": .integer(Int64(code)), "reason": .string(reason)])])
    case .hostLeft(let ending): .map(["close": .string(ending.rawValue)])
    }
  }

  /// The condition on a client's message: JSON where the secrets in it may be others next time.
  private static func condition(_ text: String, _ redaction: Redaction) -> Value {
    guard let value = RecordableBody.container(text) else { return plain(text, redaction) }
    do {
      return .map(
        ["json": .map(try redaction.conditionsBesideSecrets(of: value) ?? ["equals": value])])
    } catch {
      return .map(["json": .map(["$": .map(["exists": .bool(true)])])])
    }
  }

  /// The condition on a client's message that is no JSON.
  private static func plain(_ text: String, _ redaction: Redaction) -> Value {
    guard let parts = redaction.partsBetweenSecrets(of: text) else {
      return .map(text.isEmpty ? ["empty": .bool(true)] : text.asExactCondition)
    }
    return .map(Redaction.condition(parts))
  }

  /// The host's message, to the byte, but for its secrets.
  private static func message(_ text: String, _ redaction: Redaction) -> Value {
    guard let value = RecordableBody.container(text) else { return .map(["text": .string(text)]) }
    let shown = redaction.value(value)
    if shown != value || value.jsonText() == text { return .map(["json": shown]) }
    return .map(["text": .string(text)])
  }
}

extension RecordableBody {
  /// A text that is a JSON map or list which the language can write.
  fileprivate static func container(_ text: String) -> Value? {
    guard case .json(let value) = RecordableBody(Array(text.utf8), mediaType: nil) else {
      return nil
    }
    switch value {
    case .map, .list: return value
    default: return nil
    }
  }
}
