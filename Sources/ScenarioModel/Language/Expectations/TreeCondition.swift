package import Foundations

/// A condition on a whole folder: an entry of `expect.files` whose path ends with `/`.
package struct TreeCondition: Sendable {
  /// The content that the folder is compared with.
  package enum Content: Sendable {
    /// `folder:`: a folder of the project, file by file.
    case folder(Located<String>)
    /// `only:`: paths and globs; each is there, and nothing else.
    case only([Located<String>])
    /// `snapshot:`: a text of all files; without a name the scenario gives one.
    case snapshot(Located<String>?)
  }

  /// The content that the folder is compared with.
  package var content: Content
  /// The place of that content.
  package var range: SourceRange
  /// `ignore:`: paths and globs, relative to the folder, that do not count.
  package var ignored: [Located<String>] = []
  /// `modes: true`: whether it counts that a file may be executed.
  package var comparesModes = false

  /// Creates a condition.
  package init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}
