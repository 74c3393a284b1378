internal import Cryptography
package import Foundations
internal import OrderedCollections

/// The documents that a client may name instead of sending them.
package struct GraphQLPersistedDocuments: Sendable {
  /// The treatment of requests that name a document by its hash.
  package enum Mode: Sendable, Hashable {
    /// Documents are learned as clients send them (automatic persisted queries).
    case automatic
    /// Clients must send the document every time.
    case reject
    /// Only the documents of a manifest are accepted.
    case manifest
  }

  /// The maximum number of documents that are learned; the rest is asked for again.
  private static let limit = 10_000

  private let mode: Mode
  private var documents: [String: String]
  private var learnedBytes = 0

  /// Creates a store.
  package init(mode: Mode, manifest: [String: String] = [:]) {
    self.mode = mode
    documents = manifest
  }

  /// Fills in the document that a request names, or learns the one that it brings.
  ///
  /// - Returns: The error for the client in place of an answer.
  package mutating func resolve(_ request: inout GraphQLRequest) -> GraphQLError? {
    if let hash = request.hash { return resolve(&request, hash.lowercased()) }
    guard request.query == nil, let identifier = request.identifier else { return nil }
    let name = identifier.hasPrefix("sha256:") ? String(identifier.dropFirst(7)) : identifier
    if let query = documents[identifier] ?? documents[name] {
      request.setQuery(query)
      return nil
    }
    // Without a manifest the name of the operation is enough to find an entry.
    return mode == .manifest || request.operationName == nil ? Self.notFound : nil
  }

  private mutating func resolve(_ request: inout GraphQLRequest, _ hash: String) -> GraphQLError? {
    guard mode != .reject else {
      return GraphQLError("PersistedQueryNotSupported", code: "PERSISTED_QUERY_NOT_SUPPORTED")
    }
    guard let query = request.query else {
      guard let known = documents[hash] else { return Self.notFound }
      request.setQuery(known)
      return nil
    }
    guard SecureDigest.sha256(query.utf8) == hash else {
      return GraphQLError(
        "provided sha does not match query", code: "PERSISTED_QUERY_HASH_MISMATCH")
    }
    let length = query.utf8.count
    if mode == .automatic, documents[hash] == nil, documents.count < Self.limit,
      learnedBytes + length <= GraphQLLimits.keptBytes
    {
      documents[hash] = query
      learnedBytes += length
    }
    return nil
  }

  private static let notFound = GraphQLError(
    "PersistedQueryNotFound", code: "PERSISTED_QUERY_NOT_FOUND")

  /// Reads a manifest: a map from names to documents, or Apollo's format.
  ///
  /// - Returns: `nil` if the JSON is neither.
  package static func manifest(_ json: Value) -> [String: String]? {
    guard case .map(let members) = json else { return nil }
    var documents: [String: String] = [:]
    if case .list(let operations)? = members["operations"] {
      for case .map(let operation) in operations {
        guard case .string(let identifier)? = operation["id"],
          case .string(let body)? = operation["body"]
        else {
          return nil
        }
        documents[identifier] = body
      }
      return documents
    }
    for (name, value) in members {
      guard case .string(let body) = value else { return nil }
      documents[name] = body
    }
    return documents
  }
}
