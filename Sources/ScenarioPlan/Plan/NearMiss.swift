internal import Foundations

/// What comes nearest to something that is missing in a text.
struct NearMiss {
  /// The lines of a report; empty if nothing is near, or if messages show all of the text.
  var lines: [String] = []
  /// What is missing beside the nearest line.
  var comparison: TextComparison?
}
