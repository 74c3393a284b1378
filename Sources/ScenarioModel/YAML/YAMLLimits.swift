/// How large a scenario file may be.
package struct YAMLLimits: Sendable {
  /// How deep lists and maps may nest, aliases followed.
  package var depth = 100
  /// How many nodes all aliases together may stand for.
  var aliasedNodes = 100_000
  /// How many bytes a file may have.
  package var fileSize = 32 << 20
}
