/// `{ kind, link, mode, sha256 }` what a file is, beside what it says.
public struct FileProperties: Sendable {
  /// `kind:`.
  public var kind: Located<FileKind>?
  /// `link:` where a symbolic link leads, as readlink(2) has it.
  public var link: Matcher?
  /// `mode:` the lower twelve bits of its mode (inode(7)).
  public var mode: Located<UInt32>?
  /// `sha256:` of its bytes, in lower-case hexadecimal digits.
  public var digest: Located<String>?

  /// Creates properties of nothing.
  public init() {}
}

/// What stands at a path.
public enum FileKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// A symbolic link.
  case link
  /// A fifo, a socket or a device.
  case other
}
