internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOSSL
internal import ScenarioModel

/// TLS contexts, one for each server name.
///
/// Lives on the event loop.
final class TLSContextCache {
  /// The maximum number of cached names; a client that requests more makes the mock server clear its cache.
  static let maximumCount = 4096
  /// The mock server's protocols above TLS.
  static let applicationProtocols = [ALPN.http2, ALPN.http1]

  /// What clients' certificates may be signed with: all that the library can verify.
  ///
  /// By default it leaves some out, and then clients with such a certificate present none.
  private static let signatureAlgorithms: [SignatureAlgorithm] = [
    .ed25519, .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .ecdsaSecp521R1Sha512,
    .rsaPssRsaeSha256, .rsaPssRsaeSha384, .rsaPssRsaeSha512, .rsaPkcs1Sha256, .rsaPkcs1Sha384,
    .rsaPkcs1Sha512, .ecdsaSha1, .rsaPkcs1Sha1,
  ]

  private let authority: CertificateAuthority
  private var contexts: [Key: NIOSSLContext] = [:]

  private struct Key: Hashable {
    let host: String
    let demand: CertificateDemand
  }

  init(authority: CertificateAuthority) {
    self.authority = authority
  }

  /// The context for a host name or an IP address.
  private func context(
    for host: String, asking demand: CertificateDemand
  ) throws -> NIOSSLContext {
    let key = Key(host: host, demand: demand)
    if let known = contexts[key] { return known }
    let leaf = try authority.leaf(for: host)
    let context = try Self.context(leaf.certificate, leaf.key, asking: demand)
    if contexts.count >= Self.maximumCount { contexts.removeAll() }
    contexts[key] = context
    return context
  }

  private static func context(
    _ certificate: NIOSSLCertificate, _ key: NIOSSLPrivateKey, asking demand: CertificateDemand
  ) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = applicationProtocols
    switch demand {
    case .none: break
    case .optional: configuration.certificateVerification = .optionalVerification
    case .required: configuration.certificateVerification = .noHostnameVerification
    }
    if demand != .none { configuration.verifySignatureAlgorithms = signatureAlgorithms }
    // Who has signed clients' certificates is not verified, so the system's roots need not be read.
    configuration.trustRoots = .certificates([])
    // A wait in real time for the peer's farewell would be a wait that no virtual clock knows.
    configuration.shutdownTimeout = .zero
    return try NIOSSLContext(configuration: configuration)
  }

  // MARK: - Faults

  /// A host name that no scenario uses.
  private static let otherHost = "other.invalid"
  private static let day = Nanoseconds.seconds(86_400)

  /// The context for a handshake that goes wrong; the usual one without a fault.
  ///
  /// - Parameters:
  ///   - demand: what clients are asked for.
  ///   - now: the scenario's wall clock, which decides what has expired.
  func context(
    for host: String, asking demand: CertificateDemand, fault: ConnectionFault.HandshakeFault?,
    now: WallInstant
  ) throws -> NIOSSLContext {
    let leaf: (certificate: NIOSSLCertificate, key: NIOSSLPrivateKey)
    switch fault {
    case nil, .stall, .close: return try context(for: host, asking: demand)
    case .expired:
      let end = now + (.zero - Self.day)
      leaf = try authority.issueLeaf(for: host, from: end + (.zero - Self.day), to: end)
    case .notYetValid:
      let begin = now + Self.day
      leaf = try authority.issueLeaf(for: host, from: begin, to: begin + Self.day)
    case .wrongHost: leaf = try authority.issueLeaf(for: Self.otherHost)
    case .untrusted: leaf = try CertificateAuthority().issueLeaf(for: host)
    }
    return try Self.context(leaf.certificate, leaf.key, asking: demand)
  }
}
