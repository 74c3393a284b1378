internal import NIOHTTP1

/// A byte range of a request (RFC 9110, section 14.1.2).
enum ByteRange: Hashable {
  /// `bytes=10-19`
  case closed(Int, Int)
  /// `bytes=10-`
  case from(Int)
  /// `bytes=-10`
  case suffix(Int)

  /// Reads a `range` field; `nil` if it is none, or names several: both are answered with the whole.
  init?(field: String) {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let text = parts[1].filter { $0 != " " && $0 != "\t" }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
    switch (first, last) {
    case (let first?, let last?) where first <= last: self = .closed(first, last)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first)
    case (nil, let last?) where ends[0].isEmpty: self = .suffix(last)
    default: return nil
    }
  }

  /// Digits only; a number beyond all bounds is the largest there is.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }

  /// Returns the bytes of a body of this length; `nil` if the range is behind its end.
  func bytes(of length: Int) -> Range<Int>? {
    switch self {
    case .closed(let first, let last):
      return first < length ? first..<min(last, length - 1) + 1 : nil
    case .from(let first):
      return first < length ? first..<length : nil
    case .suffix(let count):
      return count > 0 && length > 0 ? max(0, length - count)..<length : nil
    }
  }
}

extension PreparedReply {
  /// Applies the requested range to the reply (RFC 9110, section 14.2).
  ///
  /// Only a whole representation is cut: a reply 200 with a body of known length. The author's
  /// `accept-ranges: none` keeps it whole.
  mutating func applyRange(of request: HTTPRequestHead) {
    let fields = request.headers["range"]
    guard request.method == .GET, status == 200, case .body(let source) = content,
      fields.count == 1, let range = fields.first.flatMap({ ByteRange(field: $0) }),
      !headers[canonicalForm: "accept-ranges"].contains(where: { $0.lowercased() == "none" }),
      !headers.contains(name: "content-range"), isFresh(request.headers.first(name: "if-range"))
    else { return }
    guard let bytes = range.bytes(of: source.length) else {
      status = 416
      headers.replaceOrAdd(name: "content-range", value: "bytes */\(source.length)")
      headers.remove(name: "content-type")
      content = .empty
      return
    }
    status = 206
    headers.replaceOrAdd(
      name: "content-range",
      value: "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(source.length)")
    content = .body(source.part(bytes))
  }

  /// Returns whether the client's part belongs to this representation (section 13.1.5): the same strong tag, or the
  /// same date.
  private func isFresh(_ condition: String?) -> Bool {
    guard let condition else { return true }
    let name = condition.hasPrefix("\"") ? "etag" : "last-modified"
    return !condition.hasPrefix("W/") && headers.first(name: name) == condition
  }
}
