/// A file whose beginning was read to see what it is, and whose rest is still to come.
///
/// What comes from a pipe cannot be read twice.
package struct OpenedStream {
  /// The file; whoever reads the rest closes it.
  package let descriptor: Int32
  /// What was read of it.
  package let head: ArraySlice<UInt8>

  /// Creates one.
  package init(descriptor: Int32, head: ArraySlice<UInt8>) {
    self.descriptor = descriptor
    self.head = head
  }
}
