import ScenarioCompiler
import ScenarioPlan
import Testing

@Suite("Saved plans")
struct SavedPlanTests {
  private func saved() throws -> SavedPlan {
    let plan = try #require(
      try Samples.plan(
        """
        target: { command: [echo, hi], env: { A: b }, files: { a.json: { json: { u: 1.5 } } } }
        clock: { at: 2026-03-01T09:00:00Z, flow: held }
        scenarios:
          - name: one
            steps: [{ start: [a] }, { travel: { to: 1955-11-12, steps: [{ tick: 3s }] } }, { stop: }]
          - name: two
            expect: { exit: 0, stdout: { lines: [a, { matches: 'b+' }] } }
        """
      ).plan)
    var saved = SavedPlan(
      runner: "1.2.3", wishes: .init(seed: 4), inputs: [.init(path: "a.yaml", sha256: "ab")],
      shards: .init(strategy: .time, count: 2, shards: [2, 1]), cases: plan.cases)
    saved.digest = "cd"
    return saved
  }

  private func digested(_ plan: SavedPlan) throws -> [String] {
    var pieces: [String] = []
    try plan.digestedText { pieces.append($0) }
    return pieces
  }

  private func read(_ text: String) throws(PlanFormatError) -> SavedPlan {
    try SavedPlan(json: Array(text.utf8), runner: "9.9.9")
  }

  @Test("A saved plan reads back as it was, and its text is always the same")
  func roundTrip() throws {
    let saved = try saved()
    let text = try saved.jsonText()
    #expect(try read(text) == saved)
    #expect(try self.saved().jsonText() == text)
    #expect(text.hasSuffix("}\n"))
  }

  @Test("The digest depends on cases, order and files, not on shards or who wrote it")
  func digest() throws {
    let saved = try saved()
    let text = try digested(saved)
    var other = saved
    other.shards = nil
    other.runner = "2"
    other.digest = ""
    #expect(try digested(other) == text)
    other.cases.reverse()
    #expect(try digested(other) != text)
    other = saved
    other.inputs[0].sha256 = "ac"
    #expect(try digested(other) != text)
  }

  @Test("Another version of the format is refused with both versions")
  func version() throws {
    let text = try saved().jsonText().replacing("\"version\" : 1", with: "\"version\" : 7")
    let error = #expect(throws: PlanFormatError.self) { try read(text) }
    #expect(error?.message.contains("version 7") == true)
    #expect(error?.message.contains("version 1") == true)
    #expect(error?.message.contains("1.2.3") == true)
    #expect(error?.message.contains("9.9.9") == true)
  }

  @Test("Cut off anywhere, a plan is refused and never a trap")
  func truncated() throws {
    let bytes = Array(try saved().jsonText().utf8)
    for length in stride(from: 0, to: bytes.count - 2, by: 37) {
      #expect(throws: PlanFormatError.self) {
        try SavedPlan(json: Array(bytes[..<length]), runner: "1")
      }
    }
  }

  @Test("Bytes changed anywhere give a plan or an error, and never a trap")
  func damaged() throws {
    let bytes = Array(try saved().jsonText().utf8)
    var state: UInt64 = 1
    var refused = 0
    for _ in 0..<1_500 {
      var damaged = bytes
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(state >> 33) % damaged.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      do throws(PlanFormatError) {
        _ = try SavedPlan(json: damaged, runner: "1")
      } catch {
        refused += 1
        #expect(!error.message.isEmpty && error.message.utf8.count < 400)
      }
    }
    #expect(refused > 500)
  }

  @Test(
    "What contradicts itself is refused",
    arguments: [
      "{", "[]", "null", "{}", "{\"version\":1}", "{\"version\":\"1\"}", "{\"version\":1e99}", "\0",
    ])
  func nonsense(text: String) {
    #expect(throws: PlanFormatError.self) { try read(text) }
    #expect(throws: PlanFormatError.self) { try read(String(repeating: "[", count: 100_000)) }
  }

  @Test("A case that stands there twice, and shards that do not fit, are refused")
  func contradictions() throws {
    var twice = try saved()
    twice.cases[1] = twice.cases[0]
    var long = try saved()
    long.shards?.shards = [1, 2, 1]
    var wrong = try saved()
    wrong.shards?.shards = [1, 3]
    for bad in [twice, long, wrong] {
      let text = try bad.jsonText()
      let error = #expect(throws: PlanFormatError.self) { try read(text) }
      #expect(error?.message.hasPrefix("it is inconsistent") == true)
    }
  }

  @Test("The difference names cases and files")
  func difference() throws {
    let old = try saved()
    #expect(old.difference(from: old).isEmpty)
    var new = old
    new.cases.removeFirst()
    new.cases[0].seed += 1
    new.inputs[0].sha256 = "zz"
    let file = new.cases[0].file
    #expect(new.difference(from: old) == ["~ \(file)::two", "- \(file)::one", "~ file a.yaml"])
    new = old
    new.cases.reverse()
    #expect(new.difference(from: old) == ["~ the order of the cases"])
  }

  @Test("What the digest is made of comes case by case, and tells order and content")
  func digestedText() throws {
    let plan = try saved()
    let whole = try digested(plan)
    #expect(whole.count == 1 + plan.cases.count)
    #expect(whole.allSatisfy { $0.hasSuffix("\n") && !$0.dropLast().contains("\n") })

    var other = plan
    other.shards = nil
    other.runner = "4.5.6"
    #expect(try digested(other) == whole)
    other.cases.reverse()
    #expect(try digested(other) == [whole[0], whole[2], whole[1]])
    other = plan
    other.inputs[0].sha256 = "ac"
    #expect(try digested(other)[0] != whole[0])
    #expect(try digested(other).dropFirst() == whole.dropFirst())
  }
}
