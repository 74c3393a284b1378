internal import Foundations
internal import MockEngine
internal import Patterns
internal import ScenarioPlan

/// Reads a document of OpenAPI 3.0 or 3.1.
struct OpenAPIReader {
  /// A document as it is, whatever a scenario does with it.
  struct Document: Sendable {
    /// What a scenario uses; its servers are those of the document.
    var api: PlannedOpenAPI
    /// Servers that name no host.
    var relativeServers: [RelativeServer]
  }

  /// A server that names no host.
  struct RelativeServer: Sendable {
    /// Its URL; empty text stands for no server at all.
    var url: Located<String>
    /// True if it is one of the document, which operations without servers of their own are reached at.
    var isShared: Bool
  }

  private static let methods = [
    "delete", "get", "head", "options", "patch", "post", "put", "trace",
  ]
  private static let itemKeys = ["$ref", "description", "parameters", "servers", "summary"]
  /// The maximum number of operations.
  private static let operationLimit = 20_000

  var files: OpenAPIFiles
  var requests = OpenAPISchemas(.request, isOld: false)
  var replies = OpenAPISchemas(.reply, isOld: false)
  private var relativeServers: [RelativeServer] = []
  /// The servers of the document.
  private var servers: [PlannedOpenAPI.Server] = []
  /// The maximum number of servers that the values of one URL's variables make.
  private static let serverLimit = 100

  private init(_ options: PlannerOptions) {
    files = OpenAPIFiles(options)
  }

  /// Reads a document; `nil` beside mistakes, or if the file cannot be read.
  static func read(
    _ path: String, _ options: PlannerOptions
  ) -> (document: Document?, problems: [Diagnostic]) {
    var reader = OpenAPIReader(options)
    guard let root = reader.files.root(of: path, at: nil) else {
      return (nil, reader.files.problems)
    }
    let document = reader.document(root)
    return (reader.files.problems.isEmpty ? document : nil, reader.files.problems)
  }

  private mutating func document(_ root: OpenAPIPlace) -> Document? {
    guard let isOld = checkVersion(root) else { return nil }
    requests = OpenAPISchemas(.request, isOld: isOld)
    replies = OpenAPISchemas(.reply, isOld: isOld)
    let shared = files.elements(of: root["servers"])
    servers = shared.flatMap { readServer($0, isShared: true) }
    // "If the servers field is not provided …, the default value would be … a url value of /."
    if shared.isEmpty {
      relativeServers.append(.init(url: Located("", at: root.range), isShared: true))
    }
    guard let paths = root["paths"], paths.isMap else {
      files.report(
        "the document has no \"paths\"", at: root["paths"]?.range ?? root.range,
        help: "add the paths of the API, each as a key")
      return nil
    }
    let operations = readPaths(paths)
    guard let requestSchemas = requests.schema(&files), let replySchemas = replies.schema(&files)
    else { return nil }
    return Document(
      api: PlannedOpenAPI(
        path: root.file, servers: servers, operations: operations, requestSchemas: requestSchemas,
        replySchemas: replySchemas), relativeServers: relativeServers)
  }

  /// Whether the document is of OpenAPI 3.0, and not 3.1; `nil` if it is of another version.
  private mutating func checkVersion(_ root: OpenAPIPlace) -> Bool? {
    if let swagger = root["swagger"] {
      files.report(
        "Swagger \(swagger.text ?? "2.0") is not supported", at: swagger.range,
        help: "convert the document to OpenAPI 3.0 or 3.1")
      return nil
    }
    guard let version = root["openapi"], let text = version.text else {
      files.report(
        "the file is not an OpenAPI document: it has no \"openapi\"", at: root.range,
        help: "name a document that begins with \"openapi: 3.1.0\", or such")
      return nil
    }
    for (known, isOld) in [("3.0", true), ("3.1", false)]
    where text == known || text.hasPrefix(known + ".") {
      return isOld
    }
    files.report(
      "OpenAPI \"\(text)\" is not supported", at: version.range,
      help: "convert the document to OpenAPI 3.0 or 3.1")
    return nil
  }

  // MARK: - Servers

  /// The servers of a path or an operation; `nil` if it names none of its own.
  private mutating func readServers(of owner: OpenAPIPlace) -> [PlannedOpenAPI.Server]? {
    let servers = files.elements(of: owner["servers"]).flatMap { readServer($0, isShared: false) }
    return servers.isEmpty ? nil : servers
  }

