extension DiagnosticExplanation {
  /// What the codes of values mean; `nil` for any other code.
  static func values(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .badDuration:
      DiagnosticExplanation(
        title: "the duration cannot be read",
        text: """
          A duration is a number and a unit, or several: 250ms, 3s, 1h30m, 14d. The units are ns, \
          us, ms, s, m, h, d and w. There is no unit that is left out: 5 could be seconds or \
          milliseconds.
          """,
        wrong: .file(
          """
          timeout: 5
          """),
        right: .file(
          """
          timeout: 5s
          """))
    case .badInstant:
      DiagnosticExplanation(
        title: "the instant cannot be read",
        text: """
          An instant is written as RFC 3339 has it (2026-03-01T09:00:00Z), as a date, as @UNIX \
          seconds, or as a shift from now such as +14d. Where a clock begins it must be fixed: \
          "tomorrow" would be another day each day.
          """,
        wrong: .file(
          """
          clock: { at: 2026-02-30 }
          """),
        right: .file(
          """
          clock: { at: 2026-02-28 }
          """))
    case .badRate:
      DiagnosticExplanation(
        title: "the flow or rate of time cannot be read",
        text: """
          Time flows "auto", "held", "real" or faster and slower by a factor such as x60 or x0.5. \
          A rate of nothing is "held", and time never flows backwards.
          """,
        wrong: .file(
          """
          clock: { at: 2026-03-01, flow: x0 }
          """),
        right: .file(
          """
          clock: { at: 2026-03-01, flow: held }
          """))
    case .badSize:
      DiagnosticExplanation(
        title: "the size cannot be read",
        text: """
          Sizes are a number and a unit: 100B, 10KiB, 64MiB, 1GiB; those of thousand are kB, MB \
          and GB. Rates have "/s" behind them. The size of a terminal is its columns and rows: 80x24.
          """,
        wrong: .file(
          """
          responses: [{ GET https://api.example.com/: { text: hello, fault: { slow: 5 fast } } }]
          """),
        right: .file(
          """
          responses: [{ GET https://api.example.com/: { text: hello, fault: { slow: 5B/s } } }]
          """))
    case .badRegularExpression:
      DiagnosticExplanation(
        title: "the regular expression cannot be read",
        text: """
          The message says what is wrong with it. Write regular expressions in single quotes: in \
          double quotes YAML takes the backslashes for itself.
          """,
        wrong: .file(
          """
          expect: { stdout: { matches: '(order' } }
          """),
        right: .file(
          """
          expect: { stdout: { matches: '\\(order' } }
          """))
    case .badPattern:
      DiagnosticExplanation(
        title: "the glob or path cannot be read",
        text: """
          In globs "*" stands for letters of one name, "**" for folders, "?" for one letter and \
          "[a-z]" for one of a set. JSON paths are those of RFC 9535, such as $.items[0].price.
          """,
        wrong: .file(
          """
          expect: { files: { "out[": { exists: true } } }
          """),
        right: .file(
          """
          expect: { files: { "out*": { exists: true } } }
          """))
    case .badBase64:
      DiagnosticExplanation(
        title: "the text is not Base64",
        text: """
          Base64 is written with letters, digits, "+" and "/", filled with "=" to a multiple of \
          four; line ends in it do not count. "base64 -w0 FILE" writes it.
          """,
        wrong: .file(
          """
          responses: [{ GET https://api.example.com/: { base64: "aGVsbG8*" } }]
          """),
        right: .file(
          """
          responses: [{ GET https://api.example.com/: { base64: "aGVsbG8=" } }]
          """))
    case .badAddress:
      DiagnosticExplanation(
        title: "the URL, host or address cannot be read",
        text: """
          A URL is written with http:// or https://, a host and a path; parts in braces, such as \
          {id}, match one segment. Where a host is meant it stands alone, with or without a port.
          """,
        wrong: .file(
          """
          responses: [{ GET ftp://files.example.com/a: { text: hello } }]
          """),
        right: .file(
          """
          responses: [{ GET https://files.example.com/a: { text: hello } }]
          """))
    case .badSchema:
      DiagnosticExplanation(
        title: "the JSON Schema cannot be used",
        text: """
          Schemas are JSON Schema 2020-12. The message says which keyword or reference is at \
          fault; references to other hosts are not followed, for nothing is fetched.
          """,
        wrong: .file(
          """
          expect: { stdout: { json: { schema: { type: strin } } } }
          """),
        right: .file(
          """
          expect: { stdout: { json: { schema: { type: string } } } }
          """))
    default: nil
    }
  }
}
