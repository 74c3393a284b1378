import Testing

/// `eventually` and `always`: conditions that are checked again and again in virtual time, and requests by pattern.
@Suite("Conditions that are checked again and again")
struct RepeatedConditionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(["run", folder.write("version: 2\n" + text, to: "f.yaml")])
  }

  private func waiting(_ expectation: String, clock: String = "{ flow: held }") throws
    -> BuiltRunner.Outcome
  {
    try run(
      """
      target: { command: [sh, -c, "sleep 20; echo done > out.txt; sleep 3600"] }
      clock: \(clock)
      steps:
        - start:
        - expect: { \(expectation) }
        - stop:

      """)
  }

  @Test(
    "A file that comes within the time is waited for in virtual time; one that comes later is not")
  func eventually() throws {
    let file = "files: { out.txt: { exists: true } }"
    let good = try waiting("eventually: { within: 30s, every: 1s, \(file) }, duration: 20s")
    good.expectExit(0)

    let early = try waiting("eventually: { within: 10s, every: 1s, \(file) }")
    early.expectExit(1)
    #expect(early.output.contains("eventually:"), "\(early.text)")
    #expect(early.output.contains("still the case after 10s"), "\(early.text)")
  }

  @Test("What must hold all the time fails at the check that finds otherwise")
  func always() throws {
    let absent = "files: { out.txt: { absent: true } }"
    let good = try waiting("always: { within: 10s, every: 1s, \(absent) }")
    good.expectExit(0)

    let late = try waiting("always: { within: 30s, every: 1s, \(absent) }")
    late.expectExit(1)
    #expect(late.output.contains("always:") && late.output.contains("after 20s"), "\(late.text)")
  }

  private func requests(_ expectation: String) throws -> BuiltRunner.Outcome {
    try run(
      """
      target:
        command:
          - sh
          - -c
          - >-
            curl -s -d '{"id":7}' -H 'x-who: ann' http://api.test/orders; sleep 2;
            curl -s -d '{"id":8}' -H 'x-who: bob' http://api.test/orders
      clock: { flow: auto }
      responses: [{ POST http://api.test/orders: { text: ok } }]
      expect: { requests: [\(expectation)] }

      """)
  }

  @Test("Requests are told apart by headers and body after they were made")
  func patterns() throws {
    func pattern(_ id: Int, _ who: String) -> String {
      "{ method: POST, path: /orders, headers: { x-who: \(who) }, json: { $.id: \(id) } }"
    }
    let good = try requests(
      "{ request: \(pattern(7, "ann")), count: 1 }, { order: [\(pattern(7, "ann")), \(pattern(8, "bob"))] }"
    )
    good.expectExit(0)

    let other = try requests("{ request: \(pattern(7, "bob")) }")
    other.expectExit(1)
    #expect(other.output.contains("nearest: "), "\(other.text)")
    let order = try requests("{ order: [\(pattern(8, "bob")), \(pattern(7, "ann"))] }")
    order.expectExit(1)
  }

  @Test("Intervals take conditions")
  func intervals() throws {
    let good = try requests(
      "{ request: POST /orders, intervals: [{ between: [1900ms, 2500ms] }] }")
    good.expectExit(0)
    let bad = try requests("{ request: POST /orders, intervals: [{ at_most: 1900ms }] }")
    bad.expectExit(1)
    // A request that was never made has no interval either.
    let never = try requests("{ request: POST /odrers, intervals: [] }")
    never.expectExit(1)
    #expect(never.output.contains("no request for \"POST /odrers\""), "\(never.text)")
  }

  @Test("What stands nearer wins, entries are added, and override lets nothing be inherited")
  func inheritance() throws {
    let text = """
      target: { command: [sh, -c, 'echo $A $B; exit $B'], env: { A: 1, B: 0 } }
      expect: { exit: 0, stdout: "1 0" }
      tags: [top]
      scenarios:
        - name: as the top says
          steps: [{ run: }]
        - name: one variable and one condition differ
          target: { env: { B: 5 } }
          steps: [{ run: }]
          expect: { exit: 5, stdout: 1 5 }
        - name: nothing is inherited
          override: [expect, target]
          target: { command: [sh, -c, 'exit 3'] }
          steps: [{ run: }]
          expect: { exit: 3 }

      """
    let good = try run(text)
    good.expectExit(0)
    let bad = try run(text.replacing("exit: 5,", with: "exit: 6,"))
    bad.expectExit(1)
  }

  @Test("Blocks of a file that is included stand for steps; one that is nowhere is told")
  func includedBlocks() throws {
    folder.write(
      "version: 2\nblocks: { greet: { params: [who], steps: [{ run: [\"${{ with.who }}\"] }] } }\n",
      to: "shared.yaml")
    let text = """
      include: [shared.yaml]
      target: { command: [echo] }
      steps: [{ block: greet, with: { who: ann } }]
      expect: { stdout: ann }

      """
    let good = try run(text)
    good.expectExit(0)
    try run(text.replacing("stdout: ann", with: "stdout: bob")).expectExit(1)
    let unknown = try run(text.replacing("block: greet", with: "block: great"))
    unknown.expectExit(2)
    #expect(unknown.errorOutput.contains("E039"), "\(unknown.text)")
  }
}
