internal import Cryptography
internal import MockEngine
internal import NIOCore
internal import Patterns

/// The state of one connection of a client.
///
/// Lives on the event loop.
final class ClientConnection {
  /// The host and port that the client requested.
  let destination: Destination
  /// The ports at its two ends.
  private(set) var ports: (source: UInt16, local: UInt16)?
  /// True if it uses TLS.
  var isSecure = false
  /// The name that the client gave in its TLS greeting.
  var serverName: String?

  /// What the handshake has asked the client for.
  var certificateDemand = CertificateDemand.none
  /// The certificate that the client has presented.
  var certificate: CertificateDescription?

  /// True if the author wants it to fail; what the client does then is not reported.
  var isBroken = false

  /// The faulty link that carries it; `nil` where no fault is possible.
  var link: (any FaultyLink)?

  /// The number of its requests that wait for their turn to match.
  var waitingClaims = 0
  /// True if it closes behind a reply that is due before those that wait.
  var takesNoMore = false

  /// The alert that the client sent before its side was encrypted.
  var plainAlert: UInt8?

  /// Called when the client leaves, by the numbers of what waits for that.
  private var departures: [Int: (stream: Int?, body: () -> Void)] = [:]
  private var lastDeparture = 0

  init(destination: Destination) {
    self.destination = destination
  }

  /// Calls back when the client leaves a stream of HTTP/2, or the whole connection.
  ///
  /// - Returns: the number by which that is called off.
  func whenLeft(stream: Int?, _ body: @escaping () -> Void) -> Int {
    lastDeparture += 1
    departures[lastDeparture] = (stream, body)
    return lastDeparture
  }

  /// Calls off what `whenLeft` has returned.
  func forgetDeparture(_ number: Int) {
    departures[number] = nil
  }

  /// The client has left a stream of HTTP/2, or, without one, the connection.
  func leave(stream: Int? = nil) {
    for (number, departure) in departures where departure.stream == stream {
      departures[number] = nil
      departure.body()
    }
  }

  /// Remembers the ports, by which others know the connection.
  func recordPorts(of channel: any Channel) {
    guard let source = channel.remoteAddress?.port.flatMap({ UInt16(exactly: $0) }),
      let local = channel.localAddress?.port.flatMap({ UInt16(exactly: $0) })
    else { return }
    ports = (source, local)
  }

  /// The host in messages.
  var name: String {
    serverName ?? destination.name
  }

  /// The destination in reports.
  var place: String {
    "\(destination.name):\(destination.port)"
  }

  /// The scheme of its requests.
  var scheme: String {
    isSecure ? "https" : "http"
  }

  /// The authority of the latest Host header: most connections have only one.
  private var known: (hostHeader: String?, authority: String)?

  /// The host and the port that a request is for (RFC 9110, section 7.2), as in a URL.
  ///
  /// The Host header rules, since a client may go to one address for many names. A Host header that
  /// names the destination without a port means the port that was connected to: clients written by hand
  /// forget it.
  func authority(hostHeader: String?) -> String {
    if let known, known.hostHeader == hostHeader { return known.authority }
    let authority = readAuthority(hostHeader: hostHeader)
    known = (hostHeader, authority)
    return authority
  }

  private func readAuthority(hostHeader: String?) -> String {
    guard let hostHeader, let (named, port) = HTTPAuthority.split(hostHeader) else {
      return Self.text(host: name, port: destination.port)
    }
    // An address that was made up for a name means the name.
    let isAddress =
      named == destination.address
      || named.contains(":") && IPv6Literal(named) == IPv6Literal(destination.address)
    let host = isAddress ? destination.host ?? named : named
    if let port { return Self.text(host: host, port: port) }
    let isDestination = [serverName, destination.host, destination.address].contains(host)
    return isDestination ? Self.text(host: host, port: destination.port) : Self.text(host: host)
  }

  private static func text(host: String, port: UInt16? = nil) -> String {
    (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
  }
}
