internal import Foundations
internal import OrderedCollections
internal import Patterns

/// A request as a line of JSON, for a program that answers it.
package struct ProgramQuestion: Sendable {
  private let request: IncomingRequest
  private let count: Int

  /// Creates a question about a request.
  ///
  /// - Parameter count: which of the entry's requests it is, from 1.
  package init(_ request: IncomingRequest, count: Int) {
    self.request = request
    self.count = count
  }

  /// True if the body is too long to be kept.
  package var isTruncated: Bool { request.bodyLength > request.body.count }

  /// The length of the whole body in bytes.
  package var bodyLength: Int { request.bodyLength }

  /// The line, without its end.
  package var line: String {
    var headers: OrderedDictionary<String, Value> = [:]
    for header in request.headers {
      let name = header.name.lowercased()
      if case .string(let before)? = headers[name] {
        headers[name] = .string("\(before), \(header.value)")
      } else {
        headers[name] = .string(header.value)
      }
    }
    var members: OrderedDictionary<String, Value> = [
      "count": .integer(Int64(count)), "method": .string(request.method),
      "url": .string(request.target.text), "headers": .map(headers),
    ]
    if let text = String(validating: request.body, as: UTF8.self) {
      members["text"] = .string(text)
    } else {
      members["base64"] = .string(Base64.encoded(request.body))
    }
    return Value.map(members).jsonText()
  }
}
