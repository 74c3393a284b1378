package import ScenarioModel

/// What a client's certificate says, by the names that conditions on it have.
package struct ClientCertificate: Sendable, Hashable {
  private let values: [String: [String]]

  /// - Parameters:
  ///   - subject: the subject, as RFC 4514 writes names.
  ///   - commonNames: the common names of the subject.
  ///   - issuer: the issuer, as RFC 4514 writes names.
  ///   - alternativeNames: hosts, addresses of mail, URIs and IP addresses.
  ///   - fingerprint: SHA-256 of the certificate, as small hexadecimal digits.
  ///   - validity: whether it is valid by the scenario's clock.
  package init(
    subject: String, commonNames: [String], issuer: String, alternativeNames: [String],
    fingerprint: String, validity: CertificateConditions.Validity
  ) {
    values = [
      "subject": [subject], "common_name": commonNames, "issuer": [issuer],
      "alternative_name": alternativeNames,
      "fingerprint": [fingerprint, Self.withColons(fingerprint)], "validity": [validity.rawValue],
    ]
  }

  /// The values of one name; a fingerprint is also there as openssl-x509(1) prints it.
  func values(of name: String) -> [String] { values[name] ?? [] }

  private static func withColons(_ digits: String) -> String {
    let letters = Array(digits.uppercased())
    return stride(from: 0, to: letters.count - 1, by: 2).map { String(letters[$0...$0 + 1]) }
      .joined(separator: ":")
  }
}
