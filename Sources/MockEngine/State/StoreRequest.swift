internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// A request for a collection or one of its items.
struct StoreRequest {
  /// The body of a request.
  enum Body {
    /// JSON.
    case json(Value)
    /// Invalid JSON, or an empty body; the string is the reason.
    case unreadable(String)
    /// The beginning of a body that is too long to be kept.
    case tooLong
  }

  let method: String
  let target: RequestTarget
  let address: PlannedStore.Address
  let body: Body
}

/// The answer of a store.
struct StoreReply {
  var status: Int
  var headers: [(name: String, value: String)] = []
  /// `nil` where there is no body.
  var body: Value?
  /// The change of the store in words; `nil` if nothing has changed.
  var change: String?

  /// An answer that says what is wrong.
  static func mistake(_ status: Int, _ message: String) -> StoreReply {
    StoreReply(status: status, body: .map(["error": .string(message)]))
  }
}
