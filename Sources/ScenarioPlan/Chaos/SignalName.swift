internal import Foundations
package import Patterns

/// The signals of Linux on x86-64 (signal(7)), without SIG.
package enum SignalName {
  /// Name and number; `SIG` in front is allowed.
  package static func named(_ text: String) throws(PatternError) -> (name: String, number: Int32) {
    let name = text.hasPrefix("SIG") ? String(text.dropFirst(3)) : text
    if let number = RealTimeSignal.number(of: name) {
      return (RealTimeSignal.name(of: number) ?? name, number)
    }
    guard let entry = table.first(where: { $0.name == name }) else {
      throw PatternError(
        "unknown signal \"\(text)\"",
        help: Suggestion.help(
          for: name, in: table.map(\.name) + ["RTMIN", "RTMAX"], label: "known signals"))
    }
    return entry
  }

  /// The name of a signal; its number where it has none.
  static func name(of number: Int32) -> String {
    table.first { $0.number == number }?.name ?? RealTimeSignal.name(of: number)
      ?? "signal \(number)"
  }

  private static let table: [(name: String, number: Int32)] = [
    ("HUP", 1), ("INT", 2), ("QUIT", 3), ("ILL", 4), ("TRAP", 5), ("ABRT", 6), ("BUS", 7),
    ("FPE", 8), ("KILL", 9), ("USR1", 10), ("SEGV", 11), ("USR2", 12), ("PIPE", 13),
    ("ALRM", 14), ("TERM", 15), ("STKFLT", 16), ("CHLD", 17), ("CONT", 18), ("STOP", 19),
    ("TSTP", 20), ("TTIN", 21), ("TTOU", 22), ("URG", 23), ("XCPU", 24), ("XFSZ", 25),
    ("VTALRM", 26), ("PROF", 27), ("WINCH", 28), ("IO", 29), ("PWR", 30), ("SYS", 31),
  ]
}
