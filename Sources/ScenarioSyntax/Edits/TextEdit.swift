internal import Foundations

/// A change of some letters of a text: what stands in a stretch of one line becomes another text.
struct TextEdit: Hashable, Sendable {
  /// The stretch.
  var range: SourceRange
  /// What stands there then.
  var replacement: String
}
