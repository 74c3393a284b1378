internal import Foundations
internal import OrderedCollections

/// The reason why a GraphQL server gave no data, in its own words.
struct GraphQLComplaint {
  /// The error for the author: lower case, no full stop.
  let text: String

  /// Finds the first error of a reply without data; `nil` if there is data, or no error.
  init?(in body: [UInt8]) {
    guard case .map(let reply)? = try? JSONText.parse(utf8: body),
      case .list(let errors)? = reply["errors"], case .map(let first)? = errors.first,
      case .string(let message)? = first["message"]
    else { return nil }
    if let data = reply["data"], data != .null { return nil }
    text = "the host reports \"\(message)\""
  }
}
