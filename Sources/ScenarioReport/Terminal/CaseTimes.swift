internal import Foundations

/// The times of a case as its line shows them.
enum CaseTimes {
  /// The width of virtual time, in columns, where times are aligned.
  private static let virtualWidth = 9

  /// Real time, and virtual time where there is any: `   0.031s real, 14d virtual`.
  ///
  /// - Parameter isAligned: whether virtual times end in the same column.
  static func text(real: Nanoseconds, virtual: Nanoseconds?, isAligned: Bool) -> String {
    let time = padded(DurationText.seconds(real), to: 8) + "s"
    guard let virtual else { return time }
    let text = isAligned ? padded(virtual.description, to: virtualWidth) : virtual.description
    return "\(time) real, \(text) virtual"
  }

  /// Returns a length of time that is still growing, without digits that change too fast to be
  /// read.
  static func rounded(_ length: Nanoseconds) -> Nanoseconds {
    guard length != .forever, length >= .seconds(1) else {
      return Nanoseconds(length.count / 1_000_000 * 1_000_000)
    }
    return Nanoseconds(length.count / 100_000_000 * 100_000_000)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}
