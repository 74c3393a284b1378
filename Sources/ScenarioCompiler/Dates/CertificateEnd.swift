package import Foundations

/// Until when certificates hold (RFC 5280): what is found of that in texts in PEM.
package enum CertificateEnd {
  /// The ends of the certificates in a text, in order.
  package static func ends(inPEM text: String) -> [WallInstant] {
    let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
    var ends: [WallInstant] = []
    var rest = text[...]
    while let first = rest.firstRange(of: begin),
      let last = rest[first.upperBound...].firstRange(of: end)
    {
      let body = rest[first.upperBound..<last.lowerBound].filter { !$0.isWhitespace }
      if let bytes = Base64.decoded(String(body)), let instant = self.end(inDER: bytes) {
        ends.append(instant)
      }
      rest = rest[last.upperBound...]
    }
    return ends
  }

  /// `notAfter` of a certificate; `nil` if it is none.
  private static func end(inDER bytes: [UInt8]) -> WallInstant? {
    var outer = DERReader(bytes[...])
    guard var certificate = outer.take(tag: 0x30), var body = certificate.take(tag: 0x30) else {
      return nil
    }
    // version [0], serialNumber, signature, issuer
    _ = body.take(tag: 0xa0)
    guard body.take(tag: 0x02) != nil, body.take(tag: 0x30) != nil, body.take(tag: 0x30) != nil,
      var validity = body.take(tag: 0x30)
    else { return nil }
    guard validity.takeTime() != nil else { return nil }
    return validity.takeTime()
  }
}

/// Reads values of DER one after the other (X.690).
private struct DERReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The content of the next value; `nil`, and nothing is taken, if it has another tag or is cut off.
  mutating func take(tag: UInt8) -> DERReader? { content(tag).map { DERReader($0) } }

  private mutating func content(_ tag: UInt8) -> ArraySlice<UInt8>? {
    guard rest.first == tag, rest.count >= 2 else { return nil }
    var place = rest.startIndex + 2
    var length = Int(rest[rest.startIndex + 1])
    if length >= 0x80 {
      let count = length - 0x80
      guard 1...4 ~= count, rest.endIndex - place >= count else { return nil }
      length = rest[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
      place += count
    }
    guard rest.endIndex - place >= length else { return nil }
    defer { rest = rest[(place + length)...] }
    return rest[place..<place + length]
  }

  /// UTCTime or GeneralizedTime, in UTC.
  mutating func takeTime() -> WallInstant? {
    let isShort = rest.first == 0x17
    guard let bytes = content(isShort ? 0x17 : 0x18) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard digits.count == (isShort ? 12 : 14), text == digits + "Z" else { return nil }
    // RFC 5280: years from 50 on are of the last century.
    let whole = isShort ? (digits < "50" ? "20" : "19") + digits : String(digits)
    let parts = whole.map { Int64(String($0)) ?? 0 }
    func number(_ first: Int, _ count: Int) -> Int {
      Int(parts[first..<first + count].reduce(0) { $0 * 10 + $1 })
    }
    let day = CivilDate(year: number(0, 4), month: number(4, 2), day: number(6, 2))
    guard 1...12 ~= day.month,
      1...CivilDate.length(ofMonth: day.month, year: day.year) ~= day.day
    else { return nil }
    return WallInstant(
      seconds: Int64(day.daysSinceEpoch) * 86_400
        + Int64(number(8, 2) * 3_600 + number(10, 2) * 60 + number(12, 2)))
  }
}
