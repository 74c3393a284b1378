/// Reading of byte counts: `100`, `100B`, `4KiB`, `10MiB`, `1KB`.
package enum ByteCountText {
  private static let units: [(name: String, factor: Int)] = [
    ("B", 1), ("KB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20),
    ("GB", 1_000_000_000), ("GiB", 1 << 30),
  ]

  /// The number of bytes.
  ///
  /// - Parameter isRate: whether `/s` may stand behind it.
  package static func parse(_ text: String, isRate: Bool = false) throws(ValueGrammarError) -> Int {
    var rest = text[...]
    if isRate, rest.hasSuffix("/s") { rest = rest.dropLast(2) }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    let unit = String(rest[digits.endIndex...].drop { $0 == " " })
    guard let number = Int(digits), let factor = factor(of: unit) else {
      if let number = Int(digits), let letter = unit.uppercased().first, "KMG".contains(letter),
        ["", "B", "IB"].contains(unit.uppercased().dropFirst())
      {
        let rate = isRate && text.hasSuffix("/s") ? "/s" : ""
        throw ValueGrammarError(
          "\"\(text)\" is not a number of bytes",
          help: "write \"\(number)\(letter)iB\(rate)\" for powers of 1024, "
            + "or \"\(number)\(letter)B\(rate)\" for powers of 1000")
      }
      throw ValueGrammarError(
        "\"\(text)\" is not a number of bytes",
        help: isRate
          ? "write a number and a unit, such as 500B/s or 10KiB/s"
          : "write a number and a unit, such as 100B or 10KiB")
    }
    let (count, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow, count <= 1 << 40 else {
      throw ValueGrammarError("\"\(text)\" is too many bytes", help: "write 1024GiB at most")
    }
    return count
  }

  private static func factor(of unit: String) -> Int? {
    unit.isEmpty ? 1 : units.first { $0.name == unit }?.factor
  }
}
