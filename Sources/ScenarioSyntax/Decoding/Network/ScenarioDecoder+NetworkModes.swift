internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `trust:`.
  mutating func decodeTrust(
    _ node: YAMLNode
  ) -> (variables: [TrustVariable]?, files: [Located<String>]?) {
    guard let reader = mapping(node, as: Grammar.trust, subject: "\"trust\"") else {
      return (nil, nil)
    }
    if reader["variables"] == nil, reader["files"] == nil, reader.misspelledKeys.isEmpty {
      report(
        "\"trust\" says nothing", code: .missingKey, at: node.range,
        help: "write files: [ca.pem], or variables: none")
    }
    let files = reader["files"].map { decodeTextList($0, "files").filter { checkTrustFile($0) } }
    return (reader["variables"].flatMap { decodeTrustVariables($0) }, files)
  }

  private mutating func decodeTrustVariables(_ node: YAMLNode) -> [TrustVariable]? {
    switch node.content {
    case .scalar(let scalar) where scalar.text == "none": return []
    case .sequence: return decodeWords(node, "variables")
    default:
      reportType(
        node, "variables", "must be none, or a list of variables",
        help: "write none, or the names, as in [SSL_CERT_FILE]")
      return nil
    }
  }

  /// Reports a path that names no file.
  private mutating func checkTrustFile(_ path: Located<String>) -> Bool {
    let isHome = path.value.hasPrefix("~")
    let isVariable =
      path.value.hasPrefix("$") && !["$HOME/", "$TMPDIR/"].contains { path.value.hasPrefix($0) }
    guard path.value.isEmpty || path.value.hasSuffix("/") || isHome || isVariable else {
      return true
    }
    let help =
      if isHome {
        "write $HOME for \"~\""
      } else if isVariable {
        "only $HOME/ and $TMPDIR/ are known; paths count from the working directory"
      } else {
        "write the path that the program opens, such as certs/ca.pem or /etc/app/ca.pem"
      }
    report(
      "\"\(path.value)\" is not the path of a file", code: .badPath, at: path.range, help: help)
    return false
  }

  mutating func decodeHosts(_ node: YAMLNode) -> ([HostMode], [HostRoute]) {
    var modes: [HostMode] = []
    var routes: [HostRoute] = []
    for member in decodeMembers(node, "hosts") ?? [] {
      if case .scalar(let scalar) = member.value.content, !member.value.isNull,
        NetworkSettings.Mode(rawValue: scalar.text) == nil, Self.isTargetName(scalar.text)
      {
        if let host = checkHostName(member.key),
          let target = decodeTargetName(member.value, member.key.value)
        {
          routes.append(HostRoute(host: host, target: target))
        }
        continue
      }
      let mode: Located<NetworkSettings.Mode>? = decodeWord(member.value, member.key.value)
      if let pattern = decodeHostPattern(member.key), let mode {
        modes.append(HostMode(pattern: pattern, mode: mode))
      }
    }
    return (modes, routes)
  }

  /// `host:` of a target.
  mutating func decodeHostName(_ node: YAMLNode) -> Located<String>? {
    decodeText(node, "host", example: "write a name such as n1.cluster.test")
      .flatMap { checkHostName($0) }
  }

  /// The name of one host, in lower case.
  private mutating func checkHostName(_ name: Located<String>) -> Located<String>? {
    let text = name.value.lowercased()
    let isAddress = text.split(separator: ".").allSatisfy { UInt8($0) != nil }
    let isReserved =
      text == "localhost" || text.hasSuffix(".localhost") || text.hasSuffix(".arpa")
    // RFC 1035, section 2.3.4.
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = HostAddress(text: text), place.port == nil, !text.contains(":"), !isAddress,
      !isReserved, labels.allSatisfy({ (1...63).contains($0.utf8.count) })
    else {
      report(
        "\"\(name.value)\" is not a host name", code: .badAddress, at: name.range,
        help: isReserved
          ? "\"localhost\" is every host's own name; write a name such as n1.cluster.test"
          : "write a name such as n1.cluster.test: no address, port or *")
      return nil
    }
    return Located(text, at: name.range)
  }

  /// Decodes a host name in which `*` matches any letters.
  private mutating func decodeHostPattern(_ key: Located<String>) -> Located<String>? {
    let named = key.value.replacing("*", with: "x")
    if let place = HostAddress(text: named), place.port == nil {
      return Located(key.value.lowercased(), at: key.range)
    }
    let hasPort = HostAddress(text: named)?.port != nil
    report(
      "\"\(key.value)\" is not a host", code: .badAddress, at: key.range,
      help: hasPort
        ? "remove the port: a mode applies to the whole host"
        : "write a name such as api.example.com or *.internal.test, without scheme and path")
    return nil
  }

  mutating func decodeUpstreams(_ node: YAMLNode) -> [UpstreamRule] {
    (decodeMembers(node, "upstreams") ?? []).compactMap { member in
      guard let text = decodeText(member.value, member.key.value) else { return nil }
      guard let meant = HostAddress(text: member.key.value) else {
        report(
          "\"\(member.key.value)\" is not a host", code: .badAddress, at: member.key.range,
          help: "write HOST or HOST:PORT, as in \"api.example.com:443\"")
        return nil
      }
      guard let rule = Self.upstreamRule(meant, text.value) else {
        report(
          "\"\(text.value)\" is not a host with a port", code: .badAddress, at: text.range,
          help:
            "write HOST:PORT, as in \"127.0.0.1:8443\", or http://HOST:PORT for one without TLS")
        return nil
      }
      return rule
    }
  }

  /// Reads `HOST:PORT`, which may stand behind `http://` or `https://`; `nil` if the text is neither.
  private static func upstreamRule(_ meant: HostAddress, _ text: String) -> UpstreamRule? {
    for (scheme, port) in [("http://", 80 as UInt16), ("https://", 443)]
    where text.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      guard var actual = HostAddress(text: String(rest.hasSuffix("/") ? rest.dropLast() : rest))
      else { return nil }
      actual.port = actual.port ?? port
      return UpstreamRule(meant: meant, actual: actual, isSecure: port == 443)
    }
    guard let actual = HostAddress(text: text), actual.port != nil else { return nil }
    return UpstreamRule(meant: meant, actual: actual)
  }
}
