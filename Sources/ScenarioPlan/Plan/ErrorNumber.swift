/// An errno with its name, as errno(3) lists it for Linux.
public struct ErrorNumber: Sendable, Hashable, Codable {
  /// The name, such as `EIO`.
  public var name: String
  /// The positive number.
  public var code: Int32

  /// Creates an errno.
  public init(name: String, code: Int32) {
    self.name = name
    self.code = code
  }
}
