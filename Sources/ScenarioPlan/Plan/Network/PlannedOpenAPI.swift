package import Foundations
package import Patterns

/// A document of OpenAPI that describes an API, its references resolved.
package struct PlannedOpenAPI: Sendable, Hashable, Codable {
  /// The document's path.
  package var path: String
  /// The places where the API is reached.
  package var servers: [Server]
  /// The operations, in the order of the document.
  package var operations: [Operation]
  /// The schemas of what clients send, as definitions that operations name.
  package var requestSchemas: JSONSchema
  /// The schemas of what servers send.
  package var replySchemas: JSONSchema
  /// True if the document answers requests that nothing else answers.
  package var givesReplies: Bool
  /// True if requests are compared with the document.
  package var checksRequests: Bool
  /// True if replies are compared with the document.
  package var checksReplies: Bool
  /// The seed of the values that schemas make.
  package var seed: Int64

  /// Creates a document.
  package init(
    path: String, servers: [Server], operations: [Operation], requestSchemas: JSONSchema,
    replySchemas: JSONSchema, givesReplies: Bool = true, checksRequests: Bool = true,
    checksReplies: Bool = true, seed: Int64 = 0
  ) {
    self.path = path
    self.servers = servers
    self.operations = operations
    self.requestSchemas = requestSchemas
    self.replySchemas = replySchemas
    self.givesReplies = givesReplies
    self.checksRequests = checksRequests
    self.checksReplies = checksReplies
    self.seed = seed
  }

  /// The places where any of the operations is reached.
  package var allServers: [Server] { servers + operations.flatMap { $0.servers ?? [] } }
}

extension PlannedOpenAPI {
  /// A place where an API is reached.
  package struct Server: Sendable, Hashable, Codable {
    /// `http` or `https`.
    package var scheme: String
    /// The host in lower case.
    package var host: String
    /// The port.
    package var port: UInt16
    /// The beginning of all paths in its one spelling, without a slash at its end.
    package var path: String

    /// Creates a place.
    package init(scheme: String, host: String, port: UInt16, path: String = "") {
      self.scheme = scheme
      self.host = host
      self.port = port
      self.path = path
    }

    /// Returns the path of a request below the server; `nil` if the request is for another place.
    package func path(of target: RequestTarget) -> String? {
      guard scheme == target.scheme, host == target.host, port == target.port,
        target.path.hasPrefix(path)
      else { return nil }
      let rest = target.path.dropFirst(path.count)
      return rest.isEmpty ? "/" : rest.hasPrefix("/") ? String(rest) : nil
    }
  }

  /// A method of a path.
  package struct Operation: Sendable, Hashable, Codable {
    /// The method, in capitals.
    package var method: String
    /// The path with its templates, as the document has it.
    package var path: String
    /// The operation's own name, `operationId`.
    package var name: String?
    /// The places where it is reached; `nil` are those of the document.
    package var servers: [Server]?
    /// The parameters.
    package var parameters: [Parameter] = []
    /// The body of requests; `nil` if nothing is said of it.
    package var body: Body?
    /// The responses, in the order of the document.
    package var responses: [Response] = []
    /// The place in the document.
    package var range: SourceRange

    /// Creates an operation.
    package init(method: String, path: String, name: String? = nil, range: SourceRange) {
      self.method = method
      self.path = path
      self.name = name
      self.range = range
    }

    /// Method and path, as messages name it.
    package var title: String { "\(method) \(path)" }
  }

  /// A parameter of an operation.
  package struct Parameter: Sendable, Hashable, Codable {
    /// The part of a request that has it.
    package enum Place: String, Sendable, CaseIterable, Codable {
      case path, query, header, cookie
    }

    /// The form of lists and maps as text.
    package enum Style: String, Sendable, CaseIterable, Codable {
      case form, simple, label, matrix, spaceDelimited, pipeDelimited, deepObject
    }

    /// The name.
    package var name: String
    /// The part of a request that has it.
    package var place: Place
    /// True if requests must have it.
    package var isRequired = false
    /// The form of lists and maps as text.
    package var style: Style
    /// True if each element has a text of its own.
    package var explodes: Bool
    /// True if the value may be empty text, whatever the schema says.
    package var allowsEmpty = false
    /// True if the value is written as JSON.
    package var isJSON = false
    /// A reference to its schema among those of requests; `nil` is anything.
    package var schema: String?
    /// The place in the document.
    package var range: SourceRange

    /// Creates a parameter.
    package init(
      name: String, place: Place, style: Style? = nil, explodes: Bool? = nil,
      schema: String? = nil, range: SourceRange
    ) {
      self.name = name
      self.place = place
      let style = style ?? (place == .query || place == .cookie ? .form : .simple)
      self.style = style
      self.explodes = explodes ?? (style == .form)
      self.schema = schema
      self.range = range
    }
  }

  /// The body of requests.
  package struct Body: Sendable, Hashable, Codable {
    /// True if requests must have one.
    package var isRequired: Bool
    /// What it may be.
    package var contents: [Content]
    /// The place in the document.
    package var range: SourceRange

    /// Creates a body.
    package init(isRequired: Bool, contents: [Content], range: SourceRange) {
      self.isRequired = isRequired
      self.contents = contents
      self.range = range
    }
  }

  /// A body of one media type.
  package struct Content: Sendable, Hashable, Codable {
    /// The media type or range, such as `application/*`, in lower case and without parameters.
    package var type: String
    /// A reference to its schema; `nil` is anything.
    package var schema: String?
    /// The first example; `nil` if there is none.
    package var example: Value?
    /// The fields of a form that say in which style they are written.
    package var fields: [Parameter]?
    /// The fields of a form whose media type is neither JSON nor text.
    package var unreadFields: [String]?

    /// Creates a content.
    package init(type: String, schema: String? = nil, example: Value? = nil) {
      self.type = type
      self.schema = schema
      self.example = example
    }
  }

  /// A response of an operation.
  package struct Response: Sendable, Hashable, Codable {
    /// `200`, `2XX` or `default`.
    package var status: String
    /// What its body may be.
    package var contents: [Content] = []
    /// The fields that it must have, or has examples of.
    package var headers: [Header] = []
    /// The place in the document.
    package var range: SourceRange

    /// Creates a response.
    package init(
      status: String, contents: [Content] = [], headers: [Header] = [], range: SourceRange
    ) {
      self.status = status
      self.contents = contents
      self.headers = headers
      self.range = range
    }
  }

  /// A header of a response.
  package struct Header: Sendable, Hashable, Codable {
    /// The name.
    package var name: String
    /// True if each such response must have it.
    package var isRequired: Bool
    /// A reference to its schema among those of replies; `nil` is anything.
    package var schema: String?
    /// The first example; `nil` if there is none.
    package var example: Value?

    /// Creates a header.
    package init(name: String, isRequired: Bool, schema: String? = nil, example: Value? = nil) {
      self.name = name
      self.isRequired = isRequired
      self.schema = schema
      self.example = example
    }
  }
}
