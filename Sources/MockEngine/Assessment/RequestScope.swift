package import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns
package import ScenarioPlan

/// The scope of a reply's expressions: the request, and what the case knows.
///
/// `clock` is what the clock showed when the request was complete, and `request` has
/// `request.method`, `.url`, `.path.NAME`, `.query.NAME`, `.headers.NAME`, `.cookies.NAME`,
/// `.form.NAME`, `.json.…`, `.body`, `.count`, for GraphQL `.operation` and `.variables.…`, and for gRPC `.message.…`
/// and `.messages`; `state` is that of the case.
package struct RequestScope<Base: RunScope>: RunScope {
  private let request: IncomingRequest
  private let captures: [String: String]
  private let count: Int
  private let state: Value
  private let base: Base

  /// Creates a scope for one request; `captures` are the texts of the URL's templates, `count` is how many
  /// requests the entry has answered, this one included, and `state` is the case's before the request.
  package init(
    request: IncomingRequest, captures: [String: String], count: Int = 1, state: Value = .map([:]),
    base: Base
  ) {
    self.request = request
    self.state = state
    self.captures = captures
    self.count = count
    self.base = base
  }

  /// The request as the root `request`, the state before it as `state`, its instant as `clock`, and everything that the base knows.
  package func value(of root: String) -> Value? {
    switch ExpressionRoot(rawValue: root) {
    case .request: requestValue
    case .state: state
    case .clock: request.instant?.clockValue ?? base.value(of: root)
    default: base.value(of: root)
    }
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
    members["count"] = .integer(Int64(count))
    members["query"] = .map(Self.firsts(request.target.query))
    members["cookies"] = .map(Self.firsts(request.cookies))
    members["form"] = .map(Self.firsts(request.form ?? []))
    var headers: OrderedDictionary<String, Value> = [:]
    for header in request.headers where headers[header.name.lowercased()] == nil {
      headers[header.name.lowercased()] = request.header(header.name).map(Value.string)
    }
    members["headers"] = .map(headers)
    if let json = request.json { members["json"] = json }
    if let call = request.call {
      if let message = call.messages.last { members["message"] = message }
      members["messages"] = .list(call.messages)
    }
    if let graphQL = request.graphQL {
      members["operation"] = request.operationName.map(Value.string) ?? .null
      members["variables"] = graphQL.variables
    }
    return .map(members)
  }

  /// The first of several values wins, as in most servers.
  private static func firsts(
    _ items: [URLPattern.QueryItem]
  ) -> OrderedDictionary<String, Value> {
    var values: OrderedDictionary<String, Value> = [:]
    for item in items where values[item.name] == nil { values[item.name] = .string(item.value) }
    return values
  }
}

extension RequestScope: Sendable where Base: Sendable {}
