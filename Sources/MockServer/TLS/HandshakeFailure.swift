internal import NIOSSL

/// The reason why a TLS handshake failed.
enum HandshakeFailure: Hashable {
  /// The client does not want the certificate, and says so by an alert.
  case refusal(String)
  /// The client has closed the connection without an alert, as some libraries do that do not want
  /// the certificate; so does a process that ends.
  case closure(String)
  /// The client has no certificate where one is required.
  case missingCertificate
  /// Any other failure.
  case breakdown(String)

  /// Alerts with which a client refuses a certificate (RFC 8446, section 6.2).
  private static let refusals: [UInt8: String] = [
    42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
    45: "certificate_expired", 46: "certificate_unknown", 48: "unknown_ca",
    113: "bad_certificate_status_response",
  ]

  /// Reads an error of the TLS library.
  ///
  /// - Parameters:
  ///   - error: What the library says.
  ///   - plainAlert: The alert that the client sent in the clear, if it did.
  init(_ error: any Error, plainAlert: UInt8?) {
    if let plainAlert, let name = Self.refusals[plainAlert] {
      self = .refusal("alert \(name)")
    } else if error as? NIOSSLError == .handshakeFailed(.sslError([.eofDuringHandshake])) {
      self = .closure("the connection was closed during the handshake")
    } else {
      self.init(reason: Self.reason(in: String(describing: error)))
    }
  }

  private init(reason: String?) {
    guard let reason else {
      self = .breakdown("the handshake failed")
      return
    }
    // BoringSSL calls a received alert TLSV1_ALERT_UNKNOWN_CA or SSLV3_ALERT_BAD_CERTIFICATE.
    if let mark = reason.firstRange(of: "_alert_") {
      let alert = String(reason[mark.upperBound...])
      if Self.refusals.values.contains(alert) {
        self = .refusal("alert \(alert)")
        return
      }
    }
    if reason == "peer_did_not_return_a_certificate" {
      self = .missingCertificate
      return
    }
    self = .breakdown(reason.split(separator: "_").joined(separator: " "))
  }

  /// BoringSSL's word for what happened, from `…:OPENSSL_internal:WRONG_VERSION_NUMBER at FILE:LINE`.
  static func reason(in text: String) -> String? {
    guard let mark = text.firstRange(of: "OPENSSL_internal:") else { return nil }
    let word = text[mark.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return word.isEmpty ? nil : word.lowercased()
  }
}
