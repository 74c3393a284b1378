internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  // MARK: - Victims

  /// `link:` of an entry of `chaos:`.
  mutating func decodeLink(_ reader: MappingReader, _ node: YAMLNode) -> FaultTarget? {
    refuse(["call", "disk", "except", "function", "in", "process"], beside: "link", reader)
    let example = "write a host, as in \"link: api.example.com:443\""
    guard case .scalar = node.content else {
      reportType(
        node, "link", "must be a text",
        help: Self.linkEnds(meantBy: node).map { "write \(Self.written($0))" } ?? example)
      return nil
    }
    guard let text = decodeText(node, "link", example: example) else { return nil }
    guard !text.value.contains("://") else {
      report(
        "\"\(text.value)\" is a URL, not a host", code: .badAddress, at: text.range,
        help: example)
      return nil
    }
    let meant = LinkEnds.meant(by: text.value)
    guard text.value.contains("->") || text.value.contains("<-") || meant != nil else {
      return decodeName(node, "link").map { .link(LinkPattern(place: $0)) }
    }
    guard let ends = LinkEnds(text.value) else {
      report(
        "\"\(text.value)\" is not a link between hosts", code: .badAddress, at: text.range,
        help: meant.map { "write \(Self.written($0))" }
          ?? "write \"link: n1 <-> n2\", \"link: n1 -> n2\" for one direction, or \"link: '[n1, n2] -> n3'\""
      )
      return nil
    }
    if let provider = reader["provide"], let range = Self.place(ofKey: "stream", in: provider) {
      report(
        "\"stream\" cannot be combined with a link with an arrow", code: .contradictory, at: range,
        help: "remove it: \"n1 -> n2\" is the traffic that n1 sends")
      return nil
    }
    return .link(LinkPattern(place: text, ends: ends))
  }

  /// Returns a link as the file has it: in quotes where YAML needs them.
  private static func written(_ ends: LinkEnds) -> String {
    ends.text.contains("[") ? "\"link: '\(ends.text)'\"" : "\"link: \(ends.text)\""
  }

  /// Returns the link that a list or map may mean: `[n1, n2]`, `{ from: n1, to: [n2, n3] }`; `nil` for none.
  private static func linkEnds(meantBy node: YAMLNode) -> LinkEnds? {
    switch node.content {
    case .scalar: return nil
    case .sequence(let nodes):
      guard nodes.count == 2, let from = names(nodes[0]), let to = names(nodes[1]) else {
        return names(node).map { LinkEnds(from: $0, to: $0, isTwoWay: true) }
      }
      return LinkEnds(from: from, to: to, isTwoWay: true)
    case .mapping(let members):
      guard let from = members.first(where: { $0.key.value == "from" }),
        let to = members.first(where: { $0.key.value == "to" }),
        let senders = names(from.value), let receivers = names(to.value)
      else { return nil }
      return LinkEnds(from: senders, to: receivers, isTwoWay: false)
    }
  }

  private static func names(_ node: YAMLNode) -> [String]? {
    switch node.content {
    case .scalar(let scalar): return scalar.text.isEmpty ? nil : [scalar.text]
    case .sequence(let nodes):
      let names = nodes.compactMap { node in
        if case .scalar(let scalar) = node.content { scalar.text } else { nil }
      }
      return names.isEmpty || names.count < nodes.count ? nil : names
    case .mapping: return nil
    }
  }

  /// Where a key stands first in a node.
  private static func place(ofKey key: String, in node: YAMLNode) -> SourceRange? {
    switch node.content {
    case .scalar: return nil
    case .sequence(let nodes):
      return nodes.lazy.compactMap { place(ofKey: key, in: $0) }.first
    case .mapping(let members):
      return members.lazy.compactMap { member in
        member.key.value == key ? member.key.range : place(ofKey: key, in: member.value)
      }.first
    }
  }

  /// The help for keys that belong to Toxiproxy's toxics, and have another place here.
  static let linkEntryHelp = [
    "stream": "write it next to the toxic: provide: { latency: 1s, stream: upstream }",
    "toxicity": toxicityHelp,
    "toxic": "write it below \"provide\": { latency: 1s }",
    "toxics": "write them below \"provide\": [ { latency: 1s }, { bandwidth: 32KiB } ]",
  ].merging(linkEndKeys.map { ($0, arrowHelp) }) { first, _ in first }

  /// The keys that others have for the ends of a link.
  static let linkEndKeys = ["between", "from", "hosts", "to"]

  /// The help for the names that others have for the faults of a link.
  static let linkProviderHelp = [
    "refuse": "write \"provide: down\" for a link that refuses connections",
    "refused": "write \"provide: down\" for a link that refuses connections",
    "reset": "write \"provide: reset_peer\", or { reset_peer: { bytes: 1KiB } }",
    "jitter": "write it with latency: { latency: { latency: 1s, jitter: 100ms } }",
    "rate": "write { bandwidth: 32KiB }",
    "toxic": "the toxic itself is the key: { latency: 1s }",
    "toxicity": toxicityHelp,
    "link": "write it next to \"provide\": { link: api.example.com, provide: { latency: 1s } }",
  ]

  private static let arrowHelp =
    "write the hosts in \"link\": \"link: n1 -> n2\", or \"link: n1 <-> n2\" for both directions"
  private static let toxicityHelp =
    "write it as \"when: { probability: 0.5 }\" next to \"provide\""

  // MARK: - Providers

  /// Reads the faults of a link: one fault, a map of several, or a list; `nil` where the node has
  /// none.
  mutating func decodeLinkFaults(_ node: YAMLNode) -> [LinkFault]?? {
    switch node.content {
    case .scalar(let scalar):
      guard let fault = Self.linkWords[scalar.text] else { return nil }
      return [fault]
    case .mapping(let members):
      let keys = members.map(\.key.value)
      guard keys.contains(where: Grammar.linkFaultKeys.contains),
        !keys.contains(where: Grammar.chaosProviders.contains)
      else { return nil }
      return .some(decodeFaultMap(node))
    case .sequence(let nodes):
      guard let nodes = nodes.isEmpty ? decodeNonEmptyList(node, "provide") : nodes else {
        return .some(nil)
      }
      var faults: [LinkFault] = []
      for entry in nodes {
        guard let found = decodeLinkFaults(entry) else {
          reportType(
            entry, "an entry of \"provide\"", "must be a fault of a link",
            help: "write one of: \(Grammar.linkFaultKeys.sorted().joined(separator: ", ")); "
              + "for several providers in turn, write { sequence: [ … ] }")
          return .some(nil)
        }
        guard let found else { return .some(nil) }
        faults += found
      }
      return faults
    }
  }

  /// The faults that need no value.
  private static let linkWords: [String: LinkFault] = [
    "down": .down, "reset_peer": .toxic(Toxic(.resetPeer(timeout: .zero, bytes: 0))),
  ]

  private mutating func decodeFaultMap(_ node: YAMLNode) -> [LinkFault]? {
    guard
      let reader = mapping(
        node, as: Grammar.linkFaults, subject: "\"provide\"", elsewhere: Self.linkProviderHelp)
    else { return nil }
    let stream = reader["stream"].map { decodeStream($0) }
    if case .some(.none) = stream { return nil }
    let members = reader.members(among: Grammar.linkFaultKeys)
    let faults = members.compactMap { decodeLinkFault($0, stream: stream ?? nil) }
    guard faults.count == members.count, reader.unknownCount == 0 else { return nil }
    if let range = reader.keyRange("stream"),
      !faults.contains(where: { if case .toxic = $0 { true } else { false } })
    {
      report(
        "\"stream\" does not belong to \"\(members.first?.key.value ?? "")\"", code: .misplaced,
        at: range,
        help: "write it with one of: \(Grammar.toxicKeys.joined(separator: ", "))")
      return nil
    }
    return faults
  }

  private mutating func decodeLinkFault(
    _ member: YAMLMember, stream: Toxic.Stream?
  ) -> LinkFault? {
    let node = member.value
    switch member.key.value {
    case "down":
      guard node.isNull || decodeBool(node, "down")?.value == true else {
        if case .scalar(let scalar) = node.content, case .bool(false) = scalar.meaning {
          report(
            "\"down: false\" changes nothing", code: .noEffect, at: node.range,
            help: "take the entry out, or write \"provide: original\"")
        }
        return nil
      }
      return .down
    case "dns": return decodeNameAnswer(node).map { .dns($0) }
    case "tls":
      let fault: Located<ConnectionFault.HandshakeFault>? = decodeWord(node, "tls")
      return fault.map { .tls($0.value) }
    default: return decodeToxic(member, stream: stream).map { .toxic($0) }
    }
  }

  private mutating func decodeStream(_ node: YAMLNode) -> Toxic.Stream? {
    let stream: Located<Toxic.Stream>? = decodeWord(node, "stream")
    return stream?.value
  }

  // MARK: - Names

  private mutating func decodeNameAnswer(_ node: YAMLNode) -> LinkFault.NameAnswer? {
    guard case .mapping = node.content else {
      if case .scalar(let scalar) = node.content, let meant = Self.nameFaultSynonyms[scalar.text] {
        report(
          "unknown value \"\(scalar.text)\" for \"dns\"", code: .unknownValue, at: node.range,
          help: "write \"dns: \(meant.rawValue)\"")
        return nil
      }
      let fault: Located<ConnectionFault.NameFault>? = decodeWord(node, "dns")
      return fault.map { .fault($0.value) }
    }
    guard let reader = mapping(node, as: Grammar.linkNameAnswer, subject: "\"dns\""),
      let addresses = required("answer", in: reader, example: "answer: 203.0.113.7")
    else { return nil }
    let texts = decodeTexts(addresses, "answer")
    let known = texts.filter { text in
      if Self.isIPv4Address(text.value) { return true }
      report(
        "\"\(text.value)\" is not an IPv4 address", code: .badAddress, at: text.range,
        help:
          "write an address such as 203.0.113.7; or \"dns: nodata\" for an answer without addresses"
      )
      return false
    }
    guard !texts.isEmpty, known.count == texts.count else { return nil }
    guard texts.count <= Self.addressLimit else {
      report(
        "\"answer\" has more than \(Self.addressLimit) addresses", code: .outOfRange,
        at: addresses.range,
        help: "remove addresses: more do not fit into a datagram")
      return nil
    }
    return .addresses(texts.map(\.value))
  }

  /// The number of records of 16 bytes that fit behind the longest query into 512 bytes (RFC 1035,
  /// section 2.3.4).
  private static let addressLimit = 14

  private static func isIPv4Address(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
          && (part == "0" || !part.hasPrefix("0"))
      }
  }

  /// The names that resolvers and libraries have for the answers of a name server.
  private static let nameFaultSynonyms: [String: ConnectionFault.NameFault] = [
    "no_such_host": .nxdomain, "not_found": .nxdomain, "name_error": .nxdomain,
    "EAI_NONAME": .nxdomain, "NXDOMAIN": .nxdomain, "server_failure": .servfail,
    "EAI_AGAIN": .servfail, "SERVFAIL": .servfail, "empty": .nodata, "no_data": .nodata,
    "EAI_NODATA": .nodata, "refuse": .refused, "REFUSED": .refused, "hang": .timeout,
    "truncate": .truncated,
  ]

  // MARK: - Toxics

  private mutating func decodeToxic(_ member: YAMLMember, stream: Toxic.Stream?) -> Toxic? {
    let word = member.key.value
    let subject = "\"\(word)\""
    // The one that may stand alone comes first.
    let main = (Grammar.toxics[word]?.fields ?? []).map(\.key.name).filter { $0 != "stream" }
    guard let first = main.first else { return nil }
    guard case .mapping = member.value.content else {
      if member.value.isNull, word != "reset_peer" {
        report(
          "\(subject) needs a value", code: .empty, at: member.key.range,
          help: "write \"\(word): { \(first): \(Self.example(of: first)) }\"")
        return nil
      }
      let node: YAMLNode? = member.value.isNull ? nil : member.value
      return toxicKind(word, at: member.key.range) { key in key == first ? node : nil }
        .map { Toxic($0, stream: stream ?? .down) }
    }
    let elsewhere = [
      "toxicity": Self.toxicityHelp,
      "name": "write the name next to \"link\"",
    ]
    guard
      let reader = mapping(
        member.value, keys: main + ["stream"], former: Grammar.toxics[word]?.former ?? .none,
        subject: subject, elsewhere: elsewhere)
    else { return nil }
    if first != "timeout" || word == "timeout", reader[first] == nil {
      _ = required(first, in: reader, example: "\(first): \(Self.example(of: first))")
      return nil
    }
    let own = reader["stream"].map { decodeStream($0) }
    if case .some(.none) = own { return nil }
    guard reader.unknownCount == 0,
      let kind = toxicKind(word, at: member.key.range, { main.contains($0) ? reader[$0] : nil })
    else { return nil }
    return Toxic(kind, stream: (own ?? nil) ?? stream ?? .down)
  }

  private static func example(of attribute: String) -> String {
    switch attribute {
    case "rate": "32KiB"
    case "bytes", "average_size": "1KiB"
    case "probability": "0.1"
    default: "250ms"
    }
  }

  /// Decodes a toxic with the values of its attributes.
  private mutating func toxicKind(
    _ word: String, at range: SourceRange, _ node: (String) -> YAMLNode?
  ) -> Toxic.Kind? {
    let start = diagnostics.count
    let kind: Toxic.Kind
    switch word {
    case "latency":
      kind = .latency(
        length(node("latency"), "latency"), jitter: length(node("jitter"), "jitter"))
    case "bandwidth":
      kind = .bandwidth(bytesPerSecond: amount(node("rate"), "rate", from: 1, isRate: true))
    case "slow_close": kind = .slowClose(delay: length(node("delay"), "delay"))
    case "timeout": kind = .timeout(length(node("timeout"), "timeout"))
    case "reset_peer":
      kind = .resetPeer(
        timeout: length(node("timeout"), "timeout"), bytes: amount(node("bytes"), "bytes"))
    case "slicer":
      let size = amount(node("average_size"), "average_size", from: 1)
      let variation = amount(node("size_variation"), "size_variation")
      if diagnostics.count == start, variation >= size {
        report(
          "\"size_variation\" must be smaller than \"average_size\"",
          code: .badRange, at: node("size_variation")?.range ?? range,
          help: "write a number below \(size): a piece has at least one byte")
      }
      kind = .slicer(
        averageSize: size, sizeVariation: variation, delay: length(node("delay"), "delay"))
    case "loss": kind = .loss(node("probability").flatMap { decodeChance($0, "loss") } ?? 0)
    case "duplicate":
      kind = .duplicate(node("probability").flatMap { decodeChance($0, "duplicate") } ?? 0)
    case "reorder":
      kind = .reorder(node("probability").flatMap { decodeChance($0, "reorder") } ?? 0)
    default: kind = .limitData(bytes: amount(node("bytes"), "bytes"))
    }
    return diagnostics.count == start ? kind : nil
  }

  /// A length of virtual time, zero where there is none; 0 needs no unit.
  private mutating func length(_ node: YAMLNode?, _ subject: String) -> Nanoseconds {
    guard let node else { return .zero }
    if case .scalar(let scalar) = node.content, case .integer(0) = scalar.meaning { return .zero }
    return decodeDelay(node, subject)?.value ?? .zero
  }

  /// A number of bytes, zero where there is none.
  private mutating func amount(
    _ node: YAMLNode?, _ subject: String, from least: Int64 = 0, isRate: Bool = false
  ) -> Int {
    guard let node else { return Int(least) }
    var size: Int64?
    if isRate, case .scalar(let scalar) = node.content, case .text = scalar.meaning,
      let rate = try? ByteCountText.parse(scalar.text, isRate: true)
    {
      size = Int64(rate)
    } else if case .scalar(let scalar) = node.content, case .text = scalar.meaning,
      (try? ByteCountText.parse(scalar.text)) == nil
    {
      reportType(
        node, subject, "must be a number of bytes",
        help: isRate
          ? "write a rate such as 32KiB or 32KiB/s" : "write a number such as 100 or 4KiB")
      return Int(least)
    } else {
      size = decodeSize(node, subject)
    }
    guard let size else { return Int(least) }
    guard (least...(1 << 40)).contains(size) else {
      let help =
        isRate && size == 0 ? "write \"timeout: 0\" for a link that transfers nothing" : nil
      report(
        "\"\(subject)\" must be \(least == 0 ? "zero or more" : "at least \(least)"), not \(size)",
        code: .outOfRange, at: node.range,
        help: help ?? "write a number of bytes from \(least) to 1024GiB")
      return Int(least)
    }
    return Int(size)
  }
}
