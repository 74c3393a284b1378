/// The kind of a GraphQL operation.
package enum GraphQLOperationKind: String, Sendable, CaseIterable, Codable {
  /// `query`
  case query
  /// `mutation`
  case mutation
  /// `subscription`
  case subscription
}
