package import OrderedCollections

/// Data as JSON knows it, with the order of keys kept.
package enum Value: Hashable, Sendable {
  /// JSON null.
  case null
  /// true or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number; never NaN or infinite.
  case number(Double)
  /// Text.
  case string(String)
  /// A list.
  case list([Value])
  /// A map from text to data, in the order in which the author wrote it.
  case map(OrderedDictionary<String, Value>)
}
