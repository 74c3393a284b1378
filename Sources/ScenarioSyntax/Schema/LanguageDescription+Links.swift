internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// Which way bytes go that a toxic is about.
  private static let streamKey = LanguageKey(
    "stream", .words(["up", "down", "both", "upstream", "downstream"]),
    """
    Which bytes: from the client to the host (up), from the host to the client (down, \
    unless said), or both.
    """)

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
    .map(
      "linkFaults", "What goes wrong on a link, in the order in which it is written.",
      [
        LanguageKey(
          "latency", .map(.the("toxicLatency"), or: .the("linkDelay")),
          "Bytes come later, by this length of virtual time."),
        LanguageKey(
          "bandwidth", .map(.the("toxicBandwidth"), or: .the("linkRate")),
          "Bytes come at so many for each second."),
        LanguageKey(
          "slow_close", .map(.the("toxicSlowClose"), or: .the("linkDelay")),
          "The end of a connection comes later."),
        LanguageKey(
          "timeout", .map(.the("toxicTimeout"), or: .the("linkDelay")),
          "Nothing passes, and the connection is closed after that time; never for 0."),
        LanguageKey(
          "reset_peer", .map(.the("toxicResetPeer"), or: .either(.nothing, .the("linkDelay"))),
          "The connection is reset at its first byte, or that much later."),
        LanguageKey(
          "slicer", .map(.the("toxicSlicer"), or: .the("chaosSize")), "Bytes come in small pieces."),
        LanguageKey(
          "limit_data", .map(.the("toxicLimitData"), or: .the("chaosSize")),
          "The connection is closed behind so many bytes."),
        LanguageKey(
          "down", .either(.constant(.bool(true)), .nothing),
          "Nobody listens; connections that are open are closed."),
        LanguageKey(
          "dns", .map(.the("linkNameAnswer"), or: .words(of: ConnectionFault.NameFault.self)),
          "How the name is resolved otherwise."),
        LanguageKey(
          "tls", .words(of: ConnectionFault.HandshakeFault.self),
          "What is wrong with the TLS handshake."),
        streamKey,
      ], rules: [.someOf(Vocabulary.linkFaults)]),
    .map(
      "linkNameAnswer", "Addresses in place of the host's.",
      [
        LanguageKey(
          "answer", .either(.text, .list(of: .text, atLeast: 1, atMost: 14)), "IPv4 addresses.",
          isRequired: true)
      ]),
    .map(
      "toxicLatency", "Late bytes.",
      [
        LanguageKey("latency", .the("linkDelay"), "How late.", isRequired: true),
        LanguageKey("jitter", .the("linkDelay"), "How much more or less, by chance."),
        streamKey,
      ]),
    .map(
      "toxicBandwidth", "A thin line.",
      [
        LanguageKey("rate", .the("linkRate"), "Bytes for each second.", isRequired: true),
        streamKey,
      ]),
    .map(
      "toxicSlowClose", "A late end.",
      [
        LanguageKey("delay", .the("linkDelay"), "How late.", isRequired: true),
        streamKey,
      ]),
    .map(
      "toxicTimeout", "A broken line.",
      [
        LanguageKey(
          "timeout", .the("linkDelay"), "When the connection is closed; 0 for never.",
          isRequired: true),
        streamKey,
      ]),
    .map(
      "toxicResetPeer", "A reset.",
      [
        LanguageKey("timeout", .the("linkDelay"), "How long after the byte that is too many."),
        LanguageKey("bytes", .the("chaosSize"), "How many bytes pass first."),
        streamKey,
      ]),
    .map(
      "toxicSlicer", "Small pieces.",
      [
        LanguageKey(
          "average_size", .the("chaosSize"), "About how many bytes a piece has.", isRequired: true),
        LanguageKey(
          "size_variation", .the("chaosSize"),
          "How many more or less, by chance; fewer than average_size."),
        LanguageKey("delay", .the("linkDelay"), "How much virtual time passes between two pieces."),
        streamKey,
      ]),
    .map(
      "toxicLimitData", "An early end.",
      [
        LanguageKey("bytes", .the("chaosSize"), "How many bytes pass.", isRequired: true),
        streamKey,
      ]),
  ]
}
