internal import Foundations

/// What changes from one version of the language to the next.
///
/// A step sees the document of its own version and gives edits of its text: comments, styles and everything
/// that the step does not name stay as they are. The number behind `version:` is not its business.
struct UpgradeStep: Sendable {
  /// The version that the step reads; it gives the next one.
  var version: Int64
  /// The edits that a document needs.
  var edits: @Sendable (EditableDocument) -> [TextEdit]
}
