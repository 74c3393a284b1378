package import Foundations
package import Patterns
package import ScenarioModel

/// The condition on the HTTP requests that an entry answers, compiled for matching.
package struct PlannedRequest: Sendable, Hashable, Codable {
  /// The methods, in capitals; `nil` is any.
  package var methods: [String]?
  /// The URL as a pattern; `nil` where conditions replace it.
  package var url: URLPattern?
  /// The condition on the whole URL.
  package var address: PlannedMatcher?
  /// The condition on the host.
  package var host: PlannedMatcher?
  /// The condition on the path.
  package var path: PlannedMatcher?
  /// Items of the query.
  package var query: [PlannedNamedCondition] = []
  /// Headers, their names in lower case.
  package var headers: [PlannedNamedCondition] = []
  /// Cookies.
  package var cookies: [PlannedNamedCondition] = []
  /// The condition on the body, read as JSON.
  package var json: PlannedMatcher?
  /// The condition on the body, read as XML: `xml` or `xmlPaths`.
  package var xml: PlannedMatcher?
  /// Fields of a form.
  package var form: [PlannedNamedCondition] = []
  /// Parts of a multipart body.
  package var parts: [PlannedPart] = []
  /// The condition on the body, read as text.
  package var body: PlannedMatcher?
  /// The body, byte for byte.
  package var bytes: PlannedBytes?
  /// True if the query, the form and the parts have nothing but what is named; `nil` is no.
  package var isExact: Bool?
  /// The program that sends the request; may hold `*`.
  package var process: String?
  /// The condition on the message of a call of gRPC, decoded.
  package var message: PlannedMatcher?
  /// Conditions on what the client's certificate says, by names; `nil` if none is asked for.
  package var clientCertificate: [PlannedNamedCondition]?

  /// Creates a pattern.
  package init(
    methods: [String]? = nil, url: URLPattern? = nil, headers: [PlannedNamedCondition] = [],
    json: PlannedMatcher? = nil, body: PlannedMatcher? = nil
  ) {
    self.methods = methods
    self.url = url
    self.headers = headers
    self.json = json
    self.body = body
  }

  /// True if nothing is asked of the body but its bytes, so that its digest is enough.
  package var asksForBytesAlone: Bool {
    bytes != nil && json == nil && xml == nil && body == nil && message == nil && form.isEmpty
      && parts.isEmpty
  }

  /// True if method and URL alone decide, so that the entry answers everything sent there.
  package var isAddressOnly: Bool {
    self == PlannedRequest(methods: methods, url: url)
  }
}

/// The condition on the values of a name that may occur several times.
package enum PlannedFieldCondition: Sendable, Hashable, Codable {
  /// No value.
  case absent
  /// A value.
  case exists
  /// One of the values satisfies it.
  case some(PlannedMatcher)
  /// As many values as matchers, each for one of its own.
  case each([PlannedMatcher])
}

/// A name and what must be so of its values.
package struct PlannedNamedCondition: Sendable, Hashable, Codable {
  /// The name.
  package var name: String
  /// The condition.
  package var condition: PlannedFieldCondition

  /// Creates a condition.
  package init(name: String, condition: PlannedFieldCondition) {
    self.name = name
    self.condition = condition
  }
}

/// The condition on a part of a multipart body.
package struct PlannedPart: Sendable, Hashable, Codable {
  /// The part's name.
  package var name: String
  /// The condition on its file name.
  package var filename: PlannedMatcher?
  /// The condition on its content type.
  package var contentType: PlannedMatcher?
  /// The condition on its content, read as text.
  package var text: PlannedMatcher?
  /// The condition on its content, read as JSON.
  package var json: PlannedMatcher?
  /// The condition on its content, read as XML: `xml` or `xmlPaths`.
  package var xml: PlannedMatcher?
  /// Its content, byte for byte.
  package var bytes: PlannedBytes?

  /// Creates a part that any of the name satisfies.
  package init(name: String) {
    self.name = name
  }
}

/// Bytes that a body must be.
package struct PlannedBytes: Sendable, Hashable, Codable {
  /// The bytes.
  package var content: [UInt8]
  /// The file that they come from, for messages; `nil` if the author wrote them out.
  package var path: String?

  /// Creates bytes.
  package init(_ content: [UInt8], path: String? = nil) {
    self.content = content
    self.path = path
  }
}

/// Connections to a host that go wrong.
package struct PlannedConnectionFault: Sendable, Hashable, Codable {
  /// The name in messages.
  package var name: String
  /// The host in lower case; may hold `*`.
  package var host: String
  /// The port; `nil` is any.
  package var port: UInt16?
  /// The fault of the connections.
  package var fault: ConnectionFault
  /// The number of connections that get the fault; `nil` is all.
  package var times: Int?
  /// True if it is used only after the scenario's own requests, as a response is; `nil` is no.
  package var isFallback: Bool?
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates an entry.
  package init(
    name: String, host: String, port: UInt16?, fault: ConnectionFault, times: Int?,
    range: SourceRange
  ) {
    self.name = name
    self.host = host
    self.port = port
    self.fault = fault
    self.times = times
    self.range = range
  }
}
