internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

/// A GraphQL operation that a recording names as an author would.
struct RecordedOperation: Hashable {
  let kind: GraphQLOperationKind
  let name: String?
  /// The document as the client sent it.
  let document: String
  /// The document, however it is formatted.
  let canonicalDocument: String
  /// The variables, conditions in the place of those that are secret.
  let variables: Value

  /// The items of a query that belong to GraphQL over HTTP.
  private static let queryItems: Set<String> = [
    "documentId", "extensions", "operationName", "query", "variables",
  ]

  /// The one operation of an exchange whose answers can be written as results; `nil` if there is none.
  init?(_ exchange: RecordedExchange, _ redaction: Redaction) {
    // An entry for an operation says nothing of other items.
    guard exchange.isGraphQLAnswer,
      exchange.target.query.allSatisfy({ Self.queryItems.contains($0.name) })
    else { return nil }
    let request = IncomingRequest(
      method: exchange.method, target: exchange.target, headers: exchange.headers,
      body: exchange.body)
    guard case .single(let graphQL)? = request.graphQLPayload, let operation = graphQL.operation,
      let document = graphQL.document, let text = graphQL.query, !redaction.holdsSecret(text),
      let variables = Self.writable(graphQL.variables)
    else { return nil }
    // A server passes over variables that the operation does not declare; an entry for it refuses them.
    let declared = Set(operation.variables.map(\.name.text))
    guard case .map(let members) = variables, members.keys.allSatisfy(declared.contains) else {
      return nil
    }
    kind = operation.kind
    name = operation.name?.text
    self.document = text
    canonicalDocument = document.canonicalText
    guard let open = redaction.variables(variables) else { return nil }
    self.variables = open
  }

  static func == (left: RecordedOperation, right: RecordedOperation) -> Bool {
    left.kind == right.kind && left.name == right.name
      && left.canonicalDocument == right.canonicalDocument && left.variables == right.variables
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(canonicalDocument)
    hasher.combine(variables)
  }

  /// Variables that mean in the language what they are; `nil` where some would be conditions.
  private static func writable(_ value: Value) -> Value? {
    guard case .json(let faithful) = RecordableBody(Array(value.jsonText().utf8), mediaType: nil),
      case .map(let members) = faithful, !holdsConditions(faithful), members.keys.first != "exact"
    else { return nil }
    return faithful
  }

  private static func holdsConditions(_ value: Value) -> Bool {
    guard case .map(let members) = value else { return false }
    return members.values.contains { member in
      guard case .map(let inner) = member, !inner.isEmpty else { return false }
      return Matcher.areConditionsOnData(Array(inner.keys)) || holdsConditions(member)
    }
  }
}

/// Distinguishes operations of one name in a recording.
struct RecordedOperations {
  private struct Group: Hashable {
    var place: String
    var title: String
  }

  private var isPlain: [Group: Bool] = [:]

  init(_ exchanges: [RecordedExchange], _ redaction: Redaction) {
    for exchange in exchanges {
      guard let group = Self.group(of: exchange) else { continue }
      // What cannot be written as results makes all that has its name requests of HTTP.
      if RecordedOperation(exchange, redaction) == nil { isPlain[group] = false }
    }
  }

  private static func group(of exchange: RecordedExchange) -> Group? {
    let request = IncomingRequest(
      method: exchange.method, target: exchange.target, headers: exchange.headers,
      body: exchange.body)
    guard case .single(let graphQL)? = request.graphQLPayload,
      let operation = graphQL.operation
    else { return nil }
    var target = exchange.target
    target.query = []
    return Group(
      place: target.text, title: "\(operation.kind.rawValue) \(operation.name?.text ?? "")")
  }

  /// The operation of an exchange, if it is written as one.
  func operation(of exchange: RecordedExchange, _ redaction: Redaction) -> RecordedOperation? {
    guard let group = Self.group(of: exchange), isPlain[group] != false else { return nil }
    return RecordedOperation(exchange, redaction)
  }

  /// The conditions on an operation.
  func conditions(
    on operation: RecordedOperation, at place: String
  ) -> OrderedDictionary<String, Value> {
    var members: OrderedDictionary<String, Value> = [:]
    if let name = operation.name { members[operation.kind.rawValue] = .string(name) }
    members["url"] = .string(place)
    // The reply fits what was selected, and a live backend is to be asked for the same again.
    members["document"] = .string(operation.document)
    members["variables"] = .map(["exact": operation.variables])
    return members
  }
}

extension Redaction {
  /// Variables of an operation, with the condition that they are there in the place of secrets; `nil` where the language
  /// has no condition for such a place.
  fileprivate func variables(_ value: Value) -> Value? {
    switch value {
    case .map(let members):
      var open: OrderedDictionary<String, Value> = [:]
      for (key, member) in members {
        guard !holdsSecret(key) else { return nil }
        guard !hides(key) else {
          open[key] = .map(["not": .map(["absent": .bool(true)])])
          continue
        }
        guard let inner = variables(member) else { return nil }
        open[key] = inner
      }
      return .map(open)
    case .list, .string, .integer, .number:
      do {
        return try conditionsBesideSecrets(of: value) == nil ? value : nil
      } catch {
        return nil
      }
    case .null, .bool: return value
    }
  }
}

extension RecordedExchange {
  /// True if the answer is a result of GraphQL, or none came at all.
  fileprivate var isGraphQLAnswer: Bool {
    switch outcome {
    case .fault: true
    case .socket: false
    case .reply(let reply): reply.graphQLResult != nil
    }
  }

  /// The members of a batch as exchanges of their own, where the answer is a list of results.
  var members: [RecordedExchange] {
    guard case .reply(let reply) = outcome else { return [self] }
    let request = IncomingRequest(
      method: method, target: target, headers: headers, body: body)
    guard case .batch(let requests)? = request.graphQLPayload,
      case .list(let operations)? = request.json, operations.count == requests.count,
      requests.allSatisfy({ $0.operation != nil }),
      case .json(.list(let results)) = RecordableBody(reply.body, mediaType: reply.mediaType),
      results.count == operations.count
    else { return [self] }
    let parts = zip(operations, results).map { operation, result in
      var part = self
      part.body = Array(operation.jsonText().utf8)
      var answer = reply
      answer.body = Array(result.jsonText().utf8)
      part.outcome = .reply(answer)
      return part
    }
    return parts.allSatisfy(\.isGraphQLAnswer) ? parts : [self]
  }
}

extension RecordedReply {
  /// The result that the body is; `nil` if it is something else.
  var graphQLResult: OrderedDictionary<String, Value>? {
    guard case .json(.map(let members)) = RecordableBody(body, mediaType: mediaType),
      !members.isEmpty,
      members.keys.allSatisfy({ ["data", "errors", "extensions"].contains($0) }),
      members["data"] != nil || members["errors"] != nil
    else { return nil }
    if let errors = members["errors"] {
      guard case .list(let list) = errors, !list.isEmpty else { return nil }
    }
    return members
  }

  /// Returns whether a GraphQL reply has this field by itself.
  func isUsual(_ header: IncomingRequest.Header) -> Bool {
    header.name.lowercased() == "content-type" && header.value == "application/json"
  }
}
