package import Foundations
package import GraphQL
package import Patterns

/// A request as the mock server received it, read as far as matching needs.
package struct IncomingRequest: Sendable {
  /// One header field.
  package struct Header: Sendable, Hashable {
    /// The name as sent.
    package var name: String
    /// The value.
    package var value: String

    /// Creates a field.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, in capitals.
  package let method: String
  /// Its target.
  package let target: RequestTarget
  /// The header fields in order.
  package let headers: [Header]
  /// The body, without content codings; the beginning where it is too large to be kept.
  package let body: [UInt8]
  /// The whole body's length in bytes.
  package let bodyLength: Int
  /// The SHA-256 of the whole body in hexadecimal, where only its beginning is kept; `nil` if that is not known.
  package var bodyDigest: String?
  /// `1.0`, `1.1` or `2`.
  package let protocolVersion: String
  /// The number of the HTTP/2 stream; `nil` otherwise.
  package let stream: Int?
  /// The fields behind the body.
  package let trailers: [Header]
  private let reading: BodyReading
  /// The body as XML, as far as an entry asks for it.
  package let xml: XMLBody
  /// The GraphQL request that is matched in place of its own.
  private var carried: GraphQLRequest??
  /// The call of gRPC that it makes, decoded; `nil` if it makes none that the .proto files describe.
  package var call: IncomingCall?
  /// The process that sends it; `nil` if that is not known.
  package var origin: ClientOrigin?
  /// The certificate that the client has presented; `nil` if it was not asked for one, or has none.
  package var clientCertificate: ClientCertificate?
  /// Virtual time since the scenario's start when it was complete.
  package var time = Nanoseconds.zero
  /// The scenario's wall clock when it came; `nil` if that is not known.
  package var instant: WallInstant?
  /// The host whose certificate the client has accepted; `nil` for requests without TLS.
  package var acceptedHost: String?

  /// Creates a request; the body is parsed once for each of its forms, when that is asked for.
  package init(
    method: String, target: RequestTarget, headers: [Header], body: [UInt8],
    bodyLength: Int? = nil, protocolVersion: String = "1.1", stream: Int? = nil,
    trailers: [Header] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.bodyLength = bodyLength ?? body.count
    self.protocolVersion = protocolVersion
    self.stream = stream
    self.trailers = trailers
    xml = XMLBody(body.count == self.bodyLength ? body : [])
    reading = BodyReading(
      body, isWhole: body.count == self.bodyLength, method: method, target: target,
      contentType: headers.first { $0.name.lowercased() == "content-type" }?.value)
  }

  /// The body read as JSON; `nil` if it is empty or no JSON.
  package var json: Value? { reading.json.value }
  /// The error for which the body is no JSON; `nil` if it is, or if there is none.
  package var jsonError: JSONParseError? { reading.json.error }
  /// The fields of a form; `nil` if the body is none.
  package var form: [URLPattern.QueryItem]? { reading.form }
  /// The parts of a multipart body; `nil` if the body is none.
  package var parts: [MultipartPart]? { reading.parts }
  /// Its GraphQL payload; `nil` if it carries none.
  package var graphQLPayload: GraphQLPayload? { reading.graphQL }

  /// The GraphQL request that is matched; `nil` if there is none, or several.
  package internal(set) var graphQL: GraphQLRequest? {
    get {
      if let carried { return carried }
      return if case .single(let request)? = graphQLPayload { request } else { nil }
    }
    set { carried = .some(newValue) }
  }

  /// The cookies, in order.
  package var cookies: [URLPattern.QueryItem] {
    RequestForms.cookies(values(ofHeader: "cookie"))
  }

  /// The values of a header, one for each field, in order.
  package func values(ofHeader name: String) -> [String] {
    let lowercased = name.lowercased()
    return headers.filter { $0.name.lowercased() == lowercased }.map(\.value)
  }

  /// The reason why the body cannot be judged; `nil` if all of it is there.
  package var truncation: String? {
    guard bodyLength > body.count else { return nil }
    let digest = bodyDigest.map { "; its SHA-256 is \($0)" } ?? ""
    return "a body of \(bodyLength) bytes, of which only \(body.count) are kept\(digest)"
  }

  /// The name of the GraphQL operation that runs, if there is one.
  package var operationName: String? {
    graphQL?.name
  }

  /// The values of a header joined by commas (RFC 9110, section 5.3); `nil` if it is not there.
  package func header(_ name: String) -> String? {
    let values = values(ofHeader: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The body as text, invalid UTF-8 repaired.
  package var text: String {
    String(decoding: body, as: UTF8.self)
  }
}
