/// The form of answers that a client accepts (GraphQL over HTTP, section "Media types").
package enum GraphQLAcceptance: Sendable, Hashable {
  /// `application/json`: 200 whatever the errors.
  case json
  /// `application/graphql-response+json`: the status says whether the request was run.
  case graphQLResponse
  /// `text/event-stream`: the distinct connections mode of GraphQL over SSE.
  case eventStream
  /// `multipart/mixed` for subscriptions.
  case subscriptionParts
  /// `multipart/mixed` for results that come in pieces, each with a path.
  case deferParts
  /// `multipart/mixed` for results that come in pieces, each with the id that was announced as
  /// pending.
  case incrementalParts

  /// The boundary between the parts of an answer (RFC 2046, section 5.1.1).
  static let boundary = "graphql"

  /// True if an answer comes in pieces.
  package var isStream: Bool {
    switch self {
    case .json, .graphQLResponse: false
    case .eventStream, .subscriptionParts, .deferParts, .incrementalParts: true
    }
  }

  /// The `content-type` of the answer.
  package var contentType: String {
    switch self {
    case .json: "application/json"
    case .graphQLResponse: "application/graphql-response+json; charset=utf-8"
    case .eventStream: "text/event-stream; charset=utf-8"
    case .subscriptionParts:
      "multipart/mixed; boundary=\"\(Self.boundary)\"; subscriptionSpec=1.0"
    case .deferParts:
      "multipart/mixed; boundary=\"\(Self.boundary)\"; deferSpec=20220824"
    case .incrementalParts:
      "multipart/mixed; boundary=\"\(Self.boundary)\"; incrementalSpec=v0.2"
    }
  }

  /// The status of a request error: one that kept the request from being run.
  package var requestErrorStatus: Int { self == .json ? 200 : 400 }

  /// Chooses the form that a client prefers, of answers in one piece or in several.
  ///
  /// A client that says nothing gets what it got before there was a choice.
  package static func preferred(by accept: String?, streams: Bool) -> GraphQLAcceptance? {
    guard let accept, !accept.isEmpty else { return streams ? nil : .json }
    var best: (acceptance: GraphQLAcceptance, weight: Double)?
    for element in HeaderValue.list(accept) {
      guard let acceptance = acceptance(of: element, streams: streams),
        acceptance.isStream == streams, element.weight > 0
      else {
        continue
      }
      if let found = best, found.weight >= element.weight { continue }
      best = (acceptance, element.weight)
    }
    return best?.acceptance
  }

  private static func acceptance(of element: HeaderValue, streams: Bool) -> GraphQLAcceptance? {
    switch element.name {
    case "application/json", "application/*", "*/*": streams ? nil : .json
    case "application/graphql-response+json", "application/graphql+json": .graphQLResponse
    case "text/event-stream": .eventStream
    case "multipart/mixed":
      element.parameters["subscriptionspec"] != nil
        ? .subscriptionParts
        : element.parameters["incrementalspec"] != nil ? .incrementalParts : .deferParts
    default: nil
    }
  }
}
