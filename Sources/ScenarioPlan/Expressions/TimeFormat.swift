internal import Foundations
internal import Patterns

/// Writes instants in UTC by the directives of strftime(3) that every author knows.
enum TimeFormat {
  private static let days = [
    "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let directives = "%Y %m %d %H %M %S %j %y %a %A %b %B %e %F %T %f %L %s %Z %z %%"

  static func text(of instant: WallInstant, as format: String) throws(PatternError) -> String {
    // RFC 3339 has every part at its place: 2026-03-01T09:00:00.25Z
    let written = Array(instant.description.utf8)
    guard written.count >= 20, written[4] == UInt8(ascii: "-") else {
      throw PatternError(
        "the instant \(instant) has no calendar date", help: "use the years 1 to 9999")
    }
    func digits(_ range: Range<Int>) -> String { String(decoding: written[range], as: UTF8.self) }
    let day = instant.seconds >= 0 ? instant.seconds / 86_400 : (instant.seconds - 86_399) / 86_400
    let month = Int(digits(5..<7)) ?? 1
    var result = ""
    var rest = Substring(format)
    while let letter = rest.popFirst() {
      guard letter == "%" else {
        result.append(letter)
        continue
      }
      switch rest.popFirst() {
      case "Y": result += digits(0..<4)
      case "y": result += digits(2..<4)
      case "m": result += digits(5..<7)
      case "d": result += digits(8..<10)
      case "e": result += String(Int(digits(8..<10)) ?? 0)
      case "H": result += digits(11..<13)
      case "M": result += digits(14..<16)
      case "S": result += digits(17..<19)
      case "F": result += digits(0..<10)
      case "T": result += digits(11..<19)
      case "f": result += padded(Int64(instant.nanoseconds) / 1_000, to: 6)
      case "L": result += padded(Int64(instant.nanoseconds) / 1_000_000, to: 3)
      case "s": result += String(instant.seconds)
      case "j": result += padded(try dayOfYear(instant, day), to: 3)
      case "A": result += weekday(day)
      case "a": result += weekday(day).prefix(3)
      case "B": result += months[(month - 1) % 12]
      case "b": result += months[(month - 1) % 12].prefix(3)
      case "Z": result += "UTC"
      case "z": result += "+0000"
      case "%": result += "%"
      case let other:
        let shown = other.map(String.init) ?? ""
        throw PatternError(
          "format_time() does not know \"%\(shown)\"", help: "it knows \(directives)")
      }
    }
    return result
  }

  private static func weekday(_ day: Int64) -> String { days[Int((day % 7 + 7) % 7)] }

  private static func dayOfYear(
    _ instant: WallInstant, _ day: Int64
  ) throws(PatternError) -> Int64 {
    let year = instant.description.prefix(4)
    guard let first = try? WallInstant(text: "\(year)-01-01") else { return 1 }
    return day - first.seconds / 86_400 + 1
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
