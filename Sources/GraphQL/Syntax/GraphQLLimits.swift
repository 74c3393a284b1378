/// Bounds on documents, so that none of them costs more than it is worth.
public enum GraphQLLimits {
  /// The longest document in bytes.
  public static let length = 8 * 1024 * 1024
  /// How many tokens a document may have.
  public static let tokens = 400_000
  /// How deep selections, values and types may nest.
  public static let depth = 200
  /// How many errors are told about one document.
  public static let errors = 50
  /// How many requests a batch may hold.
  public static let batch = 1000
}
