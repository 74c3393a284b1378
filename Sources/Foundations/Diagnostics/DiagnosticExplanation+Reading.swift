extension DiagnosticExplanation {
  /// What the codes of reading a file mean; `nil` for any other code.
  static func reading(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .unreadableFile:
      DiagnosticExplanation(
        title: "a file or folder cannot be opened",
        text: """
          The path on the command line names nothing, or something that you may not read. Paths \
          count from the folder that the command is called in. Without a path the folder \
          "scenarios" is meant.
          """,
        wrong: .command(
          """
          scenario check no/such/file.yaml
          """),
        right: .command(
          """
          scenario check checkout.yaml
          """))
    case .badEncoding:
      DiagnosticExplanation(
        title: "a file is not UTF-8",
        text: """
          Scenario files, and the text files that they name, are UTF-8, with or without a byte \
          order mark. The message points at the first byte that is not. Editors call the choice \
          "save with encoding"; on the command line iconv(1) converts a file. Bytes that are no \
          text at all belong in a file of their own, or in "base64".
          """,
        wrong: .command(
          """
          printf 'version: 1\\nname: caf\\351\\n' > latin.yaml && scenario check latin.yaml
          """),
        right: .command(
          """
          scenario check checkout.yaml
          """))
    case .tooLarge:
      DiagnosticExplanation(
        title: "something is larger than a limit",
        text: """
          So that a broken or hostile file is told within a second, there are limits: 32 MiB for \
          a file, 100 lists and maps in each other, 100,000 nodes that aliases stand for, and \
          limits for what one scenario builds. The message names the one that was met. No file \
          that a person wrote comes near to them.
          """,
        wrong: .command(
          """
          { echo 'version: 1'; printf 'tags: '; head -c 300 /dev/zero | tr '\\0' '['; } > \
          deep.yaml; scenario check deep.yaml
          """),
        right: .file(
          """
          tags: [smoke]
          """))
    case .badSyntax:
      DiagnosticExplanation(
        title: "the text is not YAML",
        text: """
          The file cannot be read beyond this place, so what follows it is not checked yet. Most \
          often a quote, a colon or the indentation of this line or the one above is at fault. \
          What was read before it is checked all the same.
          """,
        wrong: .file(
          """
          tags: [smoke]
          name
          timeout: 5s
          """),
        right: .file(
          """
          tags: [smoke]
          name: a trial ends
          timeout: 5s
          """))
    case .badIndentation:
      DiagnosticExplanation(
        title: "lines are not lined up",
        text: """
          In YAML the indentation says what belongs to what. All keys of a map begin in one \
          column, all "-" of a list too, and only spaces indent: how wide a tab is nobody knows.
          """,
        wrong: .file(
          """
          clock:
            at: 2026-03-01
             flow: held
          """),
        right: .file(
          """
          clock:
            at: 2026-03-01
            flow: held
          """))
    case .unclosed:
      DiagnosticExplanation(
        title: "a bracket, brace or quote has no end",
        text: """
          A list in brackets ends with "]", a map in braces with "}", a text with the quote that \
          it began with. The message points at the place where the end was missed, and its note \
          at the beginning. Inside brackets and braces text that holds a comma, a bracket or a \
          brace must be in quotes.
          """,
        wrong: .file(
          """
          tags: [smoke, slow
          timeout: 5s
          """),
        right: .file(
          """
          tags: [smoke, slow]
          timeout: 5s
          """))
    case .needsQuotes:
      DiagnosticExplanation(
        title: "the text must be in quotes",
        text: """
          YAML gives a meaning to some characters: a text without quotes cannot begin with "{", \
          "[", "&", "*", "!", "|", ">", "%", "@" or a backtick, and cannot hold ": " or " #". \
          Inside "{…}" and "[…]" expressions must be in quotes, too, for their braces would end \
          the text.
          """,
        wrong: .file(
          """
          name: checkout: the second try
          """),
        right: .file(
          """
          name: "checkout: the second try"
          """))
    case .badCharacter:
      DiagnosticExplanation(
        title: "a control character cannot stand here",
        text: """
          Control characters are invisible in editors and are refused by YAML; only tabs and line \
          ends may stand in a file. A NUL would end the text for the kernel, so names, arguments \
          and paths cannot hold one. Elsewhere write an escape in double quotes, such as "\\e".
          """,
        wrong: .file(
          """
          target: { command: [printf, "a\\0b"] }
          """),
        right: .file(
          """
          target: { command: [printf, "a b"] }
          """))
    case .badEscape:
      DiagnosticExplanation(
        title: "an escape means nothing",
        text: """
          In double quotes a backslash begins an escape: "\\n", "\\t", "\\"", "\\\\", "\\x1B", \
          "\\u00e9", "\\U0001F600" and those of JSON. A regular expression or a Windows path is \
          better written in single quotes, where a backslash is a letter like any other.
          """,
        wrong: .file(
          """
          expect: { stdout: { matches: "\\d+" } }
          """),
        right: .file(
          """
          expect: { stdout: { matches: '\\d+' } }
          """))
    case .duplicateKey:
      DiagnosticExplanation(
        title: "a key stands twice in one map",
        text: """
          A map has each key once; which of the two would count is a guess that readers of YAML \
          make differently. The message points at the second one and its note at the first. A \
          list takes several entries of one kind.
          """,
        wrong: .file(
          """
          timeout: 5s
          timeout: 10s
          """),
        right: .file(
          """
          timeout: 10s
          """))
    case .badAlias:
      DiagnosticExplanation(
        title: "an alias names nothing, or what it stands in",
        text: """
          "*name" repeats what "&name" stands in front of, further up in the same file. It cannot \
          stand inside of what it repeats, and it cannot name what comes later. Text that begins \
          with "*", such as a glob, must be in quotes.
          """,
        wrong: .file(
          """
          tags: *usual
          """),
        right: .file(
          """
          tags: ["*usual"]
          """))
    case .badTag:
      DiagnosticExplanation(
        title: "a tag is not known, or does not fit",
        text: """
          Of YAML's tags only those of the core schema are known: "!!str", "!!int", "!!float", \
          "!!bool", "!!null", "!!seq" and "!!map". None is needed: the language knows what is \
          meant at each place. Text that begins with "!" must be in quotes.
          """,
        wrong: .file(
          """
          name: !important trial
          """),
        right: .file(
          """
          name: "!important trial"
          """))
    case .badDocument:
      DiagnosticExplanation(
        title: "the file is not one document",
        text: """
          A scenario file holds one document: it is not empty, has no second part behind "---", \
          and needs no lines that begin with "%". Several scenarios stand in the list \
          "scenarios".
          """,
        wrong: .file(
          """
          name: first
          ---
          name: second
          """),
        right: .file(
          """
          scenarios:
            - name: first
            - name: second
          """))
    case .badKey:
      DiagnosticExplanation(
        title: "a key is no text",
        text: """
          Keys are texts. What stands in braces or brackets in front of a colon would be a map or \
          a list, as in the "{{ x }}" of other tools; here values are computed by "${{ x }}". The \
          merge key "<<" takes an alias of a map, or a list of such aliases.
          """,
        wrong: .file(
          """
          name: {{ user }}
          """),
        right: .file(
          """
          name: the user
          """))
    case .badJSON:
      DiagnosticExplanation(
        title: "a file that should be JSON is not",
        text: """
          Files that end in .json or .har, and those that hold a JSON Schema, are read as JSON \
          and not as YAML: keys and texts in double quotes, no comma behind the last entry, no \
          comments.
          """,
        wrong: .command(
          """
          echo "{ 'type': 'object' }" > s.json; printf 'version: 1\\ntarget: { command: [date] \
          }\\nexpect: { stdout: { schema: s.json } }\\n' > a.yaml; scenario check a.yaml
          """),
        right: .command(
          """
          echo '{ "type": "object" }' > s.json; printf 'version: 1\\ntarget: { command: [date] \
          }\\nexpect: { stdout: { schema: s.json } }\\n' > a.yaml; scenario check a.yaml
          """))
    default: nil
    }
  }
}
