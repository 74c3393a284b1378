package import Foundations
internal import Glibc

/// What a certificate says of its owner (RFC 5280, section 4.1).
package struct CertificateDescription: Hashable, Sendable {
  /// The subject, as RFC 4514 writes names: `CN=alice,O=Example`.
  package let subject: String
  /// The common names of the subject.
  package let commonNames: [String]
  /// The issuer, as RFC 4514 writes names.
  package let issuer: String
  /// The alternative names of hosts, addresses of mail, URIs and IP addresses, in order.
  package let alternativeNames: [String]
  /// The first second of its validity.
  package let notBefore: WallInstant
  /// The last one, which may be before the first.
  package let notAfter: WallInstant
  /// SHA-256 of the certificate, as small hexadecimal digits.
  package let fingerprint: String

  /// Reads a certificate; `nil` if the bytes are none.
  package init?(der bytes: [UInt8]) {
    var whole = DERReader(bytes[...])
    guard var certificate = whole.next(0x30)?.parts, var content = certificate.next(0x30)?.parts
    else { return nil }
    // The version, the serial number, the algorithm.
    _ = content.next(0xa0)
    guard content.next(0x02) != nil, content.next(0x30) != nil,
      let issuer = content.next(0x30).map({ DistinguishedNameText($0.parts) }),
      var times = content.next(0x30)?.parts,
      let first = times.next().flatMap({ Self.instant($0) }),
      let last = times.next().flatMap({ Self.instant($0) }),
      let subject = content.next(0x30).map({ DistinguishedNameText($0.parts) })
    else { return nil }
    self.issuer = issuer.text
    self.subject = subject.text
    commonNames = subject.commonNames
    (notBefore, notAfter) = (first, last)
    alternativeNames = Self.alternativeNames(in: content)
    fingerprint = DigestAlgorithm.sha256.digest(of: bytes).hexadecimal
  }

  /// Describes a certificate of which nothing can be read: it has expired, and only its fingerprint is known.
  package init(unreadable bytes: [UInt8]) {
    (subject, issuer, commonNames, alternativeNames) = ("", "", [], [])
    (notBefore, notAfter) = (.epoch, .epoch)
    fingerprint = DigestAlgorithm.sha256.digest(of: bytes).hexadecimal
  }

  /// A UTCTime or a GeneralizedTime (RFC 5280, section 4.1.2.5).
  private static func instant(_ value: DERReader.Value) -> WallInstant? {
    let digits = value.content.prefix { (0x30...0x39).contains($0) }.map { Int64($0) - 0x30 }
    let yearLength = value.tag == 0x17 ? 2 : 4
    guard value.tag == 0x17 || value.tag == 0x18, digits.count == yearLength + 10 else {
      return nil
    }
    var year = digits.prefix(yearLength).reduce(0) { $0 * 10 + $1 }
    if yearLength == 2 { year += year < 50 ? 2000 : 1900 }
    let pairs = stride(from: yearLength, to: digits.count, by: 2).map {
      digits[$0] * 10 + digits[$0 + 1]
    }
    let date = CivilDate(year: Int(year), month: Int(pairs[0]), day: Int(pairs[1]))
    guard 1...12 ~= date.month,
      1...CivilDate.length(ofMonth: date.month, year: date.year) ~= date.day
    else { return nil }
    return WallInstant(
      seconds: Int64(date.daysSinceEpoch) * 86_400 + pairs[2] * 3_600 + pairs[3] * 60 + pairs[4])
  }

  /// Section 4.2.1.6.
  private static func alternativeNames(in content: DERReader) -> [String] {
    var extensions = content.all.last { $0.tag == 0xa3 }?.parts
    guard let all = extensions?.next(0x30)?.all else { return [] }
    for var parts in all.map(\.parts) {
      guard let identifier = parts.next(0x06), identifier.content.elementsEqual([0x55, 0x1d, 0x11])
      else { continue }
      var value = parts.all.last { $0.tag == 0x04 }?.parts
      return value?.next(0x30)?.all.compactMap { alternativeName($0) } ?? []
    }
    return []
  }

  private static func alternativeName(_ value: DERReader.Value) -> String? {
    switch value.tag {
    case 0x81, 0x82, 0x86: String(validating: value.content, as: UTF8.self)
    case 0x87: addressText(Array(value.content))
    default: nil
    }
  }

  private static func addressText(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
