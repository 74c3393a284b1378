internal import NIOCore
internal import NIOSSL

/// TLS contexts, one for each server name.
///
/// Lives on the event loop.
final class LeafContexts {
  /// How many names are kept; a client that asks for more makes the stand-in begin anew.
  static let maximumCount = 4096
  /// What the stand-in speaks above TLS.
  static let applicationProtocols = [ProtocolHandler.http2, "http/1.1"]

  private let authority: CertificateAuthority
  private var contexts: [String: NIOSSLContext] = [:]

  init(authority: CertificateAuthority) {
    self.authority = authority
  }

  /// The context for a host name or an IP address.
  func context(for host: String) throws -> NIOSSLContext {
    if let known = contexts[host] { return known }
    let leaf = try authority.leaf(for: host)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(leaf.certificate)], privateKey: .privateKey(leaf.key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = Self.applicationProtocols
    // Clients are not verified, so the system's roots need not be read.
    configuration.trustRoots = .certificates([])
    // A wait in real time for the peer's farewell would be a wait that no virtual clock knows.
    configuration.shutdownTimeout = .zero
    let context = try NIOSSLContext(configuration: configuration)
    if contexts.count >= Self.maximumCount { contexts.removeAll() }
    contexts[host] = context
    return context
  }
}
