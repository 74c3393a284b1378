internal import Foundations

/// Shows a person the last lines of a stream.
enum LastLines {
  /// The maximum number of letters of a line that are shown.
  private static let widthLimit = 500

  /// The lines, below the name of the stream; nothing if there are none.
  ///
  /// - Parameters:
  ///   - end: the end of what was written.
  ///   - isCut: whether something stands before it.
  ///   - count: how many lines are shown.
  static func text(
    _ end: some Collection<UInt8>, isCut: Bool, of name: String, count: Int = 10
  ) -> [String] {
    // A mark tells those who redact that a line has begun before.
    let text = (isCut ? "…" : "") + String(decoding: end, as: UTF8.self)
    let lines = text.split(separator: "\n").suffix(count)
    guard !end.isEmpty, !lines.isEmpty else { return [] }
    return ["\(name):"] + lines.map { "  " + String($0).excerpt(limit: widthLimit) }
  }
}
