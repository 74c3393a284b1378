package import Foundations
internal import OrderedCollections

/// One GraphQL request, whatever way it came.
package struct GraphQLRequest: Sendable, Hashable {
  /// The document as sent, or as it is known by its hash; `nil` if it is not known.
  package private(set) var query: String?
  /// `operationName`, if the client sent one.
  package private(set) var operationName: String?
  /// The variables, an empty map where there are none.
  ///
  /// An upload stands as a map with `filename`, `content_type` and `length`.
  package private(set) var variables: Value
  /// The extensions, an empty map where there are none.
  package private(set) var extensions: Value
  /// The name of a trusted document: `documentId`, `doc_id` or `id`.
  package private(set) var identifier: String?
  /// The document; `nil` if it is malformed or not known.
  package private(set) var document: GraphQLDocument?
  /// The operation that runs; `nil` if the document is broken or does not say which.
  package private(set) var operation: GraphQLOperation?
  /// The error for which there is no operation.
  package private(set) var error: GraphQLError?

  /// Creates a request.
  package init(
    query: String?, operationName: String? = nil, variables: Value = .null,
    extensions: Value = .null, identifier: String? = nil
  ) {
    self.operationName = operationName.flatMap { $0.isEmpty ? nil : $0 }
    self.variables = variables == .null ? .map([:]) : variables
    self.extensions = extensions == .null ? .map([:]) : extensions
    self.identifier = identifier
    setQuery(query)
  }

  /// Fills in the document of a request that names it by a hash or an identifier.
  package mutating func setQuery(_ query: String?) {
    self.query = query
    document = nil
    operation = nil
    error = nil
    guard let query else { return }
    do throws(GraphQLSyntaxError) {
      let document = try GraphQLDocument(parsing: query)
      self.document = document
      operation = document.operation(named: operationName)
      if operation == nil { error = missingOperation(in: document) }
    } catch {
      self.error = GraphQLError(error)
    }
  }

  /// Section 6.1, `GetOperation`.
  private func missingOperation(in document: GraphQLDocument) -> GraphQLError {
    if let operationName {
      return GraphQLError(
        "Unknown operation named \"\(operationName)\".", code: "OPERATION_RESOLUTION_FAILURE")
    }
    return GraphQLError(
      document.operations.isEmpty
        ? "Must provide an operation."
        : "Must provide operation name if query contains multiple operations.",
      code: "OPERATION_RESOLUTION_FAILURE")
  }

  /// `extensions.persistedQuery.sha256Hash`.
  package var hash: String? {
    guard case .map(let extensions) = extensions,
      case .map(let persisted)? = extensions["persistedQuery"],
      case .string(let hash)? = persisted["sha256Hash"]
    else {
      return nil
    }
    return hash
  }

  /// The operation's name, as the document or else the request says it.
  package var name: String? {
    operation.map { $0.name?.text } ?? operationName
  }

  /// The reason why there is no operation, in words for a report.
  package var problem: String? {
    if let error { return error.line }
    guard operation == nil else { return nil }
    let reference = hash ?? identifier ?? ""
    return "the document \"\(reference)\" is not known"
  }
}
