import Foundations
import ScenarioModel
@testable import ScenarioPlan
@testable import ScenarioTools
import Testing

@Suite("The ledger of an exploration's trials")
struct TrialLedgerTests {
  private static let trials = (0..<4).map { index in
    ExplorationTrial(
      number: index,
      point: FaultPoint(
        entry: 0, occurrence: index + 1, call: "fsync", subject: nil, program: "/bin/p", process: 1,
        thread: 1, site: "p+0x1"),
      fault: ExploredFault(error: nil, mode: .once))
  }

  private static func result(
    _ trial: ExplorationTrial, _ verdict: FaultVerdict = .same
  ) -> ExplorationResult {
    ExplorationResult(trial: trial, judgement: FaultJudgement(verdict), engine: "rerun")
  }

  @Test(
    "A trial whose fork was stopped is left to a run of its own, and told of until it has a verdict"
  )
  func stoppedForks() {
    var found = ForkedTrials()
    found.add(.judged(Self.result(Self.trials[0])), of: Self.trials[0])
    found.add(.stopped(after: .seconds(5)), of: Self.trials[1])
    found.add(.undecided, of: Self.trials[2])
    found.add(.stopped(after: .milliseconds(3)), of: Self.trials[3])
    #expect(found.results.map(\.trial.number) == [0])
    #expect(found.undecided == [1, 2])
    #expect(found.cutOff.map(\.trial.number) == [1])
    #expect(found.cutOff.map(\.elapsed) == [.seconds(5)])

    var ledger = TrialLedger()
    let before = ledger.advance
    for result in found.results { ledger.add(result) }
    ledger.leaveToRuns(found.undecided)
    ledger.add(stopped: found.cutOff)
    #expect(ledger.advance == before + 3)
    let rest = ledger.untried(of: Self.trials, isBroad: false)
    #expect(rest.map(\.number) == [1, 2, 3])
    #expect(ledger.forkable(among: rest).map(\.number) == [3])
    #expect(ledger.first.map(\.number) == [1])

    ledger.add(Self.result(Self.trials[1], .hang))
    #expect(ledger.first.isEmpty)
    #expect(ledger.judgedCount == 2)
  }

  @Test("Rounds of forks that are all stopped go on with runs, until a budget of them is used up")
  func rounds() {
    var ledger = TrialLedger()
    var runs: [Int] = []
    var rounds = 0
    while rounds < 10 {
      rounds += 1
      let before = ledger.advance
      var rest = ledger.untried(of: Self.trials, isBroad: false)
      let forkable = ledger.forkable(among: rest)
      if !forkable.isEmpty {
        var found = ForkedTrials()
        for trial in forkable { found.add(.stopped(after: .seconds(1)), of: trial) }
        ledger.leaveToRuns(found.undecided)
        ledger.add(stopped: found.cutOff)
        rest = []
      }
      for trial in rest.prefix(3) {
        runs.append(trial.number)
        ledger.add(Self.result(trial, .hang))
      }
      guard before < ledger.advance else { break }
    }
    #expect(runs == [0, 1, 2, 3])
    #expect(ledger.first.isEmpty)
  }

  @Test("What an exploration has stopped comes first in the next one")
  func next() {
    var ledger = TrialLedger()
    ledger.add(Self.result(Self.trials[0]))
    ledger.add(stopped: [CutOffTrial(trial: Self.trials[2], elapsed: .seconds(1))])
    let points = Self.trials.map(\.point)
    let known = KnownResults(
      ledger.results, cutOff: ledger.cutOff, of: points, for: Self.trials, of: points)
    let next = TrialLedger(known.results, cutOff: known.cutOff)
    #expect(next.first.map(\.number) == [2])
    #expect(next.untried(of: Self.trials, isBroad: false).map(\.number) == [1, 2, 3])
    #expect(next.judgedCount == 0)
  }

  @Test("Where time is short, of each place of the code the first point comes once")
  func places() {
    var trials = Self.trials
    trials[3].point.site = "p+0x2"
    #expect(TrialLedger().untried(of: trials, isBroad: true).map(\.number) == [0, 3])
  }

  @Test("A result that another run has given takes the place of the first")
  func replaced() {
    var ledger = TrialLedger([Self.result(Self.trials[0], .crash), Self.result(Self.trials[1])])
    ledger.replace(by: Self.result(Self.trials[0], .undecided))
    ledger.replace(by: Self.result(Self.trials[2], .undecided))
    #expect(ledger.results.map(\.judgement.verdict) == [.undecided, .same])
  }
}
