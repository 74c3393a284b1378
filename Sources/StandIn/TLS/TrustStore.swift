/// How programs find their certificate authorities, and how the run's own joins them.
///
/// Neither files nor variables are enough: GnuTLS, libcurl inside other programs and Swift read
/// files only; Node and rustls have their roots compiled in and listen to variables only.
public enum TrustStore {
  /// Bundles at fixed places: Debian, Alpine, Fedora, SUSE, and OpenSSL's own default.
  public static let bundlePaths: [String] = [
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
  public static let bundleSuffixes: [String] = [
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
  public static let keyStorePaths: [String] = [
    "/etc/ssl/certs/java/cacerts",
    "/etc/pki/java/cacerts",
    "/etc/pki/ca-trust/extracted/java/cacerts",
    "/var/lib/ca-certificates/java-cacerts",
  ]

  /// Endings of the paths of stores that a Java brings along.
  public static let keyStoreSuffixes: [String] = ["/lib/security/cacerts"]

  /// What GnuTLS and NSS read by way of p11-kit where no PEM bundle is its source: Fedora, SUSE.
  public static let tokenPaths: [String] = [
    "/usr/share/pki/ca-trust-source/ca-bundle.trust.p11-kit",
    "/usr/share/pki/trust/ca-bundle.trust.p11-kit",
  ]

  /// The system's bundle with the run's authority behind it.
  public static func merged(systemBundle: String, authority: String) -> String {
    var text = systemBundle
    if !text.isEmpty, text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    text += authority
    if text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    return text
  }

  /// The system's source of p11-kit with the run's authority behind it, as an anchor.
  public static func mergedTokens(systemTokens: String, authority: String) -> String {
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

  /// Variables that name a bundle: of libraries, of languages' package managers, of tools.
  ///
  /// `AWS_CA_BUNDLE` is not among them: the AWS SDK for Go refuses to start with it where a program has a transport
  /// of its own, and botocore's bundle is replaced when it is opened.
  private static let bundleNames = [
    "BUNDLE_SSL_CA_CERT", "CARGO_HTTP_CAINFO",
    "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", "COMPOSER_CAFILE", "CURL_CA_BUNDLE", "DENO_CERT",
    "GIT_SSL_CAINFO", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "HEX_CACERTS_PATH", "HTTPLIB2_CA_CERTS",
    "HTTPS_CA_FILE", "JULIA_SSL_CA_ROOTS_PATH", "NIX_SSL_CERT_FILE", "PERL_LWP_SSL_CA_FILE",
    "PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "SYSTEM_CERTIFICATE_PATH",
    "YARN_HTTPS_CA_FILE_PATH", "npm_config_cafile",
  ]

  /// The names of all variables by which programs learn whom they may trust.
  public static let variableNames: Set<String> = Set(
    bundleNames + [
      "AWS_CA_BUNDLE", "JAVA_TOOL_OPTIONS", "NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED",
      "SSL_CERT_DIR", "WGETRC",
    ])

  /// The variables that point programs to the run's authority, sorted by name.
  public static func environment(
    bundlePath: String, authorityPath: String
  ) -> [(String, String)] {
    // Node adds the file to the roots that are compiled in, so it gets the authority alone.
    let pairs = bundleNames.map { ($0, bundlePath) } + [("NODE_EXTRA_CA_CERTS", authorityPath)]
    return pairs.sorted { $0.0 < $1.0 }
  }
}
