package import Foundations

/// `files:` what the target may do to files that are not the scenario's own.
package struct FileSettings: Sendable {
  /// `outside:` the treatment of changes outside of the case's folders; `nil` is a report.
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

/// The handling of the target's changes to files outside of the case's folders.
package enum OutsideRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// The changes happen, unobserved.
  case allow
  /// The changes happen, and are reported.
  case report
  /// The changes fail with EROFS, as on a disk that cannot be written to, and are reported.
  case refuse
}
