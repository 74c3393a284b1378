internal import OrderedCollections
public import ScenarioModel

/// The GraphQL part of an HTTP request (GraphQL over HTTP: POST with a JSON body, or GET).
public struct GraphQLRequest: Sendable {
  /// The document as sent.
  public var query: String
  /// `operationName`, if the client sent one.
  public var operationName: String?
  /// `variables`; an empty map where there are none.
  public var variables: Value
  /// The operation that would run; `nil` if the document is broken or does not say which.
  public var operation: GraphQLDocument.Operation?
  /// Why there is no operation.
  public var problem: String?

  /// Reads a request; `nil` if it carries no GraphQL.
  init?(method: String, target: RequestTarget, json: Value?) {
    switch method {
    case "POST":
      guard case .map(let members) = json, case .string(let query) = members["query"] else {
        return nil
      }
      var name: String?
      if case .string(let text) = members["operationName"], !text.isEmpty { name = text }
      self.init(query: query, operationName: name, variables: members["variables"] ?? .null)
    case "GET":
      func item(_ name: String) -> String? { target.query.first { $0.name == name }?.value }
      guard let query = item("query"), query.contains("{") else { return nil }
      let variables = item("variables").flatMap { try? JSONText.parse($0) }
      self.init(query: query, operationName: item("operationName"), variables: variables ?? .null)
    default:
      return nil
    }
  }

  private init(query: String, operationName: String?, variables: Value) {
    self.query = query
    self.operationName = operationName
    self.variables = variables == .null ? .map([:]) : variables
    do throws(GraphQLSyntaxError) {
      let document = try GraphQLDocument(parsing: query)
      operation = document.operation(named: operationName)
      guard operation == nil else { return }
      problem =
        operationName.map { "the document has no operation \"\($0)\"" }
        ?? "the document has several operations and the request names none"
    } catch {
      problem = "the document is malformed at \(error.line):\(error.column): \(error.message)"
    }
  }
}
