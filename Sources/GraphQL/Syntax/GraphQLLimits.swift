/// Bounds on documents, so that none of them costs more than it is worth.
package enum GraphQLLimits {
  /// The longest document in bytes.
  package static let length = 8 * 1024 * 1024
  /// The maximum number of tokens that a document may have.
  package static let tokens = 400_000
  /// The greatest depth to which selections, values and types may nest.
  package static let depth = 200
  /// The number of errors that are reported about one document.
  package static let errors = 50
  /// The maximum number of requests that a batch may hold.
  package static let batch = 1000
  /// The maximum number of places that the files of an upload may have.
  package static let uploads = 1000
  /// The maximum number of steps that it may take to follow the fragments of a document from all its operations.
  package static let steps = 2_000_000
  /// The maximum number of values that a result may hold.
  package static let values = 2_000_000
  /// The number of bytes of documents that are kept for later requests.
  package static let keptBytes = 32 * 1024 * 1024
}
