package import Foundations
internal import OrderedCollections

/// The answer of a program to a request: a line of JSON with `status`, `headers`, one of `text`, `json` and `base64`, and
/// `after`, each of which may be missing.
package struct ProgramAnswer: Sendable, Hashable {
  /// The content of a reply.
  package enum Body: Sendable, Hashable {
    /// A text.
    case text(String)
    /// JSON.
    case json(String)
    /// Bytes of any kind.
    case bytes([UInt8])
  }

  /// The status, from 200 to 599.
  package let status: Int
  /// The header fields, in order.
  package let headers: [IncomingRequest.Header]
  /// The body; `nil` for none.
  package let body: Body?
  /// The virtual time that it is held back.
  package let delay: Nanoseconds

  /// The reason why a line is no answer.
  package struct Mistake: Error {
    /// The message, in words behind the handler's name.
    package let message: String
  }

  private static let keys: Set<String> = ["after", "base64", "headers", "json", "status", "text"]

  /// Reads a line.
  ///
  /// - Throws: `Mistake` if it is no answer.
  package init(_ line: String) throws(Mistake) {
    let value: Value
    do {
      value = try JSONText.parse(line)
    } catch {
      throw Mistake(message: "the line is no JSON: \(error.message): \(line.excerpt(limit: 200))")
    }
    guard case .map(let members) = value else {
      throw Mistake(message: "the line is no JSON object: \(line.excerpt(limit: 200))")
    }
    if let key = members.keys.first(where: { !Self.keys.contains($0) }) {
      throw Mistake(
        message: "unknown key \"\(key)\"; it may have \(Self.keys.sorted().joined(separator: ", "))"
      )
    }
    status = try Self.status(members["status"])
    headers = try Self.headers(members["headers"])
    body = try Self.body(members)
    delay = try Self.delay(members["after"])
  }

  private static func status(_ value: Value?) throws(Mistake) -> Int {
    guard let value else { return 200 }
    guard case .integer(let status) = value, 200...599 ~= status else {
      throw Mistake(message: "\"status\" is no number from 200 to 599: \(value.excerpt())")
    }
    return Int(status)
  }

  private static func headers(_ value: Value?) throws(Mistake) -> [IncomingRequest.Header] {
    var headers: [IncomingRequest.Header] = []
    guard let value else { return headers }
    guard case .map(let members) = value else {
      throw Mistake(message: "\"headers\" is no object: \(value.excerpt())")
    }
    for (name, value) in members {
      guard HeaderField.isName(name) else {
        throw Mistake(message: "\"\(name)\" is no name of a header")
      }
      let values = if case .list(let all) = value { all } else { [value] }
      for value in values {
        guard let text = value.textForm, HeaderField.isValue(text) else {
          throw Mistake(
            message: "the header \"\(name)\" is no text of one line: \(value.excerpt())")
        }
        headers.append(IncomingRequest.Header(name: name, value: text))
      }
    }
    return headers
  }

  private static func body(
    _ members: some Sequence<(key: String, value: Value)>
  ) throws(Mistake) -> Body? {
    let bodies = members.filter { ["base64", "json", "text"].contains($0.key) }
    guard let body = bodies.first else { return nil }
    guard bodies.count == 1 else {
      throw Mistake(message: "it has \"\(body.key)\" and \"\(bodies[1].key)\": one is the body")
    }
    switch (body.key, body.value) {
    case ("json", let value):
      return .json(value.jsonText())
    case ("text", .string(let text)): return .text(text)
    case ("base64", .string(let text)):
      guard let bytes = Base64.decoded(text) else {
        throw Mistake(message: "\"base64\" is no Base64: \(text.excerpt(limit: 80))")
      }
      return .bytes(bytes)
    case (let key, let value):
      throw Mistake(message: "\"\(key)\" is no text: \(value.excerpt())")
    }
  }

  private static func delay(_ value: Value?) throws(Mistake) -> Nanoseconds {
    guard let value else { return .zero }
    guard case .string(let text) = value, let delay = try? Nanoseconds(text: text), delay >= .zero
    else { throw Mistake(message: "\"after\" is no duration such as \"2s\": \(value.excerpt())") }
    return delay
  }
}
