internal import Foundations
internal import NIOHTTP1

/// Dates in the fields of a reply that are written as distances from now: `+14d`, `-1h`.
///
/// An author cannot know when a reply leaves; `expires: +1h` and `set-cookie: "id=7; Expires=+14d"` say what
/// is meant, and the field carries the date in virtual time.
enum VirtualDates {
  /// Fields whose value is one date (RFC 9110, section 5.6.7).
  private static let dateFields = ["date", "expires", "last-modified", "retry-after", "sunset"]
  private static let cookieField = "set-cookie"
  private static let cookieAttribute = "expires="

  /// Puts dates in the place of distances.
  static func resolve(_ headers: inout HTTPHeaders, at now: WallInstant) {
    guard headers.contains(where: { isCandidate($0.name, $0.value) }) else { return }
    headers = HTTPHeaders(
      headers.map { name, value in
        isCandidate(name, value) ? (name, resolved(name.lowercased(), value, now)) : (name, value)
      })
  }

  private static func isCandidate(_ name: String, _ value: String) -> Bool {
    value.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      && (dateFields.contains(name.lowercased()) || name.lowercased() == cookieField)
  }

  private static func resolved(_ name: String, _ value: String, _ now: WallInstant) -> String {
    guard name == cookieField else { return date(value, now) ?? value }
    return value.split(separator: ";", omittingEmptySubsequences: false).map { part in
      let text = String(part.drop { $0 == " " })
      let space = part.prefix { $0 == " " }
      guard text.lowercased().hasPrefix(cookieAttribute),
        let date = date(String(text.dropFirst(cookieAttribute.count)), now)
      else { return String(part) }
      return space + text.prefix(cookieAttribute.count) + date
    }.joined(separator: ";")
  }

  /// Returns the date of a distance; `nil` if the text is none.
  private static func date(_ text: String, _ now: WallInstant) -> String? {
    guard let sign = text.first, sign == "+" || sign == "-",
      let distance = try? Nanoseconds(text: String(text.dropFirst())), distance >= .zero
    else { return nil }
    return HTTPDate.text(now + (sign == "+" ? distance : -distance))
  }
}
