internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what goes wrong on links.
  static let linkDefinitions: [LanguageDefinition] = [
    .shape(
      "linkDelay", "A length of virtual time; 0 needs no unit.",
      .either(.delay, .constant(.integer(0)))),
    .shape(
      "linkRate", "Bytes for each second, such as 32KiB or 32KiB/s.",
      .either(.the("chaosSize"), .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)?/s$"))),
    .shape(
      "linkFault", "What goes wrong on a link.",
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
    Which bytes: from the client to the host (upstream), from the host to the client (downstream, \
    unless said), or both.
    """
  ).formerly(words: ["up": "upstream", "down": "downstream"])

  static let linkFaults = MapGrammar<Void>(
    "linkFaults", "What goes wrong on a link, in the order in which it is written.",
    rules: [.someOf(Grammar.linkFaultKeys)]
  ) {
    Field(
      "latency", .map(.the("toxicLatency"), or: .the("linkDelay")),
      "Bytes come later, by this length of virtual time.")
    Field(
      "bandwidth", .map(.the("toxicBandwidth"), or: .the("linkRate")),
      "Bytes come at so many for each second.")
    Field(
      "slow_close", .map(.the("toxicSlowClose"), or: .the("linkDelay")),
      "The end of a connection comes later.")
    Field(
      "timeout", .map(.the("toxicTimeout"), or: .the("linkDelay")),
      "Nothing passes, and the connection is closed after that time; never for 0.")
    Field(
      "reset_peer", .map(.the("toxicResetPeer"), or: .either(.nothing, .the("linkDelay"))),
      "The connection is reset at its first byte, or that much later.")
    Field(
      "slicer", .map(.the("toxicSlicer"), or: .the("chaosSize")), "Bytes come in small pieces.")
    Field(
      "limit_data", .map(.the("toxicLimitData"), or: .the("chaosSize")),
      "The connection is closed behind so many bytes.")
    Field(
      "loss", .map(.the("toxicLoss"), or: .number(0...1)),
      "Packets are lost, with this probability: bytes come when they are sent again, datagrams never."
    )
    Field(
      "duplicate", .map(.the("toxicDuplicate"), or: .number(0...1)),
      "Datagrams between hosts come twice, with this probability.")
    Field(
      "reorder", .map(.the("toxicReorder"), or: .number(0...1)),
      "Datagrams between hosts overtake those that `latency` delays, with this probability.")
    Field(
      "down", .either(.constant(.bool(true)), .nothing),
      "Nobody listens; connections that are open are closed.")
    Field(
      "dns", .map(.the("linkNameAnswer"), or: .words(of: ConnectionFault.NameFault.self)),
      "How the name is resolved otherwise.")
    Field(
      "tls", .words(of: ConnectionFault.HandshakeFault.self),
      "What is wrong with the TLS handshake.")
    stream
  }

  static let linkNameAnswer = MapGrammar<Void>(
    "linkNameAnswer", "Addresses in place of the host's."
  ) {
    Field(
      "answer", .either(.text, .list(of: .text, atLeast: 1, atMost: 14)), "IPv4 addresses.",
      isRequired: true)
  }

  static let toxicLatency = MapGrammar<Void>("toxicLatency", "Late bytes.") {
    Field("latency", .the("linkDelay"), "How late.", isRequired: true)
    Field("jitter", .the("linkDelay"), "How much more or less, by chance.")
    stream
  }

  static let toxicBandwidth = MapGrammar<Void>("toxicBandwidth", "A thin line.") {
    Field("rate", .the("linkRate"), "Bytes for each second.", isRequired: true)
    stream
  }

  static let toxicSlowClose = MapGrammar<Void>("toxicSlowClose", "A late end.") {
    Field("delay", .the("linkDelay"), "How late.", isRequired: true)
    stream
  }

  static let toxicTimeout = MapGrammar<Void>("toxicTimeout", "A broken line.") {
    Field(
      "timeout", .the("linkDelay"), "When the connection is closed; 0 for never.",
      isRequired: true)
    stream
  }

  static let toxicResetPeer = MapGrammar<Void>("toxicResetPeer", "A reset.") {
    Field("timeout", .the("linkDelay"), "How long after the byte that is too many.")
    Field("bytes", .the("chaosSize"), "How many bytes pass first.")
    stream
  }

  static let toxicSlicer = MapGrammar<Void>("toxicSlicer", "Small pieces.") {
    Field(
      "average_size", .the("chaosSize"), "About how many bytes a piece has.", isRequired: true)
    Field(
      "size_variation", .the("chaosSize"),
      "How many more or less, by chance; fewer than average_size.")
    Field("delay", .the("linkDelay"), "How much virtual time passes between two pieces.")
    stream
  }

  static let toxicLimitData = MapGrammar<Void>("toxicLimitData", "An early end.") {
    Field("bytes", .the("chaosSize"), "How many bytes pass.", isRequired: true)
    stream
  }

  static let toxicLoss = MapGrammar<Void>("toxicLoss", "A line that loses packets.") {
    Field("probability", .number(0...1), "How likely each is lost.", isRequired: true)
    stream
  }

  static let toxicDuplicate = MapGrammar<Void>("toxicDuplicate", "A line that says things twice.") {
    Field("probability", .number(0...1), "How likely a datagram comes twice.", isRequired: true)
  }

  static let toxicReorder = MapGrammar<Void>("toxicReorder", "A line on which some are faster.") {
    Field(
      "probability", .number(0...1), "How likely a datagram is not delayed.", isRequired: true)
  }
}
