package import Foundations

extension Redaction {
  /// Returns whether bytes that are no text hold a secret: the body of a reply, or a message of a conversation.
  func hidesBytes(in outcome: RecordedExchange.Outcome) -> Bool {
    switch outcome {
    case .fault: false
    case .socket(let socket):
      socket.turns.contains { turn in
        switch turn {
        case .clientBytes(let bytes): holdsSecret(bytes)
        case .hostBytes(let bytes): holdsSecretValue(bytes)
        default: false
        }
      }
    case .reply(let reply):
      if let call = reply.call {
        call.turns.contains { turn in
          switch turn {
          case .client(let bytes): call.isConversation && holdsSecret(bytes)
          case .host(let bytes): holdsSecretValue(bytes)
          case .clientEnd: false
          }
        }
      } else {
        // A body that is text is recorded without its secrets.
        String(validating: reply.body, as: UTF8.self) == nil && holdsSecretValue(reply.body)
      }
    }
  }
}

extension Recording {
  /// Removes the values of secrets, wherever they occur: those behind the usual names are hidden
  /// already.
  ///
  /// YAML reads `*` as the beginning of an alias, so that a word takes their place.
  package mutating func redact(_ redactor: SecretRedactor) {
    guard !redactor.isEmpty else { return }
    text = redactor.redacted(text, placeholder: Redaction.placeholder)
    for index in bodies.indices {
      guard let body = String(validating: bodies[index].bytes, as: UTF8.self) else { continue }
      bodies[index].bytes = Array(
        redactor.redacted(body, placeholder: Redaction.placeholder).utf8)
    }
  }
}
