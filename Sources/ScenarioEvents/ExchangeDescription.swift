public import ScenarioModel

/// A request and its answer, secrets taken out.
public struct ExchangeDescription: Sendable, Hashable, Codable {
  /// One header.
  public struct Header: Sendable, Hashable, Codable {
    /// The name as sent.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a header.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// One of the two messages.
  public struct Message: Sendable, Hashable, Codable {
    /// The headers in order.
    public var headers: [Header]
    /// The beginning of the body: text, or Base64 where it is none.
    public var body: String
    /// Whether `body` is Base64.
    public var isBase64: Bool
    /// The body's whole length in bytes.
    public var bodyLength: Int

    /// Creates a message.
    public init(headers: [Header], body: String, isBase64: Bool, bodyLength: Int) {
      self.headers = headers
      self.body = body
      self.isBase64 = isBase64
      self.bodyLength = bodyLength
    }
  }

  /// The method.
  public var method: String
  /// The whole URL.
  public var url: String
  /// What was sent.
  public var request: Message
  /// The status.
  public var status: Int
  /// What was answered.
  public var response: Message
  /// The wall clock when the request was complete: the scenario's, where it has one.
  public var startedAt: WallInstant
  /// How long the answer was held back, in virtual time.
  public var delay: Nanoseconds

  /// Creates a description.
  public init(
    method: String, url: String, request: Message, status: Int, response: Message,
    startedAt: WallInstant, delay: Nanoseconds
  ) {
    self.method = method
    self.url = url
    self.request = request
    self.status = status
    self.response = response
    self.startedAt = startedAt
    self.delay = delay
  }
}
