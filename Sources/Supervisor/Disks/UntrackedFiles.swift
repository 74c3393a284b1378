/// The files that a crash leaves alone where they stand, and of which not every change is known.
struct UntrackedFiles {
  /// The maximum number of files that are told apart.
  static let limit = 1 << 16

  /// `nil` if they are too many to be told apart.
  private var identities: Set<FileIdentity>? = []

  /// Adds a file.
  mutating func insert(_ identity: FileIdentity) {
    identities?.insert(identity)
    if identities?.count ?? 0 > Self.limit { identities = nil }
  }

  /// Returns whether a file may be one of them, or a folder may hold one.
  func mayHold(_ identity: FileIdentity, isFolder: Bool) -> Bool {
    guard let identities else { return true }
    return isFolder ? !identities.isEmpty : identities.contains(identity)
  }
}
