internal import GraphQL
internal import OrderedCollections
public import ScenarioModel

/// What a run knows while it makes a reply: the request, and what the case knows.
///
/// `request.method`, `.url`, `.path.NAME`, `.query.NAME`, `.headers.NAME`, `.json.…`, `.body`, and
/// for GraphQL `.operation` and `.variables.…`.
public struct RequestScope<Base: RunScope>: RunScope {
  private let request: IncomingRequest
  private let captures: [String: String]
  private let base: Base

  /// Creates a scope for one request; `captures` are the texts of the URL's templates.
  public init(request: IncomingRequest, captures: [String: String], base: Base) {
    self.request = request
    self.captures = captures
    self.base = base
  }

  /// The request as the root `request`, and everything that the base knows.
  public func value(of root: String) -> Value? {
    root == "request" ? requestValue : base.value(of: root)
  }

  private var requestValue: Value {
    var members: OrderedDictionary<String, Value> = [
      "method": .string(request.method), "url": .string(request.target.text),
    ]
    // A part of a body is not the body.
    if request.truncation == nil { members["body"] = .string(request.text) }
    var path: OrderedDictionary<String, Value> = [:]
    for (name, text) in captures.sorted(by: { $0.key < $1.key }) { path[name] = .string(text) }
    members["path"] = .map(path)
    var query: OrderedDictionary<String, Value> = [:]
    // The first of several wins, as in most servers.
    for item in request.target.query where query[item.name] == nil {
      query[item.name] = .string(item.value)
    }
    members["query"] = .map(query)
    var headers: OrderedDictionary<String, Value> = [:]
    for header in request.headers where headers[header.name.lowercased()] == nil {
      headers[header.name.lowercased()] = request.header(header.name).map(Value.string)
    }
    members["headers"] = .map(headers)
    if let json = request.json { members["json"] = json }
    if let graphQL = request.graphQL {
      members["operation"] = request.operationName.map(Value.string) ?? .null
      members["variables"] = graphQL.variables
    }
    return .map(members)
  }
}

extension RequestScope: Sendable where Base: Sendable {}
