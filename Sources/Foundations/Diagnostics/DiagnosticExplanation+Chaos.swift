extension DiagnosticExplanation {
  /// What the codes of chaos mean; `nil` for any other code.
  static func chaos(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .unknownProvider:
      DiagnosticExplanation(
        title: "there is no such provider",
        text: """
          "provide" says what a call gives in place of its result: an error, a constant, a \
          signal, a delay and more. An error stands as { error: EIO }.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, provide: EIO }]
          """),
        right: .file(
          """
          chaos: [{ call: fsync, provide: { error: EIO } }]
          """))
    case .impossibleCondition:
      DiagnosticExplanation(
        title: "the condition can never hold",
        text: """
          Each kind of call is about certain things: some have a path, some an address, some a \
          number of bytes. A condition on what the call does not have would keep the entry from \
          ever firing.
          """,
        wrong: .file(
          """
          chaos: [{ call: connect, where: { path: "*.db" }, provide: { error: ECONNREFUSED } }]
          """),
        right: .file(
          """
          chaos: [{ call: connect, where: { port: 443 }, provide: { error: ECONNREFUSED } }]
          """))
    case .impossibleProvider:
      DiagnosticExplanation(
        title: "this cannot be done to what is named",
        text: """
          Only calls that transfer bytes can be short or corrupt, only processes can be \
          restarted, only disks be full. The help says with what it goes.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsync, provide: { short: { bytes: 1 } } }]
          """),
        right: .file(
          """
          chaos: [{ call: read, provide: { short: { bytes: 1 } } }]
          """))
    case .neverFires:
      DiagnosticExplanation(
        title: "the time of the entry never comes",
        text: """
          "until" lies before "from", or the probability is 0: nothing could make the entry fire. \
          A scenario with an entry that never fires fails, so this one could never pass.
          """,
        wrong: .file(
          """
          clock: { at: 2026-03-01, flow: auto }
          chaos: [{ call: fsync, when: { from: +30s, until: +10s }, provide: { error: EIO } }]
          """),
        right: .file(
          """
          clock: { at: 2026-03-01, flow: auto }
          chaos: [{ call: fsync, when: { from: +10s, until: +30s }, provide: { error: EIO } }]
          """))
    case .unknownEntry:
      DiagnosticExplanation(
        title: "there is no target, step, response or entry of this name",
        text: """
          Targets are named below "targets"; steps, responses and chaos entries by "name", or by \
          what they are about. The help lists those of this scenario.
          """,
        wrong: .file(
          """
          chaos: [{ name: journal, call: fsync, provide: { error: EIO } }]
          expect: { chaos: { jurnal: { fired: 1 } } }
          """),
        right: .file(
          """
          chaos: [{ name: journal, call: fsync, provide: { error: EIO } }]
          expect: { chaos: { journal: { fired: 1 } } }
          """))
    case .unknownCall:
      DiagnosticExplanation(
        title: "there is no such call, function or error",
        text: """
          Calls are those of syscalls(2), families such as read and open, and groups such as \
          @write; errors are those of errno(3); functions are looked for in the libraries that \
          are named. The help names the nearest one.
          """,
        wrong: .file(
          """
          chaos: [{ call: fsnyc, provide: { error: EIO } }]
          """),
        right: .file(
          """
          chaos: [{ call: fsync, provide: { error: EIO } }]
          """))
    default: nil
    }
  }
}
