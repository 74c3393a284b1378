/// The limits of a scenario file.
package struct YAMLLimits: Sendable {
  /// The greatest depth to which lists and maps may nest, aliases followed.
  package var depth: Int
  /// The maximum number of nodes that all aliases together may expand to.
  var aliasedNodes = 100_000
  /// The number of bytes that a file may have.
  package var fileSize: Int

  /// Creates limits.
  package init(depth: Int = 100, fileSize: Int = 32 << 20) {
    self.depth = depth
    self.fileSize = fileSize
  }
}
