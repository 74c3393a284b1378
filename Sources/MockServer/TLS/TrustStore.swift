package import ScenarioModel

/// The files and variables by which programs find certificate authorities, the run's own among them.
///
/// Neither files nor variables are enough: GnuTLS, libcurl inside other programs and Swift read
/// files only; Node and rustls have their roots compiled in and listen to variables only.
package enum TrustStore {
  /// Bundles at fixed places: Debian, Alpine, Fedora, SUSE, and OpenSSL's own default.
  package static let bundlePaths: [String] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/certs/ca-bundle.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/usr/lib/ssl/cert.pem",
    "/usr/lib/ssl/certs/ca-certificates.crt",
    "/usr/local/ssl/cert.pem",
    "/usr/local/etc/openssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
    "/var/lib/ca-certificates/ca-bundle.pem",
  ]

  /// Endings of the paths of bundles that libraries and languages bring along.
  package static let bundleSuffixes: [String] = [
    "/certifi/cacert.pem",
    "/pip/_vendor/requests/cacert.pem",
    "/requests/cacert.pem",
    "/botocore/cacert.pem",
    "/httplib2/cacerts.txt",
    "/stripe/data/ca-certificates.crt",
    "/grpc/_cython/_credentials/roots.pem",
    "/grpc/etc/roots.pem",
    "/grpc-core/etc/roots.pem",
    "/Mozilla/CA/cacert.pem",
    "/ca-bundle/res/cacert.pem",
  ]

  /// Java's store at the places where distributions keep one for all.
  package static let keyStorePaths: [String] = [
    "/etc/ssl/certs/java/cacerts",
    "/etc/pki/java/cacerts",
    "/etc/pki/ca-trust/extracted/java/cacerts",
    "/var/lib/ca-certificates/java-cacerts",
  ]

  /// Endings of the paths of stores that a Java brings along.
  package static let keyStoreSuffixes: [String] = ["/lib/security/cacerts"]

  /// The files that GnuTLS and NSS read by way of p11-kit where no PEM bundle is its source: Fedora, SUSE.
  package static let tokenPaths: [String] = [
    "/usr/share/pki/ca-trust-source/ca-bundle.trust.p11-kit",
    "/usr/share/pki/trust/ca-bundle.trust.p11-kit",
  ]

  /// The system's bundle with the run's authority behind it.
  package static func merged(systemBundle: String, authority: String) -> String {
    var text = systemBundle
    if !text.isEmpty, text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    text += authority
    if text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    return text
  }

  /// The system's source of p11-kit with the run's authority behind it, as an anchor.
  package static func mergedTokens(systemTokens: String, authority: String) -> String {
    merged(
      systemBundle: systemTokens,
      authority: """
        [p11-kit-object-v1]
        trusted: true
        x-distrusted: false
        private: false
        certificate-category: authority
        \(authority)
        """)
  }

  /// The names of all variables by which programs learn which certificate authorities to trust.
  package static let variableNames: Set<String> = Set(
    TrustVariable.allCases.map(\.rawValue) + [
      "JAVA_TOOL_OPTIONS", "NODE_TLS_REJECT_UNAUTHORIZED", "SSL_CERT_DIR", "WGETRC",
    ])

  /// The file that a variable is to name.
  package static func file(
    for variable: TrustVariable, bundlePath: String, authorityPath: String
  ) -> String {
    // Node adds the file to the roots that are compiled in, so it gets the authority alone.
    variable == .node ? authorityPath : bundlePath
  }
}
