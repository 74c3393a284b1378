/// A variable by which programs learn which certificate authorities they may trust, as its name is written.
package enum TrustVariable: String, Sendable, CaseIterable, Codable {
  /// botocore and the AWS SDKs.
  case aws = "AWS_CA_BUNDLE"
  /// Bundler.
  case bundler = "BUNDLE_SSL_CA_CERT"
  /// Cargo.
  case cargo = "CARGO_HTTP_CAINFO"
  /// gcloud.
  case googleCloud = "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE"
  /// Composer.
  case composer = "COMPOSER_CAFILE"
  /// curl's command.
  case curl = "CURL_CA_BUNDLE"
  /// Deno.
  case deno = "DENO_CERT"
  /// git.
  case git = "GIT_SSL_CAINFO"
  /// gRPC's core in C.
  case grpc = "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"
  /// Hex, of Elixir and Erlang.
  case hex = "HEX_CACERTS_PATH"
  /// httplib2.
  case httplib2 = "HTTPLIB2_CA_CERTS"
  /// LWP's older releases.
  case httpsFile = "HTTPS_CA_FILE"
  /// Julia.
  case julia = "JULIA_SSL_CA_ROOTS_PATH"
  /// OpenSSL as Nix builds it.
  case nix = "NIX_SSL_CERT_FILE"
  /// Node.js and Bun, which add it to the authorities that are compiled in.
  case node = "NODE_EXTRA_CA_CERTS"
  /// LWP.
  case perl = "PERL_LWP_SSL_CA_FILE"
  /// pip.
  case pip = "PIP_CERT"
  /// Requests, of Python.
  case requests = "REQUESTS_CA_BUNDLE"
  /// OpenSSL, Go, and most programs in Rust.
  case openSSL = "SSL_CERT_FILE"
  /// Haskell.
  case haskell = "SYSTEM_CERTIFICATE_PATH"
  /// Yarn.
  case yarn = "YARN_HTTPS_CA_FILE_PATH"
  /// npm.
  case npm = "npm_config_cafile"
}

extension TrustVariable {
  /// The one that a program most likely goes by.
  ///
  /// - Parameter program: the name of its file; `nil` where it is not known.
  package static func usual(of program: String?) -> TrustVariable {
    switch program {
    case "node", "nodejs", "bun", "npm", "npx", "yarn": .node
    case "deno": .deno
    case "beam.smp": .hex
    default: .openSSL
    }
  }
}
