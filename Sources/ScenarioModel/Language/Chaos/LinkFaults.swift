package import Foundations

/// `link:` whose connections an entry of `chaos:` is about.
package struct LinkPattern: Sendable {
  /// The host, in which `*` matches any letters, and a port where only one is meant.
  package var place: Located<String>
  /// The ends between which it is, as in `n1 <-> n2`; `nil` where it is one of all targets to a host beyond the
  /// scenario's.
  package var ends: LinkEnds?

  /// Creates a pattern.
  package init(place: Located<String>, ends: LinkEnds? = nil) {
    self.place = place
    self.ends = ends
  }
}

/// A fault between a client and its host.
package enum LinkFault: Sendable, Hashable, Codable {
  /// No host listens, and connections that are open end.
  case down
  /// The name is not resolved as it should be.
  case dns(NameAnswer)
  /// The TLS handshake goes wrong.
  case tls(ConnectionFault.HandshakeFault)
  /// Bytes are late, few or none.
  case toxic(Toxic)

  /// The answer to a lookup of a name.
  package enum NameAnswer: Sendable, Hashable, Codable {
    /// A fault in place of an address.
    case fault(ConnectionFault.NameFault)
    /// These addresses in place of the host's.
    case addresses([String])
  }

  /// The phase of a connection that a fault breaks.
  package enum Phase: Sendable, Hashable {
    /// The question for a name.
    case resolving
    /// A connection, from its beginning to its end.
    case connected
  }

  /// The phase that it breaks.
  package var phase: Phase {
    if case .dns = self { return .resolving }
    return .connected
  }

  /// The key or word by which an author writes it.
  package var word: String {
    switch self {
    case .down: "down"
    case .dns: "dns"
    case .tls: "tls"
    case .toxic(let toxic): toxic.kind.word
    }
  }

  /// The fault in a few words, for reports.
  package var text: String {
    switch self {
    case .down: "down"
    case .dns(.fault(let fault)): "dns: \(fault.rawValue)"
    case .dns(.addresses(let addresses)): "dns: \(addresses.joined(separator: ", "))"
    case .tls(let fault): "tls: \(fault.rawValue)"
    case .toxic(let toxic): toxic.text
    }
  }
}

/// A toxic, as Toxiproxy calls it: bytes are late, few or none on their way.
package struct Toxic: Sendable, Hashable, Codable {
  /// The direction of the bytes.
  package enum Stream: String, Sendable, Hashable, Codable, CaseIterable {
    /// The bytes from the client to the host.
    case up = "upstream"
    /// The bytes from the host to the client.
    case down = "downstream"
    /// The bytes of both directions.
    case both
  }

  /// The effect on the bytes.
  package enum Kind: Sendable, Hashable, Codable {
    /// The bytes come later, by `latency` more or less `jitter`.
    case latency(Nanoseconds, jitter: Nanoseconds)
    /// The bytes come at so many for each second.
    case bandwidth(bytesPerSecond: Int)
    /// The end comes later.
    case slowClose(delay: Nanoseconds)
    /// None come; the connection is closed when that time has passed, or never for zero.
    case timeout(Nanoseconds)
    /// The connection is reset, that much time after the byte that comes behind the first `bytes`.
    case resetPeer(timeout: Nanoseconds, bytes: Int)
    /// The bytes come in pieces of about that size, with a delay in between.
    case slicer(averageSize: Int, sizeVariation: Int, delay: Nanoseconds)
    /// The connection is closed behind so many.
    case limitData(bytes: Int)
    /// Packets are lost with that probability: bytes come when they are sent again, datagrams never.
    case loss(Double)
    /// Datagrams come twice with that probability.
    case duplicate(Double)
    /// Datagrams overtake those before them, which are delayed, with that probability.
    case reorder(Double)

    /// Toxiproxy's name.
    package var word: String {
      switch self {
      case .latency: "latency"
      case .bandwidth: "bandwidth"
      case .slowClose: "slow_close"
      case .timeout: "timeout"
      case .resetPeer: "reset_peer"
      case .slicer: "slicer"
      case .limitData: "limit_data"
      case .loss: "loss"
      case .duplicate: "duplicate"
      case .reorder: "reorder"
      }
    }
  }

  /// The effect on the bytes.
  package var kind: Kind
  /// The direction of the bytes.
  package var stream: Stream

  /// Creates a toxic.
  package init(_ kind: Kind, stream: Stream = .down) {
    self.kind = kind
    self.stream = stream
  }

  /// The toxic in a few words, for reports.
  package var text: String {
    let own: String
    switch kind {
    case .latency(let length, .zero): own = "latency \(length)"
    case .latency(let length, let jitter): own = "latency \(length) ± \(jitter)"
    case .bandwidth(let rate): own = "bandwidth \(rate) B/s"
    case .slowClose(let delay): own = "slow_close \(delay)"
    case .timeout(.zero): own = "timeout without end"
    case .timeout(let length): own = "timeout \(length)"
    case .resetPeer(let timeout, let bytes):
      own =
        "reset_peer" + (timeout > .zero ? " \(timeout)" : "")
        + (bytes > 0 ? " behind \(bytes) bytes" : "")
    case .slicer(let size, let variation, let delay):
      own =
        "slicer \(size)" + (variation > 0 ? " ± \(variation)" : "") + " bytes"
        + (delay > .zero ? " each \(delay)" : "")
    case .limitData(let bytes): own = "limit_data \(bytes)"
    case .loss(let part): own = "loss \(part)"
    case .duplicate(let part): own = "duplicate \(part)"
    case .reorder(let part): own = "reorder \(part)"
    }
    return stream == .down ? own : "\(own) (\(stream.rawValue))"
  }
}
