internal import Foundations
internal import ScenarioEvents

/// The requests of one attempt and their answers, with headers and the beginnings of bodies, and what went over connections
/// piece by piece.
struct PageExchanges {
  /// The maximum number of bytes of each body that are kept.
  static let bodyLimit = 64 << 10
  /// The maximum number of bytes of all messages that are kept of an attempt, and of one that passed.
  static let limit = 2 << 20
  static let passedLimit = 256 << 10
  /// The maximum number of headers of a message that are kept, and of bytes of a value.
  private static let headerLimit = 200
  private static let valueLimit = 4_000

  private var exchanges: [String] = []
  private var messages: [String] = []
  private var exchangesSize = 0
  private var messagesSize = 0

  /// Adds one, as long as there is room.
  mutating func add(_ exchange: ExchangeDescription) {
    Self.add(Self.json(exchange), to: &exchanges, &exchangesSize)
  }

  /// Adds a message, as long as there is room.
  mutating func add(_ message: MessageDescription) {
    Self.add(Self.json(message), to: &messages, &messagesSize)
  }

  private static func add(_ json: String, to list: inout [String], _ size: inout Int) {
    guard size < limit else { return }
    list.append(json)
    size += json.utf8.count
  }

  /// Those that have room, as a JSON list; `nil` for none.
  func json(hasPassed: Bool) -> String? { Self.json(exchanges, hasPassed) }

  /// The messages that have room, likewise.
  func messagesJSON(hasPassed: Bool) -> String? { Self.json(messages, hasPassed) }

  private static func json(_ list: [String], _ hasPassed: Bool) -> String? {
    guard !list.isEmpty else { return nil }
    var room = hasPassed ? passedLimit : limit
    return PageJSON.list(
      Array(
        list.prefix { json in
          defer { room -= json.utf8.count }
          return room > 0
        }))
  }

  private static func json(_ message: MessageDescription) -> String {
    let body = BoundedText(message.text, limit: 2 * bodyLimit)
    return PageJSON.object([
      ("n", "\(message.request)"), ("i", message.isFromTarget ? "true" : nil),
      ("v", "\(message.time.count)"), ("b", PageJSON.text(body.head)),
      ("e", message.isBase64 ? "true" : nil), ("l", "\(message.byteCount)"),
      ("x", body.omitted > 0 || message.byteCount > bodyLimit ? "true" : nil),
    ])
  }

  private static func json(_ exchange: ExchangeDescription) -> String {
    PageJSON.object([
      ("n", exchange.number.map { "\($0)" }), ("m", PageJSON.text(exchange.method)),
      ("u", PageJSON.text(exchange.url, limit: valueLimit)), ("s", "\(exchange.status)"),
      ("d", exchange.delay > .zero ? "\(exchange.delay.count)" : nil),
      ("q", json(exchange.request)), ("a", json(exchange.response)),
    ])
  }

  private static func json(_ message: ExchangeDescription.Message) -> String {
    let body = BoundedText(message.body, limit: 2 * bodyLimit)
    // A text that was made anew, such as JSON without a secret, has another length than the body.
    let isCut =
      body.omitted > 0
      || message.body.utf8.count < message.bodyLength && message.bodyLength > bodyLimit
    return PageJSON.object([
      (
        "h",
        PageJSON.list(
          message.headers.prefix(headerLimit).map {
            PageJSON.list([PageJSON.text($0.name), PageJSON.text($0.value, limit: valueLimit)])
          })
      ),
      ("b", message.body.isEmpty ? nil : PageJSON.text(body.head)),
      ("e", message.isBase64 ? "true" : nil), ("l", "\(message.bodyLength)"),
      ("x", isCut ? "true" : nil),
    ])
  }
}
