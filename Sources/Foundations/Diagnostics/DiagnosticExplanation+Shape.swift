extension DiagnosticExplanation {
  /// What the codes of the language's shape mean; `nil` for any other code.
  static func shape(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .badVersion:
      DiagnosticExplanation(
        title: "the version is missing or not known",
        text: """
          The first line says which version of the language the file is written in, so that later \
          releases can read it as it was meant. This release reads version 1; `scenario check \
          --fix` puts the line in.
          """,
        wrong: .file(
          """
          version: 7
          """),
        right: .file(
          """
          version: 1
          """))
    case .unknownKey:
      DiagnosticExplanation(
        title: "the language has no such key here",
        text: """
          A misspelled key would otherwise silently do nothing. Every key of the language is \
          known at its place; the help names the nearest one and lists those that can stand here. \
          Keys of your own can stand in data, names of files, variables and headers.
          """,
        wrong: .file(
          """
          timout: 5s
          """),
        right: .file(
          """
          timeout: 5s
          """))
    case .missingKey:
      DiagnosticExplanation(
        title: "a key that must be there is missing",
        text: """
          Some parts say nothing without a certain key, as a target without its command. The help \
          shows how it is written.
          """,
        wrong: .file(
          """
          target: { env: { LANG: C } }
          """),
        right: .file(
          """
          target: { command: [date], env: { LANG: C } }
          """))
    case .wrongType:
      DiagnosticExplanation(
        title: "something of another kind is meant",
        text: """
          Each place takes a text, a number, true or false, a list or a map, and nothing is \
          turned into another by guessing: "yes" and "on" are texts, "0123" is one too, and null \
          stands only where it can be meant. The help says what to write.
          """,
        wrong: .file(
          """
          tags: smoke
          """),
        right: .file(
          """
          tags: [smoke]
          """))
    case .unknownValue:
      DiagnosticExplanation(
        title: "the word is none of those allowed",
        text: """
          The place takes one word out of a list, which the help shows with the nearest one. A \
          word of your own has no meaning there.
          """,
        wrong: .file(
          """
          entropy: sedeed
          """),
        right: .file(
          """
          entropy: seeded
          """))
    case .contradictory:
      DiagnosticExplanation(
        title: "two things exclude each other",
        text: """
          Both keys answer the same question, so only one of them can stand; which of the two is \
          meant cannot be known. The note points at the other one. Where both shall happen, write \
          two entries or two steps.
          """,
        wrong: .file(
          """
          responses:
            - GET https://api.example.com/: { text: hello, json: { hello: true } }
          """),
        right: .file(
          """
          responses:
            - GET https://api.example.com/: { json: { hello: true } }
          """))
    case .misplaced:
      DiagnosticExplanation(
        title: "the key belongs to another one",
        text: """
          The key is known, but says something about another key that does not stand here. The \
          help says with what it goes.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, in: libz, provide: nil }]
          clock: { at: 2026-03-01 }
          """),
        right: .file(
          """
          chaos: [{ function: crc32, in: libz, provide: nil }]
          clock: { at: 2026-03-01 }
          """))
    case .empty:
      DiagnosticExplanation(
        title: "it says nothing",
        text: """
          A list without entries, a map without keys or an empty text stands where something must \
          be said. An empty list is not taken for "none", for most often something was forgotten. \
          Take the key out, or write what the help shows.
          """,
        wrong: .file(
          """
          target: { command: [date], stdin: {} }
          """),
        right: .file(
          """
          target: { command: [date], stdin: "" }
          """))
    case .outOfRange:
      DiagnosticExplanation(
        title: "the number is beyond what is allowed",
        text: """
          Numbers have bounds: what the kernel takes, what goes over the wire, what fits 64 bits. \
          The message says them where they are not plain. A long number that is an identifier and \
          not a quantity belongs in quotes.
          """,
        wrong: .file(
          """
          timeout: 0s
          """),
        right: .file(
          """
          timeout: 10s
          """))
    case .badRange:
      DiagnosticExplanation(
        title: "bounds are missing, or in the wrong order",
        text: """
          A range is a list of two, the smaller or earlier one first, and both ends belong to it. \
          A range that nothing lies in could never be met.
          """,
        wrong: .file(
          """
          expect: { elapsed: { between: [3s, 1s] } }
          """),
        right: .file(
          """
          expect: { elapsed: { between: [1s, 3s] } }
          """))
    case .badName:
      DiagnosticExplanation(
        title: "the name has letters that it cannot have",
        text: """
          Names of scenarios stand on one line in reports, names of variables have no "=", and \
          the like. The help says what can be written.
          """,
        wrong: .file(
          """
          name: "two\\nlines"
          """),
        right: .file(
          """
          name: two lines
          """))
    case .fixedText:
      DiagnosticExplanation(
        title: "an expression cannot stand here",
        text: """
          Expressions are known where data stands: arguments, files, environment, replies and \
          expectations. What decides about the shape of a run, such as names and durations, is \
          fixed, so that a plan is known before anything runs. "$${{" is a plain "${{".
          """,
        wrong: .file(
          """
          name: run of ${{ clock.at }}
          """),
        right: .file(
          """
          name: run of $${{ clock.at }}
          """))
    case .duplicateName:
      DiagnosticExplanation(
        title: "a name is given twice",
        text: """
          Reports, steps and the command line tell things apart by their names, so two of a kind \
          cannot share one. The note points at the first one.
          """,
        wrong: .file(
          """
          scenarios:
            - name: a trial ends
            - name: a trial ends
          """),
        right: .file(
          """
          scenarios:
            - name: a trial ends
            - name: a trial ends early
          """))
    case .afterEnd:
      DiagnosticExplanation(
        title: "something stands behind the end",
        text: """
          What closes a stream or a connection ends it; nothing can be sent afterwards, so what \
          stands behind it would never happen. Move the end behind it, or take it out.
          """,
        wrong: .file(
          """
          responses:
            - GET https://api.example.com/feed: { stream: [{ close: end }, { send: { text: late } \
          }] }
          """),
        right: .file(
          """
          responses:
            - GET https://api.example.com/feed: { stream: [{ send: { text: early } }, { close: \
          end }] }
          """))
    case .noEffect:
      DiagnosticExplanation(
        title: "it can change nothing",
        text: """
          Under the settings of this file what stands here would never be asked for, as responses \
          while the network is live. It is an error and no warning, for a reader would rely on \
          it.
          """,
        wrong: .file(
          """
          network: { mode: live }
          responses: [{ GET https://api.example.com/: { text: hello } }]
          """),
        right: .file(
          """
          network: { mode: offline }
          responses: [{ GET https://api.example.com/: { text: hello } }]
          """))
    case .badMatrix:
      DiagnosticExplanation(
        title: "a matrix has rows that cannot be",
        text: """
          A matrix makes one case for each row: lists that are combined, or rows written out. Rows \
          must be there, differ, and hold values as they are, for each is a part of a case's name.
          """,
        wrong: .file(
          """
          matrix: { plan: [basic, basic] }
          """),
        right: .file(
          """
          matrix: { plan: [basic, pro] }
          """))
    case .badUse:
      DiagnosticExplanation(
        title: "a file cannot be used",
        text: """
          "use" names files whose responses, chaos, factories, sequences and target stand behind \
          this file's own; whatever else such a file says has no effect on this one, and is an error \
          where it stands at its top. They lie below the project's folder (or that of --root), do not use each \
          other in a circle, and do not give one name two meanings.
          """)
    case .refusedOnly:
      DiagnosticExplanation(
        title: "\"only\" would leave scenarios out of an automatic build",
        text: """
          "only: true" is for the time in which an author works on one scenario. Where the variable \
          CI is set nothing may be left out unseen: take it out, or say --allow-only.
          """)
    case .conditionOrDocument:
      DiagnosticExplanation(
        title: "a map may be a document, or a condition that does not exist",
        text: """
          Behind a path, "not" and the like a map holds conditions, or it is a document to be equal \
          to. A misspelled condition must not become a document: nothing would ever equal it, and \
          "not" would hold for everything. So a map of one key that is no condition, and one with a \
          key that looks like a condition, says { equals: … } if it is a document.
          """,
        wrong: .file(
          """
          expect: { stdout: { json: { $.message: { not: { contians: error } } } } }
          """),
        right: .file(
          """
          expect: { stdout: { json: { $.message: { not: { contains: error } } } } }
          """))
    default: nil
    }
  }
}
