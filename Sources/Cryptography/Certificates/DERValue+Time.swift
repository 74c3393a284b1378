internal import Foundations

extension DERValue {
  /// 1950-01-01T00:00:00Z: certificates know no dates before it (RFC 5280, section 4.1.2.5.1).
  private static let earliest: Int64 = -631_152_000
  /// 9999-12-31T23:59:59Z, "no well-defined expiration" (section 4.1.2.5).
  private static let latest: Int64 = 253_402_300_799
  private static let secondsPerDay: Int64 = 86_400

  /// A whole second as section 4.1.2.5 wants it: a UTCTime through 2049, a GeneralizedTime from then on; what no
  /// certificate can say becomes the first or the last second that one can.
  static func time(_ instant: WallInstant) -> DERValue {
    let seconds = min(max(instant.seconds, earliest), latest)
    let (days, rest) = (seconds - earliest).quotientAndRemainder(dividingBy: secondsPerDay)
    let date = CivilDate(daysSinceEpoch: Int(days + earliest / secondsPerDay))
    let time = [date.month, date.day, Int(rest / 3600), Int(rest / 60 % 60), Int(rest % 60)]
    let digits = time.flatMap { decimal($0, digits: 2) } + [UInt8(ascii: "Z")]
    return date.year < 2050
      ? DERValue(tag: 0x17, decimal(date.year % 100, digits: 2) + digits)
      : DERValue(tag: 0x18, decimal(date.year, digits: 4) + digits)
  }

  private static func decimal(_ number: Int, digits: Int) -> [UInt8] {
    var rest = number
    var text: [UInt8] = []
    for _ in 0..<digits {
      text.insert(UInt8(ascii: "0") + UInt8(rest % 10), at: 0)
      rest /= 10
    }
    return text
  }
}
