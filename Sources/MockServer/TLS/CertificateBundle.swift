internal import Cryptography

/// The certificates of a PEM file.
package struct CertificateBundle: Sendable {
  /// The certificates as DER, in order.
  package let certificates: [[UInt8]]

  /// Reads the text of a bundle; what is between certificates is skipped, and so is one that is not Base64.
  package init(pem: some Sequence<UInt8>) {
    var certificates: [[UInt8]] = []
    var content: [UInt8]?
    for line in Array(pem).split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: Self.begin) {
        content = []
      } else if line.starts(with: Self.end) {
        if let bytes = content.flatMap({ Self.decoded($0) }), !bytes.isEmpty {
          certificates.append(bytes)
        }
        content = nil
      } else {
        content?.append(contentsOf: line)
      }
    }
    self.certificates = certificates
  }

  private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
  private static let end = Array("-----END CERTIFICATE-----".utf8)

  /// RFC 4648, section 4; `nil` for anything else but white space.
  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"): continue
      default: return nil
      }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return bytes
  }

  /// A Java key store of the type JKS, which every Java since 1.2 reads whatever it expects, with these
  /// certificates as what is trusted.
  ///
  /// - Parameter password: what the store's digest is made with; Java's own store has "changeit".
  package func javaKeyStore(password: String = "changeit") -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(certificates.reduce(64) { $0 + $1.count + 64 })
    func append(_ value: UInt32) {
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    func append(_ text: String) {
      bytes += [
        UInt8(truncatingIfNeeded: text.utf8.count >> 8), UInt8(truncatingIfNeeded: text.utf8.count),
      ]
      bytes += text.utf8
    }
    append(0xfeed_feed)
    append(2)
    append(UInt32(certificates.count))
    for (index, certificate) in certificates.enumerated() {
      // A trusted certificate: its name, when it was put in (1970), its kind, and itself.
      append(2)
      append("scenario-\(index)")
      append(0)
      append(0)
      append("X.509")
      append(UInt32(certificate.count))
      bytes += certificate
    }
    // The password in UTF-16, and a phrase that Java's own provider begins with.
    let password = password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    return bytes
      + DigestAlgorithm.sha1.digest(of: password + Array("Mighty Aphrodite".utf8) + bytes)
  }
}
