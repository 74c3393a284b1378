internal import Foundations

/// One entry of a trace in the Trace Event Format.
struct TraceEvent {
  /// The phase: `X` lasts, `i` is a moment, `b` and `e` enclose, `M` names.
  var phase: String
  /// The name.
  var name: String
  /// The number of the clock's group that it belongs to.
  var group: Int
  /// The row in it.
  var row: Int
  /// The time of its beginning; `nil` for what has no time.
  var time: Nanoseconds?
  /// The duration; `nil` for a moment.
  var duration: Nanoseconds?
  /// The category.
  var category: String?
  /// The identifier that a beginning and an end share.
  var identifier: Int?
  /// The further arguments: names with JSON.
  var arguments: [(String, String?)] = []

  /// The entry as JSON.
  var json: String {
    PageJSON.object([
      ("ph", "\"\(phase)\""), ("name", PageJSON.text(name, limit: 200)), ("pid", "\(group)"),
      ("tid", "\(row)"), ("ts", time.map(Self.microseconds)),
      ("dur", duration.map(Self.microseconds)), ("cat", category.map(PageJSON.text)),
      ("id", identifier.map { "\($0)" }), ("s", phase == "i" ? "\"t\"" : nil),
      ("args", arguments.isEmpty ? nil : PageJSON.object(arguments)),
    ])
  }

  /// The format counts in microseconds; nanoseconds are its fraction.
  private static func microseconds(_ time: Nanoseconds) -> String {
    let count = max(0, time.count)
    let fraction = String(count % 1_000)
    return "\(count / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}
