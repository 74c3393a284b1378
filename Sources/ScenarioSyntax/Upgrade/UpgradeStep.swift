internal import Foundations

/// What changes from one version of the language to the next.
///
/// A step gets the document of its own version and returns edits of its text: comments, styles and
/// everything that the step does not name stay as they are. It does not change the number behind
/// `version:`.
struct UpgradeStep: Sendable {
  /// The version that the step reads; it gives the next one.
  var version: Int64
  /// The edits that a document needs.
  var edits: @Sendable (EditableDocument) -> [TextEdit]
}
