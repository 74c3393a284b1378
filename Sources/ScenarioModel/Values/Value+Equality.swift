internal import OrderedCollections

extension Value {
  /// Whether both are the same JSON value: the order of keys does not count, and 1 equals 1.0.
  public func isEqual(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    // Compared as integers: two whole numbers may share their nearest Double.
    case (.integer(let left), .number(let right)): left == Int64(exactly: right)
    case (.number(let left), .integer(let right)): Int64(exactly: left) == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.map(let left), .map(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.isEqual(to: $0) } ?? false }
    default: false
    }
  }
}
