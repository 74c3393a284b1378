package import OrderedCollections

extension Value {
  /// Returns whether both are the same JSON value: the order of keys does not count, and 1 equals 1.0.
  package func isEqual(to other: Value) -> Bool {
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
        && left.allSatisfy { key, value in
          right[exact: key].map { value.isEqual(to: $0) } ?? false
        }
    default: false
    }
  }
}

extension OrderedDictionary where Key == String {
  /// The value of the key with the same bytes.
  ///
  /// Names of JSON are compared without a thought to Unicode's equivalences (RFC 8259, section 8.3), which
  /// `String` goes by.
  package subscript(exact key: String) -> Value? {
    guard let index = index(forKey: key), !keys[index].isTwin(of: key) else { return nil }
    return values[index]
  }
}
