/// Bounds on documents, so that none of them costs more than it is worth.
package enum GraphQLLimits {
  /// The longest document in bytes.
  package static let length = 8 * 1024 * 1024
  /// How many tokens a document may have.
  package static let tokens = 400_000
  /// How deep selections, values and types may nest.
  package static let depth = 200
  /// How many errors are told about one document.
  package static let errors = 50
  /// How many requests a batch may hold.
  package static let batch = 1000
  /// How many places the files of an upload may have.
  package static let uploads = 1000
  /// How many steps it may take to follow the fragments of a document from all its operations.
  package static let steps = 2_000_000
  /// How many values a result may hold.
  package static let values = 2_000_000
  /// How many bytes of documents are kept for later requests.
  package static let keptBytes = 32 * 1024 * 1024
}
