public import ScenarioModel

/// Which HTTP requests an entry answers, ready to be asked.
public struct PlannedRequest: Sendable, Hashable, Codable {
  /// The method, in capitals; `nil` is any.
  public var method: String?
  /// The URL as a pattern; `nil` where conditions stand instead.
  public var url: URLPattern?
  /// What the whole URL must satisfy.
  public var address: PlannedMatcher?
  /// What the host must satisfy.
  public var host: PlannedMatcher?
  /// What the path must satisfy.
  public var path: PlannedMatcher?
  /// Items of the query.
  public var query: [PlannedNamedCondition] = []
  /// Headers, their names in lower case.
  public var headers: [PlannedNamedCondition] = []
  /// Cookies.
  public var cookies: [PlannedNamedCondition] = []
  /// What the body, read as JSON, must satisfy.
  public var json: PlannedMatcher?
  /// Fields of a form.
  public var form: [PlannedNamedCondition] = []
  /// Parts of a multipart body.
  public var parts: [PlannedPart] = []
  /// What the body, read as text, must satisfy.
  public var body: PlannedMatcher?
  /// The body, byte for byte.
  public var bytes: PlannedBytes?
  /// The program that sends the request; may hold `*`.
  public var process: String?

  /// Creates a pattern.
  public init(
    method: String? = nil, url: URLPattern? = nil, headers: [PlannedNamedCondition] = [],
    json: PlannedMatcher? = nil, body: PlannedMatcher? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.json = json
    self.body = body
  }

  /// Whether method and URL alone decide, so that the entry answers everything sent there.
  public var isAddressOnly: Bool {
    self == PlannedRequest(method: method, url: url)
  }
}

/// What a name that may stand several times must have as its values.
public enum PlannedFieldCondition: Sendable, Hashable, Codable {
  /// No value.
  case absent
  /// A value.
  case exists
  /// One of the values satisfies it.
  case some(PlannedMatcher)
  /// As many values as matchers, each with one of its own.
  case each([PlannedMatcher])
}

/// A name and what must be so of its values.
public struct PlannedNamedCondition: Sendable, Hashable, Codable {
  /// The name.
  public var name: String
  /// The condition.
  public var condition: PlannedFieldCondition

  /// Creates a condition.
  public init(name: String, condition: PlannedFieldCondition) {
    self.name = name
    self.condition = condition
  }
}

/// What a part of a multipart body must be.
public struct PlannedPart: Sendable, Hashable, Codable {
  /// The part's name.
  public var name: String
  /// What its file name must satisfy.
  public var filename: PlannedMatcher?
  /// What its content type must satisfy.
  public var contentType: PlannedMatcher?
  /// What its content, read as text, must satisfy.
  public var text: PlannedMatcher?
  /// What its content, read as JSON, must satisfy.
  public var json: PlannedMatcher?
  /// Its content, byte for byte.
  public var bytes: PlannedBytes?

  /// Creates a part that any of the name satisfies.
  public init(name: String) {
    self.name = name
  }
}

/// Bytes that a body must be.
public struct PlannedBytes: Sendable, Hashable, Codable {
  /// The bytes.
  public var content: [UInt8]
  /// Where they come from, for messages; `nil` if the author wrote them out.
  public var path: String?

  /// Creates bytes.
  public init(_ content: [UInt8], path: String? = nil) {
    self.content = content
    self.path = path
  }
}

/// Connections to a host that go wrong.
public struct PlannedConnectionFault: Sendable, Hashable, Codable {
  /// The name in messages.
  public var name: String
  /// The host in lower case; may hold `*`.
  public var host: String
  /// The port; `nil` is any.
  public var port: UInt16?
  /// How they go wrong.
  public var fault: ConnectionFault
  /// How many go wrong; `nil` is all.
  public var times: Int?
  /// Whether it stands behind what the scenario itself says, as a response does; `nil` is no.
  public var isFallback: Bool?
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates an entry.
  public init(
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
