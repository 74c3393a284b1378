/// The version of this program.
enum Version {
  /// Semantic version.
  static let text = "0.2.0"
}