  /// The places that a server stands for: one for each of the values that its variables may have.
  private mutating func readServer(
    _ server: OpenAPIPlace, isShared: Bool
  ) -> [PlannedOpenAPI.Server] {
    guard let url = server["url"], let text = url.text else {
      files.report("the server has no \"url\"", at: server.range, help: "add its URL")
      return []
    }
    var texts = [text]
    for (name, variable) in files.members(of: server["variables"])
    where text.contains("{\(name.value)}") {
      var values = [variable["default"]?.text].compactMap { $0 }
      for value in files.elements(of: variable["enum"]).compactMap(\.text)
      where !values.contains(value) {
        values.append(value)
      }
      guard !values.isEmpty else { continue }
      guard texts.count * values.count <= Self.serverLimit else {
        files.report(
          "the variables of the server make more than \(Self.serverLimit) URLs", at: url.range,
          help: "list fewer values in \"enum\", or write \"servers\" in the scenario")
        return []
      }
      texts = texts.flatMap { text in
        values.map { text.replacing("{\(name.value)}", with: $0) }
      }
    }
    // Below the document's own servers, a path begins where their hosts begin.
    if text.hasPrefix("/"), !servers.isEmpty, !texts[0].contains("{") {
      texts = texts.flatMap { text in
        servers.map { server in
          let isBare = server.host.contains(":") && !server.host.hasPrefix("[")
          let host = isBare ? "[\(server.host)]" : server.host
          return "\(server.scheme)://\(host):\(server.port)\(text)"
        }
      }
    }
    guard texts.allSatisfy({ $0.contains("://") && !$0.contains("{") }) else {
      if servers.isEmpty {
        relativeServers.append(.init(url: Located(text, at: url.range), isShared: isShared))
      } else {
        files.report(
          "the server \"\(text)\" names no host", at: url.range,
          help: "write its whole URL, or a path that begins with a slash")
      }
      return []
    }
    do throws(PatternError) {
      var places: [PlannedOpenAPI.Server] = []
      for text in texts {
        let place = try PlannedOpenAPI.Server(url: text)
        if !places.contains(place) { places.append(place) }
      }
      return places
    } catch {
      files.report(error.message, at: url.range, help: error.help)
      return []
    }
  }

  // MARK: - Paths

  private mutating func readPaths(_ paths: OpenAPIPlace) -> [PlannedOpenAPI.Operation] {
    var operations: [PlannedOpenAPI.Operation] = []
    var shapes: [String: Located<String>] = [:]
    for (key, place) in paths.members where !key.value.hasPrefix("x-") {
      guard key.value.hasPrefix("/") else {
        files.report(
          "the path \"\(key.value)\" does not begin with a slash", at: key.range,
          help: "write \"/\(key.value)\"")
        continue
      }
      if let other = shapes.updateValue(key, forKey: OpenAPIPath(key.value).shape) {
        files.report(
          "the paths \"\(other.value)\" and \"\(key.value)\" match the same requests",
          at: key.range, help: "remove one of them: only the names of their templates differ")
        continue
      }
      guard let item = files.resolvedMap(place) else { continue }
      operations += readItem(item, at: key)
      guard operations.count <= Self.operationLimit else {
        files.report(
          "the document has more than \(Self.operationLimit) operations", at: key.range,
          help: "split it into several documents")
        break
      }
    }
    return operations
  }

  private mutating func readItem(
    _ item: OpenAPIPlace, at path: Located<String>
  ) -> [PlannedOpenAPI.Operation] {
    let servers = readServers(of: item)
    let shared = readParameters(item["parameters"])
    var operations: [PlannedOpenAPI.Operation] = []
    for (key, place) in item.members
    where !Self.itemKeys.contains(key.value) && !key.value.hasPrefix("x-") {
      guard Self.methods.contains(key.value) else {
        files.report(
          "\"\(key.value)\" is not a method of a path", at: key.range,
          help: Suggestion.help(for: key.value, in: Self.methods + Self.itemKeys, label: "keys"))
        continue
      }
      guard place.isMap else {
        files.report("an operation is a map", at: place.range, help: "write { responses: { … } }")
        continue
      }
      var operation = PlannedOpenAPI.Operation(
        method: key.value.uppercased(), path: path.value, name: place["operationId"]?.text,
        range: key.range)
      operation.servers = readServers(of: place) ?? servers
      let own = readParameters(place["parameters"])
      operation.parameters =
        shared.filter { parameter in
          !own.contains { $0.name == parameter.name && $0.place == parameter.place }
        } + own
      checkTemplates(of: operation)
      operation.body = place["requestBody"].flatMap { readBody($0) }
      operation.responses = readResponses(place["responses"])
      operations.append(operation)
    }
    return operations
  }
}

extension OpenAPIReader {
  /// Reports parameters of the path that it has no template for.
  private mutating func checkTemplates(of operation: PlannedOpenAPI.Operation) {
    let names = OpenAPIPath(operation.path).captureNames
    for parameter in operation.parameters
    where parameter.place == .path && !names.contains(parameter.name) {
      files.report(
        "the path \"\(operation.path)\" has no \"{\(parameter.name)}\"", at: parameter.range,
        help: Suggestion.help(for: parameter.name, in: names, label: "templates of the path"))
    }
  }
}

extension PlannedOpenAPI.Server {
  /// Reads a URL without templates.
  init(url text: String) throws(PatternError) {
    let url = try URLPattern(parsing: text)
    guard let scheme = url.scheme, let host = url.host, !host.contains("*"), url.query.isEmpty,
      !url.path.contains("*"), !url.path.contains("{")
    else {
      throw PatternError(
        "\"\(text)\" is not the URL of a server",
        help: "write scheme, host and the beginning of the paths, as in https://api.example.com/v1")
    }
    let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    self.init(
      scheme: scheme, host: host, port: url.port ?? URLParts.defaultPort(scheme), path: path)
  }
}
