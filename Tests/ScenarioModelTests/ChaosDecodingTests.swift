@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite struct ChaosDecodingTests {
  private func chaos(_ list: String) throws -> [ChaosEntry] {
    try #require(parse("version: 2\nchaos:\n" + list).file).defaults.chaos
  }

  private func calls(_ entry: ChaosEntry) -> [String] {
    guard case .calls(let calls) = entry.victim else { return [] }
    return calls.map(\.value)
  }

  @Test("An entry has calls, conditions, a schedule and a provider")
  func readsEntries() throws {
    let entries = try chaos(
      """
        - name: journal dies
          call: [fsync, "@write"]
          where:
            path: "**/*.db"
            fd: [file, pipe]
            host: a.example
            port: 443
            size: { greater_than: 4KiB, less_than: 1MiB }
            offset: { between: [0, 99] }
            flags: O_APPEND
            args: { 2: { not: 0 } }
            process: sqlite3
            thread: worker-*
          when:
            { skip: 2, every: 3, times: 1, probability: 0.5, from: +30s, until: +1h, during: save,
              on: { reply: GET https://a.example/, nth: 2 } }
          provide: { error: EIO }
          apply: false
        - { call: open, where: { process: 2 }, when: { nth: [7, 3] }, provide: nil }
      """)

    #expect(entries.map(\.name.value) == ["journal dies", "open"])
    #expect(entries.map { calls($0) } == [["fsync", "@write"], ["open"]])
    let conditions = entries[0].conditions
    #expect(conditions.value.pattern(.path) == "**/*.db")
    #expect(conditions.value.kinds == [.file, .pipe])
    #expect(conditions.value.pattern(.host) == "a.example")
    #expect(conditions.number(.port)?.value == .equals(443))
    #expect(conditions.number(.size)?.value == .allOf([.greaterThan(4096), .lessThan(1 << 20)]))
    #expect(conditions.number(.offset)?.value == .between(0, 99))
    #expect(conditions.flags.map(\.value) == ["O_APPEND"])
    #expect(conditions.arguments.map(\.value.index) == [2])
    #expect(conditions.arguments.map(\.value.condition) == [.not(.equals(0))])
    #expect(conditions.value[.process] == .pattern("sqlite3"))
    #expect(entries[1].conditions.value[.process] == .ordinal(2))
    #expect(conditions.value.pattern(.thread) == "worker-*")
    let schedule = entries[0].schedule.value
    #expect(schedule.after == 2)
    #expect(schedule.every == 3)
    #expect(schedule.times == 1)
    #expect(schedule.probability == 0.5)
    #expect(schedule.from == .shift(.seconds(30)))
    #expect(schedule.until == .shift(.seconds(3_600)))
    #expect(schedule.during == "save")
    #expect(schedule.event?.reply == "GET https://a.example/")
    #expect(schedule.event?.number == 2)
    #expect(entries[1].schedule.value.places == [3, 7])
    #expect(entries.map(\.isApplied) == [false, true])
  }

  @Test(
    "Each provider is read, and nests",
    arguments: [
      ("original", "original"), ("nil", "nil"), ("hang", "hang"), ("lie", "lie"),
      ("kill", "kill process"), ("{ kill: tree }", "kill tree"), ("restart", "restart after 0s"),
      ("{ pause: 5s }", "stop 5s"), ("{ restart: { after: 2s } }", "restart after 2s"),
      ("{ constant: 7 }", "constant 7"),
      ("{ constant: -1, errno: EAGAIN }", "constant -1 EAGAIN"), ("{ constant: abc }", "text abc"),
      ("{ compute: 'args[2] / 2' }", "compute args[2] / 2"),
      ("{ compute: { args: { 1: '0' }, result: result } }", "compute 1=0 result"),
      ("{ exec: [./decide, -v] }", "exec ./decide -v"), ("{ random: [0, 99] }", "random 0...99"),
      ("{ random: { error: documented } }", "random documented"),
      ("{ random: { error: [EIO, ENOSPC] } }", "random EIO ENOSPC"), ("{ error: EIO }", "EIO"),
      ("{ signal: SIGTERM }", "signal TERM"),
      ("{ signal: { send: TERM, at: after }, then: nil }", "signal TERM after then nil"),
      ("{ exit: 3 }", "exit 3"), ("{ sequence: [original, nil] }", "[original nil]"),
      (
        "{ match: [ { where: { path: a }, provide: { sequence: [{ error: EIO }] } } ], else: lie }",
        "match [EIO] else lie"
      ),
      ("{ delay: 3s }", "delay 3s 3s"),
      ("{ delay: [1s, 2s], then: { error: EIO } }", "delay 1s 2s EIO"),
      ("{ short: 1 }", "short bytes(1)"), ("{ short: { bytes: 1KiB } }", "short bytes(1024)"),
      ("{ short: { fraction: 0.5 } }", "short fraction(0.5)"),
      ("{ corrupt: { flip_bits: 2 } }", "corrupt flipBits(2, at: nil)"),
      ("{ corrupt: { zero: 16, offset: 3 } }", "corrupt zero(16, at: Optional(3))"),
    ])
  func providers(text: String, description: String) throws {
    let entries = try chaos("  - { call: read, provide: \(text) }\n")
    let provider = try #require(entries.first?.provider)

    #expect(describe(provider) == description)
  }

  private func describe(_ provider: FaultAction) -> String {
    switch provider.content {
    case .original: return "original"
    case .nothing: return "nil"
    case .constant(.number(let number), let errno):
      return "constant \(number)" + (errno.map { " \($0.value)" } ?? "")
    case .constant(.fraction(let number), _): return "fraction \(number)"
    case .constant(.text(let text), _): return "text \(text)"
    case .compute(let computation):
      let arguments = computation.arguments.map { "\($0.index.value)=\($0.expression.value)" }
      return (["compute"] + arguments + [computation.result?.value].compactMap(\.self))
        .joined(separator: " ")
    case .execute(let words, let isAfter):
      return (isAfter ? "exec after " : "exec ") + words.map(\.value).joined(separator: " ")
    case .randomNumber(let bounds): return "random \(bounds)"
    case .randomError(.documented): return "random documented"
    case .randomError(.among(let names)):
      return "random " + names.map(\.value).joined(separator: " ")
    case .error(let name): return name.value
    case .signal(let name, let isAfter, let then):
      return "signal \(name.value)" + (isAfter ? " after" : "")
        + (then.map { " then \(describe($0))" } ?? "")
    case .exit(let code): return "exit \(code)"
    case .kill(let scope): return "kill \(scope.rawValue)"
    case .sequence(let providers):
      return "[" + providers.map { describe($0) }.joined(separator: " ") + "]"
    case .match(let branches, let otherwise):
      return "match " + branches.map { describe($0.provider) }.joined(separator: " ")
        + (otherwise.map { " else \(describe($0))" } ?? "")
    case .delay(let shortest, let longest, let then):
      return "delay \(shortest) \(longest)" + (then.map { " \(describe($0))" } ?? "")
    case .link(let faults): return faults.map(\.text).joined(separator: ", ")
    case .hang: return "hang"
    case .short(let amount): return "short \(amount)"
    case .corrupt(let corruption): return "corrupt \(corruption)"
    case .lie: return "lie"
    case .stop(let length): return "stop \(length)"
    case .restart(let delay): return "restart after \(delay)"
    case .disk(let fault): return "disk \(fault)"
    case .crash(let scope, _): return "crash \(scope?.rawValue ?? "all")"
    }
  }

  @Test("Steps apply and revert entries, by name and all")
  func steps() throws {
    let file = try #require(
      parse(
        """
        version: 2
        steps: [{ apply: a }, { apply: { name: all, seed: 7 } }, { revert: a }, { revert: all }]
        """
      ).file)

    let words = (file.defaults.steps ?? []).map { step in
      switch step.action {
      case .apply(let selection, let seed): "apply \(selection.value) \(seed ?? 0)"
      case .revert(let selection): "revert \(selection.value)"
      default: "?"
      }
    }

    #expect(
      words == ["apply entry(\"a\") 0", "apply all 7", "revert entry(\"a\")", "revert all"])
  }

  @Test(
    "What an entry cannot say is an error",
    arguments: [
      ("{ provide: { error: EIO } }", "missing required key \"call\" in an entry of \"chaos\""),
      ("{ call: a }", "missing required key \"provide\" in an entry of \"chaos\""),
      ("{ call: [], provide: { error: EIO } }", "\"call\" is empty"),
      ("{ call: a, provide: {} }", "\"provide\" has no provider"),
      ("{ call: a, provide: null }", "\"provide\" is empty"),
      ("{ call: a, provide: EIO }", "unknown provider \"EIO\""),
      ("{ call: a, provide: delay }", "\"delay\" needs a value"),
      ("{ call: a, provide: { sigal: SEGV } }", "unknown key \"sigal\" in \"provide\""),
      (
        "{ call: a, provide: { error: EIO, exit: 3 } }",
        "\"exit\" cannot be combined with \"error\" in \"provide\""
      ),
      (
        "{ call: a, provide: { error: EIO, then: nil } }", "\"then\" does not belong to \"error\""
      ),
      (
        "{ call: a, when: { every: 3, nth: 2 }, provide: nil }",
        "\"nth\" cannot be combined with \"every\" in \"when\""
      ),
      (
        "{ call: a, when: { times: 0 }, provide: { error: EIO } }",
        "\"times\" must be at least 1, not 0"
      ),
      (
        "{ call: a, when: { skip: -1 }, provide: { error: EIO } }",
        "\"skip\" must be at least 0, not -1"
      ),
      (
        "{ call: a, when: { probability: 1.5 }, provide: nil }",
        "\"probability\" must be from 0 to 1, not 1.5"
      ),
      (
        "{ call: a, where: { proces: b }, provide: { error: EIO } }",
        "unknown key \"proces\" in \"where\""
      ),
      (
        "{ call: a, where: { fd: sock }, provide: nil }", "unknown value \"sock\" for \"fd\""
      ),
      (
        "{ call: a, where: { args: { 6: 1 } }, provide: nil }",
        "\"6\" is not the index of an argument"
      ),
      (
        "{ call: a, where: { size: big }, provide: nil }",
        "\"size\" must be a number, not the text \"big\""
      ),
      ("{ call: a, provide: { short: 0 } }", "\"short\" must be at least one byte, not 0"),
      ("{ call: a, provide: { random: [9, 0] } }", "the range from 9 to 0 is empty"),
      (
        "{ call: a, provide: { delay: [2s, 1s] } }",
        "\"delay\" needs two durations, the shortest and the longest"
      ),
      ("{ call: a, provide: { corrupt: { offset: 1 } } }", "\"corrupt\" is empty"),
      (
        "{ call: a, provide: { corrupt: { truncate: 2, offset: 1 } } }",
        "\"truncate\" removes the end, but \"offset\" selects another place"
      ),
      (
        "{ call: a, link: b, provide: { error: EIO } }",
        "\"call\" cannot be combined with \"link\""
      ),
    ])
  func refuses(entry: String, message: String) {
    let text = "version: 2\nchaos:\n  - \(entry)\n"
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics.map(\.message)
    #expect(found.contains(message), "\(found)")
  }
}
