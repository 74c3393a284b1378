package import Foundations

/// The types that a variable may have, by the names of JSON Schema.
package enum VariableType: String, Sendable, Hashable, Codable, CaseIterable {
  case string
  case integer
  case number
  case boolean
  case array
  case object

  /// The type of a value; `nil` for null, which says none.
  package init?(of value: Value) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .integer: self = .integer
    case .number: self = .number
    case .string: self = .string
    case .list: self = .array
    case .map: self = .object
    }
  }

  /// Returns whether a value is of the type; a whole number is a number.
  package func includes(_ value: Value) -> Bool {
    let own = VariableType(of: value)
    return own == self || self == .number && own == .integer
  }

  /// The type in the words of an author.
  package var described: String {
    switch self {
    case .string: "text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .array: "a list"
    case .object: "a map"
    }
  }
}
