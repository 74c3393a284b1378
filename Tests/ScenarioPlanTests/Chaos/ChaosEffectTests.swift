@testable import FaultEngine
import ScenarioModel
import Testing

/// Calls show only at their end whether a fault that depends on their bytes has changed anything.
@Suite("Faults without an effect")
struct ChaosEffectTests {
  private func decide(_ table: inout FaultRuleSet) throws -> ChaosDecision? {
    let index = try #require(table.systemCallNames.firstIndex(of: "read"))
    var facts = LaidFacts()
    return table.decide(call: index, &facts)
  }

  @Test("An entry with a limit strikes the next call when it had no effect on the first")
  func times() throws {
    var table = try FaultRuleSet.of(
      "  - { name: a, call: read, when: { times: 1 }, provide: { short: 1 } }")

    let first = try #require(try decide(&table))
    let meanwhile = try decide(&table)
    let firstIsEvent = table.settle(first, hasEffect: false, process: 1)
    #expect(meanwhile == nil)
    #expect(!firstIsEvent)
    #expect(table.counts[0].fired == 0)

    let second = try #require(try decide(&table))
    #expect(second.occurrence == 3)
    #expect(table.counts[0].fired == 0)
    let secondIsEvent = table.settle(second, hasEffect: true, process: 1)
    #expect(secondIsEvent)
    #expect(table.counts[0].fired == 1)
    #expect(table.countsByProcess[0][1]?.fired == 1)

    let third = try decide(&table)
    #expect(third == nil)
  }

  @Test("A call that has not returned holds the turn of its entry, and the entry says so")
  func underWay() throws {
    var table = try FaultRuleSet.of(
      "  - { name: a, call: read, when: { times: 1 }, provide: { short: 1 } }")
    _ = try #require(try decide(&table))
    #expect(try decide(&table) == nil)

    #expect(table.countWithoutEffect(0) == 1)
    #expect(
      table.unfired().map(\.explanation) == [
        [
          "2 calls matched, but the call with the fault did not return; until then none of the others takes its place"
        ]
      ])
  }

  @Test("An entry that is applied again strikes anew, whatever a call before that comes to")
  func appliedAgain() throws {
    var table = try FaultRuleSet.of(
      "  - { name: a, call: read, when: { times: 1 }, provide: { short: 1 } }")
    let first = try #require(try decide(&table))
    table.apply(.all, seed: nil)
    let second = try #require(try decide(&table))

    let firstIsEvent = table.settle(first, hasEffect: true, process: 1)
    #expect(firstIsEvent)
    #expect(try decide(&table) == nil)
    _ = table.settle(second, hasEffect: false, process: 1)
    #expect(try decide(&table) != nil)
    #expect(table.counts[0].fired == 1)
  }

  @Test("An entry that had no effect on any call says so")
  func explanation() throws {
    var table = try FaultRuleSet.of(
      "  - { name: a, call: read, provide: { corrupt: { zero: 1 } } }")
    for _ in 0..<2 {
      let decision = try #require(try decide(&table))
      _ = table.settle(decision, hasEffect: false, process: 1)
    }

    #expect(
      table.unfired().map(\.explanation) == [
        [
          "2 calls matched, but the fault had no effect: no result, argument or byte was changed, and nothing cut off"
        ]
      ])
  }

  @Test(
    "A fault counts at once where it does not depend on what the call moves",
    arguments: [
      ("{ short: 1 }", true), ("{ corrupt: { flip_bits: 1 } }", true),
      ("{ compute: { bytes: byte ^ 1 } }", true), ("{ compute: result - 1 }", true),
      ("{ error: EIO }", false), ("{ constant: 3 }", false),
      ("{ signal: { send: USR1, at: after }, then: { short: 1 } }", false),
    ])
  func kinds(provide: String, awaitsEffect: Bool) throws {
    var table = try FaultRuleSet.of("  - { name: a, call: read, provide: \(provide) }")

    let decision = try #require(try decide(&table))
    #expect(decision.awaitsEffect == awaitsEffect)
    #expect(table.counts[0].fired == (awaitsEffect ? 0 : 1))
  }
}
