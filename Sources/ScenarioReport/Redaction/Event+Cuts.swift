internal import ScenarioEvents

/// Texts of events that are the beginnings of longer ones, without a mark that says so: of a secret that they
/// were cut in, less would be found.
extension Event {
  private static let mark: Unicode.Scalar = "…"

  /// The event with a mark behind such texts, and which of those that may have been cut are marked.
  func markingCuts() -> (event: Event, marks: [Bool]) {
    var marks: [Bool] = []
    let event = changingTexts { text, length in
      let isCut = text.utf8.count < length
      marks.append(isCut)
      return isCut ? text + String(Self.mark) : text
    }
    return (event, marks)
  }

  /// The event without its marks.
  func without(marks: [Bool]) -> Event {
    var rest = marks[...]
    return changingTexts { text, _ in
      guard rest.popFirst() ?? false, text.unicodeScalars.last == Self.mark else { return text }
      return String(text.unicodeScalars.dropLast())
    }
  }

  /// The event with other texts for those that may have been cut, each by itself and its whole length in bytes.
  private func changingTexts(_ change: (_ text: String, _ length: Int) -> String) -> Event {
    var event = self
    switch kind {
    case .outputWritten(var piece):
      piece.text = change(piece.text, piece.byteCount)
      event.kind = .outputWritten(piece)
    case .exchanged(var exchange):
      if !exchange.request.isBase64 {
        exchange.request.body = change(exchange.request.body, exchange.request.bodyLength)
      }
      if !exchange.response.isBase64 {
        exchange.response.body = change(exchange.response.body, exchange.response.bodyLength)
      }
      event.kind = .exchanged(exchange)
    default: break
    }
    return event
  }
}
