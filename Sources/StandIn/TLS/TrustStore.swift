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
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/usr/lib/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
    "/var/lib/ca-certificates/ca-bundle.pem",
  ]

  /// Endings of the paths of bundles that libraries bring along.
  public static let bundleSuffixes: [String] = [
    "/certifi/cacert.pem",
    "/pip/_vendor/certifi/cacert.pem",
    "/pip/_vendor/requests/cacert.pem",
    "/grpc/_cython/_credentials/roots.pem",
  ]

  /// The system's bundle with the run's authority behind it.
  public static func merged(systemBundle: String, authority: String) -> String {
    var text = systemBundle
    if !text.isEmpty, text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    text += authority
    if text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    return text
  }

  /// The variables that point programs to the run's authority, sorted by name.
  public static func environment(
    bundlePath: String, authorityPath: String
  ) -> [(String, String)] {
    let bundleNames = [
      "AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO", "CURL_CA_BUNDLE", "DENO_CERT", "GIT_SSL_CAINFO",
      "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "PERL_LWP_SSL_CA_FILE", "PIP_CERT",
      "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "npm_config_cafile",
    ]
    // Node adds the file to the roots that are compiled in, so it gets the authority alone.
    let pairs = bundleNames.map { ($0, bundlePath) } + [("NODE_EXTRA_CA_CERTS", authorityPath)]
    return pairs.sorted { $0.0 < $1.0 }
  }
}
