internal import Foundations
internal import ScenarioEvents

/// The requests of one attempt and their answers, with headers and the beginnings of bodies.
struct PageExchanges {
  /// The maximum number of bytes of each body that are kept.
  static let bodyLimit = 64 << 10
  /// The maximum number of bytes of all messages that are kept of an attempt, and of one that passed.
  static let limit = 2 << 20
  static let passedLimit = 256 << 10
  /// The maximum number of headers of a message that are kept, and of bytes of a value.
  private static let headerLimit = 200
  private static let valueLimit = 4_000

  private var exchanges: [(json: String, size: Int)] = []
  private var size = 0

  /// Adds one, as long as there is room.
  mutating func add(_ exchange: ExchangeDescription) {
    guard size < Self.limit else { return }
    let json = Self.json(exchange)
    exchanges.append((json, json.utf8.count))
    size += json.utf8.count
  }

  /// Those that have room, as a JSON list; `nil` for none.
  func json(hasPassed: Bool) -> String? {
    guard !exchanges.isEmpty else { return nil }
    var room = hasPassed ? Self.passedLimit : Self.limit
    return PageJSON.list(
      exchanges.prefix { exchange in
        defer { room -= exchange.size }
        return room > 0
      }.map(\.json))
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
