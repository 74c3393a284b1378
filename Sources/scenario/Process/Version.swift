/// What this program calls itself.
enum Version {
  /// Semantic version.
  static let text = "0.1.0"
}
