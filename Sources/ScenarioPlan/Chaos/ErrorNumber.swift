/// An errno with its name, as errno(3) lists it for Linux.
package struct ErrorNumber: Sendable, Hashable, Codable {
  /// The name, such as `EIO`.
  package var name: String
  /// The positive number.
  package var code: Int32

  /// Creates an errno.
  package init(name: String, code: Int32) {
    self.name = name
    self.code = code
  }
}
