package import Foundations

/// A request and its answer, secrets taken out.
package struct ExchangeDescription: Sendable, Hashable, Codable {
  /// One header.
  package struct Header: Sendable, Hashable, Codable {
    /// The name as sent.
    package var name: String
    /// The value.
    package var value: String

    /// Creates a header.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// One of the two messages.
  package struct Message: Sendable, Hashable, Codable {
    /// The headers in order.
    package var headers: [Header]
    /// The beginning of the body: text, or Base64 where it is none.
    package var body: String
    /// True if `body` is Base64.
    package var isBase64: Bool
    /// The body's whole length in bytes.
    package var bodyLength: Int

    /// Creates a message.
    package init(headers: [Header], body: String, isBase64: Bool, bodyLength: Int) {
      self.headers = headers
      self.body = body
      self.isBase64 = isBase64
      self.bodyLength = bodyLength
    }
  }

  /// The number of the request (`RequestDescription.number`); `nil` if that is not known.
  package var number: Int?
  /// The method.
  package var method: String
  /// The whole URL.
  package var url: String
  /// The request.
  package var request: Message
  /// The status.
  package var status: Int
  /// The reply.
  package var response: Message
  /// The wall clock when the request was complete: the scenario's, where it has one.
  package var startedAt: WallInstant
  /// The delay of the reply, in virtual time.
  package var delay: Nanoseconds

  /// Creates a description.
  package init(
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
