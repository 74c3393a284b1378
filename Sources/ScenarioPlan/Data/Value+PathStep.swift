package import Foundations

extension Value {
  /// The path step that a value in brackets means.
  package var pathStep: PathStep? {
    switch self {
    case .string(let key): .key(key)
    case .integer(let index) where index >= 0: Int(exactly: index).map { .index($0) }
    default: nil
    }
  }
}
