package import Foundations

/// One entry of `network.hosts`: hosts, and who answers for them.
package struct HostMode: Sendable {
  /// A host name in lower case; `*` matches any letters, as in `*.internal.test`.
  package var pattern: Located<String>
  /// The mode, which decides who answers.
  package var mode: Located<NetworkSettings.Mode>

  /// Creates an entry.
  package init(pattern: Located<String>, mode: Located<NetworkSettings.Mode>) {
    self.pattern = pattern
    self.mode = mode
  }
}

/// An entry of `network.hosts`: a host, and the target that answers for it.
package struct HostRoute: Sendable {
  /// The host's name in lower case.
  package var host: Located<String>
  /// The target's name.
  package var target: Located<String>

  /// Creates an entry.
  package init(host: Located<String>, target: Located<String>) {
    self.host = host
    self.target = target
  }
}

/// A host, and a port where only one is meant.
package struct HostAddress: Sendable, Hashable, Codable {
  /// The name or address in lower case, without brackets.
  package var host: String
  /// The port; `nil` is any.
  package var port: UInt16?

  /// Reads `HOST` or `HOST:PORT`; `nil` if the text is neither.
  package init?(text: String) {
    var host = text[...]
    var portText: Substring?
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<bracket]
      let behind = text[text.index(after: bracket)...]
      guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
      portText = behind.isEmpty ? nil : behind.dropFirst()
    } else if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      portText = text[text.index(after: colon)...]
      guard !host.contains(":") else { return nil }
    }
    let isName = host.utf8.allSatisfy { byte in
      byte < 0x80
        && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
          || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":")]
            .contains(byte))
    }
    guard !host.isEmpty, host.utf8.count <= 253, isName else { return nil }
    self.host = host.lowercased()
    guard let portText else {
      port = nil
      return
    }
    guard let port = UInt16(portText), port > 0 else { return nil }
    self.port = port
  }

  /// The place as text.
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }
}

/// One entry of `network.upstreams`: the address at which a host is reached instead.
package struct UpstreamRule: Sendable, Hashable, Codable {
  /// The host that is meant.
  package var meant: HostAddress
  /// The host and port to connect to.
  package var actual: HostAddress
  /// Whether that speaks TLS; `nil` is as the client does.
  package var isSecure: Bool?

  /// Creates an entry.
  package init(meant: HostAddress, actual: HostAddress, isSecure: Bool? = nil) {
    self.meant = meant
    self.actual = actual
    self.isSecure = isSecure
  }

  /// The place to connect to, as it is written.
  package var place: String {
    isSecure.map { "\($0 ? "https" : "http")://\(actual.description)" } ?? actual.description
  }
}
