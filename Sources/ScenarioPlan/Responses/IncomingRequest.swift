public import ScenarioModel

/// A request as the stand-in received it, read as far as matching needs.
public struct IncomingRequest: Sendable {
  /// One header field.
  public struct Header: Sendable, Hashable {
    /// The name as sent.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, in capitals.
  public let method: String
  /// Where it goes.
  public let target: RequestTarget
  /// The header fields in order.
  public let headers: [Header]
  /// The body.
  public let body: [UInt8]
  /// The body read as JSON; `nil` if it is empty or no JSON.
  public let json: Value?
  /// Why the body is no JSON; `nil` if it is, or if there is none.
  public let jsonError: JSONParseError?
  /// The GraphQL part; `nil` if the request carries none.
  public let graphQL: GraphQLRequest?
  /// The fields of a form; `nil` if the body is none.
  public let form: [URLPattern.QueryItem]?
  /// The parts of a multipart body; `nil` if the body is none.
  public let parts: [MultipartPart]?
  /// The program that sends it, if it is known.
  public var process: RequestProcess?
  /// Virtual time since the scenario's start when it was complete.
  public var time = Nanoseconds.zero

  /// Reads a request; the body is parsed once, here.
  public init(method: String, target: RequestTarget, headers: [Header], body: [UInt8]) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    var json: Value?
    var jsonError: JSONParseError?
    if !body.isEmpty {
      do throws(JSONParseError) {
        json = try JSONText.parse(utf8: body)
      } catch {
        jsonError = error
      }
    }
    self.json = json
    self.jsonError = jsonError
    graphQL = GraphQLRequest(method: method, target: target, json: json)
    let contentType = headers.first { $0.name.lowercased() == "content-type" }?.value
    form = RequestForms.fields(contentType: contentType, body)
    parts = RequestForms.parts(contentType: contentType, body)
  }

  /// The cookies, in order.
  public var cookies: [URLPattern.QueryItem] {
    RequestForms.cookies(values(ofHeader: "cookie"))
  }

  /// The values of a header, one for each field, in order.
  public func values(ofHeader name: String) -> [String] {
    let lowercased = name.lowercased()
    return headers.filter { $0.name.lowercased() == lowercased }.map(\.value)
  }

  /// The name of the GraphQL operation that runs, if there is one.
  public var operationName: String? {
    graphQL.flatMap { $0.operation?.name ?? $0.operationName }
  }

  /// The values of a header joined by commas (RFC 9110, section 5.3); `nil` if it is not there.
  public func header(_ name: String) -> String? {
    let values = values(ofHeader: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The body as text, invalid UTF-8 repaired.
  public var text: String {
    String(decoding: body, as: UTF8.self)
  }
}
