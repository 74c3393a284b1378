internal import Foundations
internal import ScenarioModel

internal import Foundations

extension LanguageDescription {
  /// The definitions of texts, numbers, lengths of time and instants.
  static let scalarDefinitions: [LanguageDefinition] = [
    .shape(
      "text",
      "A string. A number or boolean is taken as it is written. Expressions are written ${{ … }}.",
      .either(.string, .number, .truth)),
    .shape(
      "name", "A short string on one line.",
      .either(.string, .number, .truth)),
    .shape(
      "duration", "Numbers with units: w, d, h, m, s, ms, us, ns.",
      .pattern(#"^-?([0-9]+(\.[0-9]+)?(w|d|h|m|s|ms|us|µs|ns))+$"#),
      examples: [.string("250ms"), .string("3s"), .string("1h30m"), .string("14d")]),
    .shape(
      "delay", "A duration that is not negative.",
      .pattern(#"^([0-9]+(\.[0-9]+)?(w|d|h|m|s|ms|us|µs|ns))+$"#),
      examples: [.string("0s"), .string("250ms"), .string("3s"), .string("1h30m")]),
    .shape(
      "instant",
      """
      A timestamp: RFC 3339, a date, @UNIX, or November 12, 1955 06:38. Without an offset it \
      is UTC. The range of clocks is 1677-09-21 to 2262-04-11.
      """,
      .string,
      examples: [
        .string("1985-10-26T01:21:00Z"), .string("1955-11-12"), .string("@1700000000"),
        .string("November 12, 1955 06:38"),
      ]),
    .shape(
      "instantOrShift",
      """
      A timestamp; a shift from the current virtual time, such as +14d; or a relative day in \
      UTC: yesterday, today, tomorrow, or the first monday … sunday to come, with or without a \
      time.
      """,
      .string,
      examples: [
        .string("1985-10-26T01:21:00Z"), .string("1955-11-12"), .string("+14d"), .string("-1d"),
        .string("tomorrow 09:00"), .string("monday 09:00"),
      ]),
    .shape(
      "rate", "The speed of time: x and a number from 0.000001 to 1000000.",
      .pattern(#"^x[0-9]+(\.[0-9]+)?$"#),
      examples: [.string("x60"), .string("x0.5"), .string("x1000")]),
    .shape(
      "signal",
      "A signal's name, with or without SIG; real-time signals are RTMIN+1, RTMAX-1 and so on.",
      .pattern("^(SIG)?[A-Z][A-Z0-9+-]*$"),
      examples: [.string("TERM"), .string("INT"), .string("HUP"), .string("SEGV")]),
    .shape(
      "bound", "A number or a duration.",
      .either(.number, .string)),
    .shape(
      "arguments", "Arguments, one per entry.",
      .either(.nothing, .list(of: .valueText))),
    .shape(
      "byteCount", "A number of bytes: 100, 100B, 10KiB; a rate may end with /s.",
      .either(.integer(0...), .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)?(/s)?$"))),
    .shape(
      "count", "A number, an expression, or two bounds for a random number.",
      .either(.integer(0...), .text, .pair(of: .integer(0...)))),
    .shape(
      "length", "A number of letters, or two bounds for a random number.",
      .either(.integer(0...), .pair(of: .integer(0...)))),
    .shape(
      "number", "An integer, or an expression that gives one.",
      .either(.integer, .pattern(#"\$\{\{"#))),
    .shape(
      "valueText", "A string, or a generator that gives a string.",
      .map(
        by: [
          (["$build"], .the("buildGenerator")),
          (Grammar.generator.keys, .the("generator")),
        ], or: .text)),
  ]
}
