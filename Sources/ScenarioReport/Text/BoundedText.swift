/// A text of which no more than a number of bytes is kept: its beginning and its end.
struct BoundedText {
  /// The beginning, or the whole.
  private(set) var head: String
  /// The end; empty if nothing was left out.
  private(set) var tail: String
  /// The number of bytes that were left out between the two.
  private(set) var omitted: Int

  /// Keeps at most `limit` bytes of `text`.
  init(_ text: String, limit: Int) {
    head = text
    tail = ""
    omitted = 0
    shrink(to: limit)
  }

  /// The number of bytes that are kept.
  var count: Int { head.utf8.count + tail.utf8.count }

  /// True if there is nothing to show.
  var isEmpty: Bool { count == 0 && omitted == 0 }

  /// Keeps at most `limit` bytes.
  mutating func shrink(to limit: Int) {
    let before = count
    guard before > limit else { return }
    let half = max(0, limit) / 2
    if omitted == 0 {
      tail = BoundedText.suffix(of: head, limit: half)
    } else {
      tail = BoundedText.suffix(of: tail, limit: half)
    }
    head = BoundedText.prefix(of: head, limit: half)
    omitted += before - count
  }

  /// The text with a note where something was left out; the note names where the whole may be read.
  func text(fullTextIn place: String?) -> String {
    guard omitted > 0 else { return head }
    let whole = place.map { ", full text in \($0)" } ?? ""
    return "\(head)\n…[\(omitted) bytes omitted\(whole)]…\n\(tail)"
  }

  private static func prefix(of text: String, limit: Int) -> String {
    var end = text.utf8.index(text.startIndex, offsetBy: min(limit, text.utf8.count))
    while end < text.endIndex, end > text.startIndex, isContinuation(text.utf8[end]) {
      end = text.utf8.index(before: end)
    }
    return String(decoding: text.utf8[..<end], as: UTF8.self)
  }

  private static func suffix(of text: String, limit: Int) -> String {
    var start = text.utf8.index(text.endIndex, offsetBy: -min(limit, text.utf8.count))
    while start < text.endIndex, isContinuation(text.utf8[start]) {
      start = text.utf8.index(after: start)
    }
    return String(decoding: text.utf8[start...], as: UTF8.self)
  }

  /// Returns whether a byte is within a character's UTF-8 form rather than at its beginning.
  private static func isContinuation(_ byte: UInt8) -> Bool {
    byte & 0xC0 == 0x80
  }
}
