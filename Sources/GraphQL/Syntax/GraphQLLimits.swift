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
  /// How many places the files of an upload may have.
  public static let uploads = 1000
  /// How many steps it may take to follow the fragments of a document from all its operations.
  public static let steps = 2_000_000
  /// How many values a result may hold.
  public static let values = 2_000_000
  /// How many bytes of documents are kept for later requests.
  public static let keptBytes = 32 * 1024 * 1024
}
