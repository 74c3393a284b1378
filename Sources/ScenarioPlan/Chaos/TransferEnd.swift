/// One of the two descriptors between which the kernel moves bytes by itself (sendfile(2), copy_file_range(2),
/// splice(2)): such a call reads the one and writes the other.
package enum TransferEnd: String, Sendable, Hashable, Codable {
  /// The descriptor that is read.
  case source
  /// The descriptor that is written.
  case target
}
