package import Foundations

/// `fault:` of a reply: how the exchange goes wrong instead of ending well.
package enum ReplyFault: Sendable, Hashable, Codable {
  /// The connection is reset (RST) without a byte.
  case reset
  /// The head comes, then the connection is closed where the body should begin.
  case close
  /// The connection is closed without a byte.
  case empty
  /// No byte comes, and the connection stays open.
  case hang
  /// Bytes that are no HTTP come, then the connection is closed.
  case garbage
  /// The head promises chunks, and what comes is none.
  case malformedChunk
  /// The server takes no more on the connection (GOAWAY, RFC 9113 section 6.8); HTTP/1 closes it.
  case goAway
  /// The connection is closed behind so many bytes of the body.
  case truncate(bytes: Int)
  /// The body comes at so many bytes for each second of virtual time.
  case slow(bytesPerSecond: Int)

  /// The faults that are single words, as an author writes them.
  package static let words: [(word: String, fault: ReplyFault)] = [
    ("close", .close), ("empty", .empty), ("garbage", .garbage), ("goaway", .goAway),
    ("hang", .hang), ("malformed_chunk", .malformedChunk), ("reset", .reset),
  ]

  /// The fault as an author writes it.
  package var text: String {
    switch self {
    case .truncate(let bytes): "truncate: \(bytes)"
    case .slow(let rate): "bandwidth: \(rate)"
    default: Self.words.first { $0.fault == self }?.word ?? ""
    }
  }

  /// True if a part of the reply is sent, so that it has a status, headers and a body.
  package var sendsReply: Bool {
    switch self {
    case .close, .truncate, .slow, .malformedChunk: true
    case .reset, .empty, .hang, .garbage, .goAway: false
    }
  }

  /// True if nothing more comes on the connection.
  package var endsConnection: Bool {
    switch self {
    case .hang, .slow: false
    case .reset, .close, .empty, .garbage, .malformedChunk, .goAway, .truncate: true
    }
  }

  /// True if the fault says something of a body, so that the reply must have one.
  package var needsBody: Bool {
    switch self {
    case .close, .truncate, .slow: true
    case .reset, .empty, .hang, .garbage, .goAway, .malformedChunk: false
    }
  }
}

/// `fault:` of an entry with `host:`: how a connection goes wrong before any request.
package enum ConnectionFault: Sendable, Hashable, Codable {
  /// connect(2) fails with ECONNREFUSED.
  case refuse
  /// connect(2) fails with EHOSTUNREACH.
  case unreachable
  /// The name is not resolved.
  case dns(NameFault)
  /// The TLS handshake goes wrong.
  case tls(HandshakeFault)

  /// The error of a name that is not resolved.
  package enum NameFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// The name does not exist (RFC 1035, RCODE 3).
    case nxdomain
    /// The server failed (RCODE 2).
    case servfail
    /// The answer does not come.
    case timeout
    /// The server does not want to answer (RCODE 5).
    case refused
    /// The name exists, and has no address (RFC 2308, section 2.2).
    case nodata
    /// The answer does not fit into a datagram (TC, RFC 1035 section 4.1.1), and comes over TCP.
    case truncated
  }

  /// The fault of a TLS handshake.
  package enum HandshakeFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// The certificate has ended a day ago, in virtual time.
    case expired
    /// The certificate begins in a day, in virtual time.
    case notYetValid = "not_yet_valid"
    /// The certificate is another host's.
    case wrongHost = "wrong_host"
    /// The certificate is signed by an unknown authority.
    case untrusted
    /// The server never answers the greeting.
    case stall
    /// The connection is closed behind the greeting.
    case close
  }

  /// The faults that are single words, as an author writes them.
  package static let words: [(word: String, fault: ConnectionFault)] = [
    ("refuse", .refuse), ("unreachable", .unreachable),
  ]

  /// The fault as an author writes it.
  package var text: String {
    switch self {
    case .refuse: "refuse"
    case .unreachable: "unreachable"
    case .dns(let fault): "dns: \(fault.rawValue)"
    case .tls(let fault): "tls: \(fault.rawValue)"
    }
  }
}

/// An entry of `responses:` with `host:`: connections to a host that go wrong.
package struct HostPattern: Sendable {
  /// `host:` the name, may hold `*`, with a port where only one is meant.
  package var host: Located<String>
  /// `fault:`.
  package var fault: ConnectionFault
  /// `times:` how many connections or questions go wrong; `nil` is all.
  package var times: Int?

  /// Creates a pattern.
  package init(host: Located<String>, fault: ConnectionFault, times: Int?) {
    self.host = host
    self.fault = fault
    self.times = times
  }
}

/// `then:` what an entry does when its queue is empty.
///
/// Unless an author says one of these, later entries may answer, and a request that none answers fails the
/// scenario whatever `unmatched:` says.
package enum QueueEnd: String, Sendable, Hashable, Codable, CaseIterable {
  /// The next request fails the scenario, also where a later entry would answer it.
  case fail
  /// The last reply answers on.
  case `repeat`
  /// The queue begins anew.
  case cycle
  /// Later entries answer, and where none does, the request is like any other that no entry is for.
  case next
  /// The request goes to the real host.
  case live

  /// True if the entry answers any number of requests.
  package var isEndless: Bool {
    self == .repeat || self == .cycle
  }
}
