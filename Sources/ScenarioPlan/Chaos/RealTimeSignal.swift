/// The real-time signals of glibc on Linux (signal(7)): RTMIN to RTMAX, of which the kernel's first two are kept for
/// threads.
package enum RealTimeSignal {
  private static let first: Int32 = 34
  private static let last: Int32 = 64
  /// Up to here they are counted from RTMIN, as kill(1) lists them.
  private static let middle: Int32 = 49

  /// The name of a number, without SIG; `nil` for other signals.
  package static func name(of number: Int32) -> String? {
    guard (first...last).contains(number) else { return nil }
    if number <= middle { return number == first ? "RTMIN" : "RTMIN+\(number - first)" }
    return number == last ? "RTMAX" : "RTMAX-\(last - number)"
  }

  /// The number of a name such as RTMIN+3 or RTMAX-1, without SIG; `nil` for other names.
  static func number(of name: String) -> Int32? {
    let (base, sign, start): (String, Int32, Int32) =
      name.hasPrefix("RTMIN") ? ("RTMIN+", 1, first) : ("RTMAX-", -1, last)
    if name == base.dropLast() { return start }
    let digits = name.dropFirst(base.count)
    guard name.hasPrefix(base), digits.allSatisfy({ ("0"..."9").contains($0) }),
      let distance = Int32(digits), distance <= last - first
    else { return nil }
    return start + sign * distance
  }
}
