package import Foundations

/// `files:` what the target may do to files that are not the scenario's own.
package struct FileSettings: Sendable {
  /// `outside:` what becomes of changes outside of the case's folders; `nil` is a report.
  package var outside: Located<OutsideRule>?

  /// Creates settings.
  package init(outside: Located<OutsideRule>? = nil) {
    self.outside = outside
  }

  /// The settings with what they do not say taken from others.
  package func over(_ defaults: FileSettings?) -> FileSettings {
    FileSettings(outside: outside ?? defaults?.outside)
  }
}

/// What becomes of changes that the target makes to files outside of the case's folders.
package enum OutsideRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// They happen, and nobody looks.
  case allow
  /// They happen, and it is told.
  case report
  /// They fail with EROFS, as on a disk that cannot be written to, and it is told.
  case refuse
}
