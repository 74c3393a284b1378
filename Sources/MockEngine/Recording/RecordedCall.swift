internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// The messages of a call of gRPC, in the order in which they came.
package struct RecordedCall: Sendable, Hashable {
  /// A message or an end of one side.
  package enum Turn: Sendable, Hashable {
    /// The client sent a message.
    case client([UInt8])
    /// The client said that it has no more messages.
    case clientEnd
    /// The host sent a message.
    case host([UInt8])
  }

  /// The messages of both sides, in order.
  package var turns: [Turn]

  /// Creates a record.
  package init(turns: [Turn] = []) {
    self.turns = turns
  }

  /// True if the host spoke before the client had said everything.
  var isConversation: Bool {
    guard let firstOfHost = turns.firstIndex(where: { if case .host = $0 { true } else { false } })
    else { return false }
    return turns[firstOfHost...].contains { turn in
      if case .host = turn { false } else { true }
    }
  }

  /// The messages as the language writes them.
  var messages: [Value] {
    let isConversation = isConversation
    return turns.compactMap { turn in
      switch turn {
      case .host(let bytes): Self.piece(bytes)
      case .client(let bytes) where isConversation: .map(["expect": Self.piece(bytes)])
      case .clientEnd where isConversation: .map(["expect": .string("end")])
      case .client, .clientEnd: nil
      }
    }
  }

  private static func piece(_ bytes: [UInt8]) -> Value {
    .map(["base64": .string(Base64.encoded(bytes))])
  }
}

extension RecordedReply {
  /// True if it is one of gRPC whose messages are known.
  var isCall: Bool { call != nil && status == 200 }

  /// The fields with the status of a call: behind the messages, or in their place.
  private var statusFields: [IncomingRequest.Header] {
    trailers.isEmpty ? headers : trailers
  }

  /// The value behind `grpc:`.
  var callValue: Value {
    var members: OrderedDictionary<String, Value> = [:]
    let messages = call?.messages ?? []
    if !messages.isEmpty { members["messages"] = .list(messages) }
    let number = field("grpc-status").flatMap { Int($0) } ?? 0
    if number != 0 {
      let name = GRPCStatus.allCases.first { $0.number == number }?.rawValue
      members["status"] = name.map { .string($0) } ?? .integer(Int64(number))
    }
    if let error = field("grpc-message"), !error.isEmpty {
      members["error"] = .string(PercentEncoding.decoded(error[...], plusIsSpace: false))
    }
    return .map(members)
  }

  private func field(_ name: String) -> String? {
    statusFields.first { $0.name.lowercased() == name }?.value
  }

  /// Returns whether the reply says it itself.
  static func isOfCall(_ header: IncomingRequest.Header) -> Bool {
    ["grpc-status", "grpc-message", "grpc-accept-encoding", "grpc-encoding"]
      .contains(header.name.lowercased())
  }
}

extension RecordedExchange {
  /// True if it is a call of gRPC whose client says everything before the host says anything.
  var isPlainCall: Bool {
    guard case .reply(let reply) = outcome, let call = reply.call else { return false }
    return !call.isConversation
  }
}
