internal import Foundations

extension Expression {
  /// A step with a name, as part of the path if there is one.
  func appending(
    _ step: PathStep, at key: Located<String>, isOptional: Bool
  ) -> Expression {
    guard !isOptional || isAlwaysThere, case .path(let root, let steps) = self else {
      return .member(self, key: key, isOptional: isOptional)
    }
    return .path(root: root, steps: steps + [step])
  }

  /// A step with a computed key or index, as part of the path if there is one and the key is written.
  func appending(
    _ index: Expression, isOptional: Bool, at range: SourceRange
  ) -> Expression {
    if !isOptional || isAlwaysThere, case .path(let root, let steps) = self {
      switch index {
      case .literal(.string(let key)): return .path(root: root, steps: steps + [.key(key)])
      case .literal(.integer(let place)) where place >= 0:
        if let place = Int(exactly: place) {
          return .path(root: root, steps: steps + [.index(place)])
        }
      default: break
      }
    }
    return .element(self, index: index, isOptional: isOptional, at: range)
  }

  /// The names whose parts are known and that are never null: behind `?.`, one is followed by a
  /// part of it.
  private static let lasting: Set<String> = [
    "build", "capture", "clock", "env", "matrix", "request", "scenario", "secrets", "targets",
    "vars",
  ]

  /// True if this is one of the names that are never null.
  private var isAlwaysThere: Bool {
    guard case .path(let root, let steps) = self else { return false }
    return steps.isEmpty && Self.lasting.contains(root.value)
  }
}
