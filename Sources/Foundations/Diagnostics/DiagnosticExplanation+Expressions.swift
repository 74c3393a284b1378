extension DiagnosticExplanation {
  /// What the codes of expressions mean; `nil` for any other code.
  static func expressions(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .badExpression:
      DiagnosticExplanation(
        title: "the expression cannot be read",
        text: """
          An expression stands in "${{ … }}". It knows names, numbers, texts in quotes, lists, \
          maps, "." and "[…]", functions, arithmetic, comparisons, "&&", "||", "!" and "??". \
          There is no "? :": write case(condition, value, otherwise).
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ 1 + }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "${{ 1 + 1 }}"] }
          """))
    case .unknownName:
      DiagnosticExplanation(
        title: "nothing has this name here",
        text: """
          In objects of factories the names of their fields and params are known; everywhere \
          "build", "clock", "scenario", "env" and "dir" are, and in replies "request" is. The \
          help lists those that are known at this place.
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ scenaro.name }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "${{ scenario.name }}"] }
          """))
    case .unknownMember:
      DiagnosticExplanation(
        title: "there is nothing of this name inside",
        text: """
          What stands in front of the dot is known, and has no part of this name. The help lists \
          its parts.
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ scenario.nme }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "${{ scenario.name }}"] }
          """))
    case .unknownFunction:
      DiagnosticExplanation(
        title: "there is no such function",
        text: """
          The list of functions is closed, so that a file means the same everywhere; the help \
          shows all of them. Other names are not guessed at.
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ uppercase('a') }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "${{ upper('a') }}"] }
          """))
    case .badOperands:
      DiagnosticExplanation(
        title: "the operator or function cannot take this",
        text: """
          Expressions are strict: text is not a number, a number is not true or false, and "+" \
          joins two texts or adds two numbers. Convert with text(…), int(…) or float(…), or \
          compare with null where a value may be missing.
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ 'a' + 1 }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "${{ 'a' + '1' }}"] }
          """))
    case .notText:
      DiagnosticExplanation(
        title: "this cannot stand in the middle of text",
        text: """
          Null, lists and maps have no plain text; written into a text they would come out as \
          something nobody meant. An expression that stands alone keeps what it is; json(…) \
          writes anything as JSON.
          """,
        wrong: .file(
          """
          target: { command: [echo, "tags: ${{ [1, 2] }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "tags: ${{ json([1, 2]) }}"] }
          """))
    case .failedExpression:
      DiagnosticExplanation(
        title: "the expression has no value",
        text: """
          It can be read, but with these values it cannot be computed: a division by zero, a \
          number beyond 64 bits, a place that the list does not have. Nothing takes its place: a \
          test with another value would be another test.
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ 1 / 0 }}"] }
          """),
        right: .file(
          """
          target: { command: [echo, "${{ 1 / 2.0 }}"] }
          """))
    case .notKnownHere:
      DiagnosticExplanation(
        title: "the value is not known at this place",
        text: """
          Some values are known only while the scenario runs, only in replies, or only inside a \
          factory's object. What is built beforehand cannot depend on them.
          """,
        wrong: .file(
          """
          target: { command: [echo, "${{ request.method }}"] }
          """),
        right: .file(
          """
          responses: [{ GET https://api.example.com/: { text: "${{ request.method }}" } }]
          """))
    default: nil
    }
  }
}
