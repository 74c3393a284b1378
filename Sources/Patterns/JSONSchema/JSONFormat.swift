internal import Foundations

/// The formats that are checked (JSON Schema validation, section 7.3).
package enum JSONFormat: String, Sendable, CaseIterable {
  case date
  case dateTime = "date-time"
  case time
  case duration
  case email
  case hostname
  case ipv4
  case ipv6
  case uri
  case uuid
  case regex

  /// Returns whether a text has the format.
  func matches(_ text: String) -> Bool {
    switch self {
    case .date:
      Self.isFull(text, Self.datePattern) && (try? WallInstant(text: text + "T00:00:00Z")) != nil
    case .dateTime:
      Self.isFull(text.uppercased(), Self.datePattern + "T" + Self.timePattern)
        && (try? WallInstant(text: String(text.prefix(10)).uppercased() + "T00:00:00Z")) != nil
    case .time: Self.isFull(text.uppercased(), Self.timePattern)
    case .duration:
      Self.isFull(text, #"P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)"#)
        && text != "P" && !text.hasSuffix("T")
    case .email: Self.isFull(text, #"[^\s@]+@[^\s@]+"#)
    case .hostname:
      text.utf8.count <= 253
        && Self.isFull(
          text,
          #"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"#
        )
    case .ipv4: Self.isIPv4(text)
    case .ipv6: Self.isIPv6(text)
    case .uri: Self.isFull(text, #"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\x22{}|\\^`]*"#)
    case .uuid: Self.isFull(text, "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
    case .regex: (try? RegularExpression(text).validate()) != nil
    }
  }

  private static let datePattern = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
  private static let timePattern =
    #"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"#

  private static func isFull(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? LinearExpression("\\A(?:\(pattern))\\z") else { return false }
    if case .found = expression.search(in: text) { return true }
    return false
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && UInt8(part) != nil && (part.utf8.count == 1 || part.utf8.first != 0x30)
      }
  }

  /// RFC 4291, section 2.2.
  private static func isIPv6(_ text: String) -> Bool {
    var text = text
    if let colon = text.lastIndex(of: ":"), text[colon...].contains(".") {
      guard isIPv4(String(text[text.index(after: colon)...])) else { return false }
      text = text[...colon] + "0:0"
    }
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return false }
    let groups = halves.flatMap { $0.split(separator: ":", omittingEmptySubsequences: false) }
      .filter { halves.count == 1 || !$0.isEmpty }
    let areValid = groups.allSatisfy { group in
      (1...4).contains(group.utf8.count) && UInt16(group, radix: 16) != nil && group.first != "+"
    }
    return areValid && (halves.count == 2 ? groups.count <= 7 : groups.count == 8)
  }
}
