/// A text whose lines all end with LF, and how they end in truth: with LF or with CR LF.
struct LineEnds {
  /// The text, each line's end LF.
  private(set) var text: String
  private var lines: [ArraySlice<UInt8>]
  /// Whether each line ends with CR LF.
  private var haveReturns: [Bool]

  /// Reads the line ends of a text.
  init(_ original: String) {
    let found = Self.lines(of: original)
    haveReturns = found.dropLast().map { $0.last == UInt8(ascii: "\r") } + [false]
    lines = zip(found, haveReturns).map { $1 ? $0.dropLast() : $0 }
    text = String(
      decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  /// The text with its lines' ends.
  var original: String {
    var bytes: [UInt8] = []
    for (index, line) in lines.enumerated() {
      bytes += line
      if index < lines.count - 1 {
        bytes += haveReturns[index] ? Array("\r\n".utf8) : Array("\n".utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces the content: lines that stay keep their ends, and new ones end as those in whose
  /// place they are.
  mutating func replace(with content: String) {
    let new = Self.lines(of: content)
    let limit = min(lines.count, new.count)
    let head = (0..<limit).first { lines[$0] != new[$0] } ?? limit
    let rest = limit - head
    let tail =
      (0..<rest).first { lines[lines.count - 1 - $0] != new[new.count - 1 - $0] } ?? rest
    let hasReturn = head < lines.count - 1 ? haveReturns[head] : haveReturns[0]
    haveReturns =
      haveReturns.prefix(head)
      + [Bool](repeating: hasReturn, count: new.count - head - tail) + haveReturns.suffix(tail)
    lines = new
    text = content
  }

  private static func lines(of text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
}
