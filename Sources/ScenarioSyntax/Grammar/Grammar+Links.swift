internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what goes wrong on links.
  static let linkDefinitions: [LanguageDefinition] = [
    .shape(
      "linkDelay", "A length of virtual time; 0 needs no unit.",
      .either(.delay, .constant(.integer(0)))),
    .shape(
      "linkRate", "Bytes per second, such as 32KiB or 32KiB/s.",
      .either(.the("chaosSize"), .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)?/s$"))),
    .shape(
      "linkFault", "A fault of a link.",
      .map(.the("linkFaults"), or: .words(["down", "reset_peer"]))),
    Grammar.linkFaults.definition,
    Grammar.linkNameAnswer.definition,
    Grammar.toxicLatency.definition,
    Grammar.toxicBandwidth.definition,
    Grammar.toxicSlowClose.definition,
    Grammar.toxicTimeout.definition,
    Grammar.toxicResetPeer.definition,
    Grammar.toxicSlicer.definition,
    Grammar.toxicLimitData.definition,
    Grammar.toxicLoss.definition,
    Grammar.toxicDuplicate.definition,
    Grammar.toxicReorder.definition,
  ]
}

extension Grammar {
  /// Toxiproxy's toxics.
  static let toxics = [
    "bandwidth": toxicBandwidth, "latency": toxicLatency, "limit_data": toxicLimitData,
    "reset_peer": toxicResetPeer, "slicer": toxicSlicer, "slow_close": toxicSlowClose,
    "timeout": toxicTimeout, "loss": toxicLoss, "duplicate": toxicDuplicate,
    "reorder": toxicReorder,
  ]
  static let toxicKeys = toxics.keys.sorted()
  /// The keys of the faults of a link.
  static let linkFaultKeys = toxicKeys + ["dns", "down", "tls"]

  /// The direction of the bytes that a toxic is about.
  private static let stream = Field<Void>(
    "stream", .words(["upstream", "downstream", "both"]),
    """
    The direction: from client to host (upstream), from host to client (downstream, the \
    default), or both.
    """
  ).formerly(words: ["up": "upstream", "down": "downstream"])

  static let linkFaults = MapGrammar<Void>(
    "linkFaults", "Faults of a link, applied in the order written.",
    rules: [.someOf(Grammar.linkFaultKeys)]
  ) {
    Field(
      "latency", .map(.the("toxicLatency"), or: .the("linkDelay")),
      "Delays bytes by this length of virtual time.")
    Field(
      "bandwidth", .map(.the("toxicBandwidth"), or: .the("linkRate")),
      "Limits the rate to this number of bytes per second.")
    Field(
      "slow_close", .map(.the("toxicSlowClose"), or: .the("linkDelay")),
      "Delays the end of a connection.")
    Field(
      "timeout", .map(.the("toxicTimeout"), or: .the("linkDelay")),
      "Stops all data, and closes the connection after this time (0: never).")
    Field(
      "reset_peer", .map(.the("toxicResetPeer"), or: .either(.nothing, .the("linkDelay"))),
      "Resets the connection at its first byte, or this much later.")
    Field(
      "slicer", .map(.the("toxicSlicer"), or: .the("chaosSize")), "Splits data into small pieces.")
    Field(
      "limit_data", .map(.the("toxicLimitData"), or: .the("chaosSize")),
      "Closes the connection after this number of bytes.")
    Field(
      "loss", .map(.the("toxicLoss"), or: .number(0...1)),
      """
      The probability of packet loss: lost bytes of a connection arrive when they are \
      retransmitted; lost datagrams never arrive.
      """
    )
    Field(
      "duplicate", .map(.the("toxicDuplicate"), or: .number(0...1)),
      "The probability that a datagram between hosts is duplicated.")
    Field(
      "reorder", .map(.the("toxicReorder"), or: .number(0...1)),
      "The probability that a datagram between hosts overtakes those that `latency` delays.")
    Field(
      "down", .either(.constant(.bool(true)), .nothing),
      "Refuses new connections, and closes open ones.")
    Field(
      "dns", .map(.the("linkNameAnswer"), or: .words(of: ConnectionFault.NameFault.self)),
      "Changes how the name is resolved.")
    Field(
      "tls", .words(of: ConnectionFault.HandshakeFault.self),
      "The fault in the TLS handshake.")
    stream
  }

  static let linkNameAnswer = MapGrammar<Void>(
    "linkNameAnswer", "Addresses that replace the host's."
  ) {
    Field(
      "answer", .either(.text, .list(of: .text, atLeast: 1, atMost: 14)), "IPv4 addresses.",
      isRequired: true)
  }

  static let toxicLatency = MapGrammar<Void>("toxicLatency", "Late bytes.") {
    Field("latency", .the("linkDelay"), "How late.", isRequired: true)
    Field("jitter", .the("linkDelay"), "The random variation, up or down.")
    stream
  }

  static let toxicBandwidth = MapGrammar<Void>("toxicBandwidth", "A thin line.") {
    Field("rate", .the("linkRate"), "Bytes per second.", isRequired: true)
    stream
  }

  static let toxicSlowClose = MapGrammar<Void>("toxicSlowClose", "A late end.") {
    Field("delay", .the("linkDelay"), "How late.", isRequired: true)
    stream
  }

  static let toxicTimeout = MapGrammar<Void>("toxicTimeout", "A broken line.") {
    Field(
      "timeout", .the("linkDelay"), "When the connection closes; 0 means never.",
      isRequired: true)
    stream
  }

  static let toxicResetPeer = MapGrammar<Void>("toxicResetPeer", "A reset.") {
    Field("timeout", .the("linkDelay"), "How long after the first byte over the limit.")
    Field("bytes", .the("chaosSize"), "How many bytes pass before the fault.")
    stream
  }

  static let toxicSlicer = MapGrammar<Void>("toxicSlicer", "Small pieces.") {
    Field(
      "average_size", .the("chaosSize"), "The average size of a piece, in bytes.", isRequired: true)
    Field(
      "size_variation", .the("chaosSize"),
      "The random variation of the size, up or down; less than average_size.")
    Field("delay", .the("linkDelay"), "The virtual time between two pieces.")
    stream
  }

  static let toxicLimitData = MapGrammar<Void>("toxicLimitData", "An early end.") {
    Field("bytes", .the("chaosSize"), "How many bytes may pass.", isRequired: true)
    stream
  }

  static let toxicLoss = MapGrammar<Void>("toxicLoss", "Packet loss on a link.") {
    Field("probability", .number(0...1), "The probability that a packet is lost.", isRequired: true)
    stream
  }

  static let toxicDuplicate = MapGrammar<Void>(
    "toxicDuplicate",
    "Duplication of datagrams on a link."
  ) {
    Field(
      "probability", .number(0...1), "The probability that a datagram is duplicated.",
      isRequired: true)
  }

  static let toxicReorder = MapGrammar<Void>("toxicReorder", "Reordering of datagrams on a link.") {
    Field(
      "probability", .number(0...1), "The probability that a datagram is not delayed.",
      isRequired: true)
  }
}
