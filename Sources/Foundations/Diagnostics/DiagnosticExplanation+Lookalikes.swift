extension DiagnosticExplanation {
  /// What the warnings mean; `nil` for any other code.
  static func ambiguities(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .looksLikeBool:
      DiagnosticExplanation(
        title: "YAML 1.1 reads this text as true or false",
        text: """
          no, off, yes and on are texts here, as YAML 1.2 has it, but true or false for most \
          other readers of YAML, of 1.1. Where the text goes to one of these, or a person reads \
          it, quotes say what is meant. In data true and false are written so.
          """,
        wrong: .file(
          """
          build: { country: no }
          """),
        right: .file(
          """
          build: { country: "no" }
          """))
    case .looksLikeOctal:
      DiagnosticExplanation(
        title: "YAML 1.1 reads these digits as octal",
        text: """
          Digits behind a zero are text here, as telephone numbers and codes are; readers of YAML \
          1.1 take 010 for 8. Quotes say that text is meant, and 0o10 is the number.
          """,
        wrong: .file(
          """
          build: { code: 010 }
          """),
        right: .file(
          """
          build: { code: "010" }
          """))
    case .looksLikeTime:
      DiagnosticExplanation(
        title: "YAML 1.1 reads this text as a number to the base of sixty",
        text: """
          1:30 is text here and 90 for readers of YAML 1.1. Quotes say that text is meant; a \
          duration is written 1m30s.
          """,
        wrong: .file(
          """
          build: { length: 1:30 }
          """),
        right: .file(
          """
          build: { length: "1:30" }
          """))
    case .looksLikeNumber:
      DiagnosticExplanation(
        title: "YAML 1.1 reads this text as a number",
        text: """
          1_000 and 0b11 are texts here and numbers for readers of YAML 1.1. Write the number \
          plainly, or the text in quotes.
          """,
        wrong: .file(
          """
          build: { total: 1_000 }
          """),
        right: .file(
          """
          build: { total: 1000 }
          """))
    case .tightComment:
      DiagnosticExplanation(
        title: "a comment begins in the middle of what may be one text",
        text: """
          A "#" behind a blank begins a comment, whatever follows it, and the text ends in front of \
          it. Text with such a sign needs quotes; a comment is not told if a blank follows its sign.
          """,
        wrong: .file(
          """
          name: issue #12 is fixed
          """),
        right: .file(
          """
          name: "issue #12 is fixed"
          """))
    case .changedNumber:
      DiagnosticExplanation(
        title: "a number is shown otherwise than it is written",
        text: """
          3.10 and 3.1 are the same number, and the shorter one stands in names of cases and in \
          texts. The number of a version is a text: write it in quotes.
          """,
        wrong: .file(
          """
          matrix: { python: [3.9, 3.10] }
          """),
        right: .file(
          """
          matrix: { python: ["3.9", "3.10"] }
          """))
    case .lostSetting:
      DiagnosticExplanation(
        title: "a setting of the file's top does not hold here",
        text: """
          The "network" of a scenario replaces that of the file's top as a whole: what only the \
          top says does not hold in the scenario. Repeat it there, or leave "network" to the top.
          """,
        wrong: .file(
          """
          network: { loopback: closed }
          scenarios:
            - name: nobody has to ask
              network: { unused: ignore }
              expect: { exit: 0 }
          """),
        right: .file(
          """
          network: { loopback: closed }
          scenarios:
            - name: nobody has to ask
              network: { loopback: closed, unused: ignore }
              expect: { exit: 0 }
          """))
    case .unused:
      DiagnosticExplanation(
        title: "nobody asks for it",
        text: """
          A factory, trait or param that nothing uses is often left over, or the name of another \
          one was misspelled where it was meant. Take it out, or use it.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob } } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob } } }
          build: { bob: { $build: user } }
          """))
    case .repeatedTrait:
      DiagnosticExplanation(
        title: "a trait is asked for twice",
        text: """
          Traits apply in the order of their names, the later one over the earlier one. One that \
          stands twice applies at its last place.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob }, traits: { a: { fields: { name: A } }, b: { \
          fields: { name: B } } } } }
          build: { bob: { $build: user, traits: [a, b, a] } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob }, traits: { a: { fields: { name: A } }, b: { \
          fields: { name: B } } } } }
          build: { bob: { $build: user, traits: [b, a] } }
          """))
    case .shadowedName:
      DiagnosticExplanation(
        title: "a name of the language hides the field",
        text: """
          "build", "clock", "env" and the other names of the language keep their meaning in the \
          objects of factories. A field of the same name is reached by "self".
          """,
        wrong: .file(
          """
          clock: { at: 2026-03-01 }
          factories: { trip: { fields: { scenario: a, label: "${{ scenario.name }}" } } }
          build: { trip: { $build: trip } }
          """),
        right: .file(
          """
          clock: { at: 2026-03-01 }
          factories: { trip: { fields: { scenario: a, label: "${{ self.scenario }}" } } }
          build: { trip: { $build: trip } }
          """))
    case .shadowedEntry:
      DiagnosticExplanation(
        title: "an earlier chaos entry takes everything",
        text: """
          The first entry that matches a call decides about it. One that takes all of the calls \
          leaves nothing for those behind it.
          """,
        wrong: .file(
          """
          chaos:
            - { name: first, call: fsync, provide: { error: EIO } }
            - { name: second, call: fsync, provide: { error: ENOSPC } }
          """),
        right: .file(
          """
          chaos:
            - { name: first, call: fsync, when: { times: 1 }, provide: { error: EIO } }
            - { name: second, call: fsync, provide: { error: ENOSPC } }
          """))
    case .neverMet:
      DiagnosticExplanation(
        title: "a part of the chaos entry is never reached",
        text: """
          An earlier branch takes all calls, or "times" ends before the last place of "nth". The \
          entry works, but not all of it.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, when: { nth: [1, 2, 3], times: 2 }, provide: { error: EIO } }]
          """),
        right: .file(
          """
          chaos: [{ call: fsync, when: { nth: [1, 2, 3] }, provide: { error: EIO } }]
          """))
    case .unlikelyError:
      DiagnosticExplanation(
        title: "the call does not give this error by itself",
        text: """
          The manual page of the call does not name the error, or names it for other uses. \
          Programs may rightly not be prepared for it; where that is the point, the warning can \
          stay.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, provide: { error: ECONNREFUSED } }]
          """),
        right: .file(
          """
          chaos: [{ call: fsync, provide: { error: EIO } }]
          """))
    case .repeatedName:
      DiagnosticExplanation(
        title: "two chaos entries have one name",
        text: """
          Steps apply and revert entries by their names, and reports count by them. Where two are \
          called alike, neither can be told from the other.
          """,
        wrong: .file(
          """
          chaos:
            - { name: disk, call: fsync, when: { nth: 1 }, provide: { error: EIO } }
            - { name: disk, call: write, when: { nth: 1 }, provide: { error: ENOSPC } }
          """),
        right: .file(
          """
          chaos:
            - { name: journal, call: fsync, when: { nth: 1 }, provide: { error: EIO } }
            - { name: disk, call: write, when: { nth: 1 }, provide: { error: ENOSPC } }
          """))
    case .cannotFail:
      DiagnosticExplanation(
        title: "everything meets the condition",
        text: """
          Any text contains the empty text, and matches ".*": an expectation on it says nothing, \
          and a wait for it does not wait. So it is with "requests: []", which is no condition.
          """,
        wrong: .file(
          """
          expect: { stdout: { contains: "" } }
          """),
        right: .file(
          """
          expect: { stdout: { contains: done } }
          """))
    case .noDifference:
      DiagnosticExplanation(
        title: "this makes no difference",
        text: """
          What stands there is met, and nothing is other than without it. Such are "times" that \
          allows more than "nth" names, a process that goes on as it is, and a target's time to be \
          ready that is longer than the scenario's.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, when: { nth: 1, times: 3 }, provide: { error: EIO } }]
          """),
        right: .file(
          """
          chaos: [{ call: fsync, when: { nth: 1 }, provide: { error: EIO } }]
          """))
    case .endlessRestart:
      DiagnosticExplanation(
        title: "the target may be started again without end",
        text: """
          A target that comes to the call each time it runs is started again each time, until the \
          case's timeout. "times" says how often.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, provide: { restart: { after: 1s } } }]
          """),
        right: .file(
          """
          chaos: [{ call: fsync, when: { times: 1 }, provide: { restart: { after: 1s } } }]
          """))
    case .changedReport:
      DiagnosticExplanation(
        title: "a report could not say everything",
        text: """
          JUnit's XML has no place for some of what a run gives, such as control characters, or \
          is larger than readers take. The message says what was left out or changed; jsonl \
          reports hold everything.
          """)
    case .leftOut:
      DiagnosticExplanation(
        title: "only some of the cases run",
        text: """
          "only: true" in a scenario leaves all others out, for the time in which an author works on \
          it. Where the variable CI is set it is an error.
          """)
    case .nothingToRun:
      DiagnosticExplanation(
        title: "the file has nothing to run",
        text: """
          The folder holds a file without a scenario that no other file of the run uses. If others are \
          to use it, they name it behind "use"; otherwise it lacks its "scenarios".
          """)
    default: nil
    }
  }
}
