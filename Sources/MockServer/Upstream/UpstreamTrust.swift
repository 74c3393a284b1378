internal import Glibc
internal import NIOCore
internal import NIOSSL

/// The TLS context for real hosts, made when the first is asked.
///
/// Lives on the event loop.
final class UpstreamTrust {
  private let path: String?
  private var contexts: [Bool: NIOSSLContext] = [:]

  init(path: String?) {
    self.path = path
  }

  /// A context that trusts what the runner trusts: not the run's own authority.
  ///
  /// - Parameter offersHTTP2: whether the host may choose HTTP/2.
  func clientContext(offersHTTP2: Bool = false) throws -> NIOSSLContext {
    if let context = contexts[offersHTTP2] { return context }
    var configuration = TLSConfiguration.makeClientConfiguration()
    let bundle = path ?? TrustStore.bundlePaths.first { access($0, R_OK) == 0 }
    if let bundle { configuration.trustRoots = .file(bundle) }
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = (offersHTTP2 ? [ALPN.http2] : []) + [ALPN.http1]
    configuration.shutdownTimeout = .zero
    let made = try NIOSSLContext(configuration: configuration)
    contexts[offersHTTP2] = made
    return made
  }
}
