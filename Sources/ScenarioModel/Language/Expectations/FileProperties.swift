package import Foundations

/// `{ kind, link, mode, sha256 }` what a file is, beside what it says.
package struct FileProperties: Sendable {
  /// `kind:`.
  package var kind: Located<FileKind>?
  /// `symlink:` where a symbolic link leads, as readlink(2) has it.
  package var link: Matcher?
  /// `mode:` the lower twelve bits of its mode (inode(7)).
  package var mode: Located<UInt32>?
  /// `sha256:` of its bytes, in lower-case hexadecimal digits.
  package var digest: Located<String>?

  /// Creates properties of nothing.
  package init() {}
}
