internal import Cryptography
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
      if let bytes = Base64.decoded(String(body)),
        let certificate = CertificateDescription(der: bytes)
      {
        ends.append(certificate.notAfter)
      }
      rest = rest[last.upperBound...]
    }
    return ends
  }
}
