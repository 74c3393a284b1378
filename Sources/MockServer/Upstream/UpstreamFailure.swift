internal import Foundations
internal import Glibc
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL

/// The reason why a real host gave no answer, or not all of one.
enum UpstreamFailure: Error, Hashable {
  /// No process listens there (ECONNREFUSED), or there is no way to it.
  case refused(String, isUnreachable: Bool = false)
  /// The connection was reset (ECONNRESET).
  case reset
  /// The stream of HTTP/2 was reset, with the code of RFC 9113, section 7.
  case streamReset(Int)
  /// The connection was closed before the answer was complete.
  case closed
  /// The answer did not come in time.
  case silent
  /// The lookup of the name failed.
  case lookupFailed(String)
  /// The name has no address.
  case unresolved(String)
  /// TLS could not be agreed upon, or the certificate is not trusted.
  case insecure(String)
  /// The server does not speak TLS.
  case plain
  /// The answer is not HTTP.
  case malformed(String)

  init(_ error: any Error) {
    switch error {
    case let failure as UpstreamFailure: self = failure
    case let error as NIOConnectionError: self = Self.connecting(error)
    case let error as IOError:
      switch error.errnoCode {
      case ENETUNREACH, EHOSTUNREACH:
        self = .refused(SystemText.error(error.errnoCode), isUnreachable: true)
      case ECONNRESET, EPIPE: self = .reset
      case ETIMEDOUT: self = .silent
      default: self = .refused(SystemText.error(error.errnoCode))
      }
    case let error as NIOHTTP2Errors.StreamClosed:
      self = .streamReset(Int(error.errorCode.networkCode))
    case ChannelError.connectTimeout: self = .silent
    case HTTPParserError.invalidEOFState: self = .closed
    case is HTTPParserError: self = .malformed("\(error)")
    case NIOSSLError.uncleanShutdown: self = .closed
    case let error as NIOSSLExtraError: self = .insecure(error.description)
    case is NIOSSLError, is BoringSSLError: self.init(inHandshake: error)
    case is ChannelError: self = .closed
    default: self = .malformed("\(error)")
    }
  }

  init(_ failure: HostLookup.Failure, of name: String) {
    self =
      switch failure {
      case .none: .unresolved("\"\(name)\" has no address")
      case .failed: .lookupFailed("the lookup of \"\(name)\" failed")
      }
  }

  /// What BoringSSL says of the answers of servers that do not speak TLS.
  private static let plainAnswers: Set<String> = [
    "http_request", "https_proxy_request", "wrong_version_number",
  ]

  /// Reads an error of a handshake; its own text names files of the library.
  init(inHandshake error: any Error) {
    guard let reason = HandshakeFailure.reason(in: String(describing: error)) else {
      let isClosed = error as? NIOSSLError == .handshakeFailed(.sslError([.eofDuringHandshake]))
      self = .insecure(
        isClosed ? "the server closed the connection during the handshake" : "the handshake failed")
      return
    }
    self =
      Self.plainAnswers.contains(reason)
      ? .plain : .insecure(reason.split(separator: "_").joined(separator: " "))
  }

  private static func connecting(_ error: NIOConnectionError) -> UpstreamFailure {
    if let first = error.connectionErrors.first { return UpstreamFailure(first.error) }
    if let failure = (error.dnsAError ?? error.dnsAAAAError) as? HostLookup.Failure {
      return UpstreamFailure(failure, of: error.host)
    }
    return .refused("no address of \"\(error.host)\" is reachable")
  }

  /// The failure as a recording has it.
  var fault: RecordedFault {
    switch self {
    case .refused(_, isUnreachable: true): .unreachable
    case .refused: .refuse
    case .reset, .streamReset: .reset
    case .closed: .empty
    case .silent: .hang
    case .lookupFailed: .failedLookup
    case .unresolved: .unknownName
    case .insecure, .plain: .untrusted
    case .malformed: .garbage
    }
  }

  /// The failure in one line, for messages.
  var message: String {
    switch self {
    case .refused(let reason, _):
      "the connection was refused: \(reason.prefix(1).lowercased())\(reason.dropFirst())"
    case .reset: "the connection was reset"
    case .streamReset(let code): "the stream was reset with code \(code)"
    case .closed: "the connection was closed before the answer was complete"
    case .silent: "no data came in time"
    case .lookupFailed(let reason), .unresolved(let reason): reason
    case .insecure(let reason): "TLS failed: \(reason)"
    case .plain: "TLS failed: the server does not speak TLS"
    case .malformed(let reason): "the answer is not HTTP/1: \(reason)"
    }
  }

  /// Advice for the author.
  var help: String {
    switch self {
    case .refused, .unresolved, .lookupFailed:
      "set its address with `network: { upstreams: { HOST: HOST:PORT } }`, or answer it with"
        + " an entry of `responses`"
    case .plain:
      "write http:// in front of its address, as in `network: { upstreams: { HOST: http://HOST:PORT } }`"
    case .insecure:
      "name the authority of its certificates in SSL_CERT_FILE, or answer it with an entry of"
        + " `responses`"
    case .reset, .streamReset, .closed, .silent, .malformed:
      "the target got the same error; to change it, answer the request with an entry of `responses`"
    }
  }
}
