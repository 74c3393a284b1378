@testable import FaultEngine
import Foundations
@testable import Patterns
import ScenarioModel
@testable import ScenarioPlan
@testable import ScenarioTools
import Testing

@Suite("Trials of an exploration")
struct ExplorationTrialTests {
  private static let range = SourceRange(file: "a.yaml", line: 1, column: 1)

  private func exploration(
    _ words: [String], _ change: (inout PlannedExploration) -> Void = { _ in }
  ) throws -> PlannedExploration {
    let surveys = try words.map { word in
      PlannedChaos(
        name: word,
        target: .calls(
          try PlannedCall.named(word), with: word == "@alloc" ? .allocations : nil),
        provider: .original, range: Self.range)
    }
    var exploration = PlannedExploration(surveys: surveys, folder: "found", range: Self.range)
    change(&exploration)
    return exploration
  }

  private func point(
    _ call: String, _ occurrence: Int, subject: String? = nil, site: String? = "p+0x1",
    program: String = "/bin/p", entry: Int = 0
  ) -> FaultPoint {
    FaultPoint(
      entry: entry, occurrence: occurrence, call: call, subject: subject, program: program,
      process: 1, thread: 1, site: site)
  }

  @Test("Each point is tried with each error that occurs in practice, once and onwards")
  func errors() throws {
    let trials = try exploration(["@write", "@alloc"]).trials(of: [
      point("pwrite64", 1), point("malloc", 1, entry: 1),
    ])
    #expect(
      trials.map(\.name) == [
        "pwrite64#1 ENOSPC once", "pwrite64#1 ENOSPC onwards", "pwrite64#1 EIO once",
        "pwrite64#1 EIO onwards", "malloc#1 ENOMEM once", "malloc#1 ENOMEM onwards",
      ])
    #expect(trials.map(\.number) == Array(0..<6))
  }

  @Test("Every call of every group has an error, and the first is one of its manual page")
  func everyCall() throws {
    var count = 0
    for group in SystemCallGroup.all {
      for call in try PlannedCall.named(group.name) {
        let names = PracticalErrors.names(of: call.name)
        #expect(!names.isEmpty && names.allSatisfy { (try? ErrorNumber.named($0)) != nil })
        guard let first = names.first, let documented = DocumentedErrors(of: call.name) else {
          continue
        }
        let error = try ErrorNumber.named(first)
        #expect(documented.circumstance(of: error) != nil, "\(call.name) \(first)")
        count += 1
      }
    }
    #expect(count > 100)
  }

  @Test(
    "Where others make the same calls, one that fails once is counted among those of its thread")
  func countedByThread() throws {
    var own = point("write", 7)
    own.lineage = [0, 2]
    own.rank = 3
    let plan = try exploration(["write"])
    let trials = plan.trials(of: [own])
    let once = try #require(trials.first { $0.fault.mode == .once })
    let shared = try #require(plan.entry(for: once, isOfThread: true))
    #expect(shared.conditions.lineage == [0, 2])
    #expect(shared.schedule.places == [3])
    let alone = try #require(plan.entry(for: once))
    #expect(alone.conditions.lineage == nil)
    #expect(alone.schedule.places == [7])
    let onwards = try #require(trials.first { $0.fault.mode == .onwards })
    let lasting = try #require(plan.entry(for: onwards, isOfThread: true))
    #expect(lasting.beginning == PlannedChaos.Beginning(lineage: [0, 2], rank: 3))
    #expect(lasting.schedule.takesAll && lasting.conditions.lineage == nil)
    #expect(plan.entry(for: onwards)?.schedule.after == 6)
    #expect(plan.entry(for: onwards)?.beginning == nil)
  }

  @Test("Errors can be named, or be those of the manual page")
  func choice() throws {
    let named = try exploration(["write"]) {
      $0.errors = .among([ErrorNumber(name: "EDQUOT", code: 122)])
      $0.modes = [.once]
    }
    #expect(named.trials(of: [point("write", 1)]).map(\.fault.word) == ["EDQUOT"])
    let documented = try exploration(["write"]) { $0.errors = .documented }
    #expect(documented.trials(of: [point("write", 1)]).count > 6)
  }

  @Test("Only transfers can be short")
  func short() throws {
    let trials = try exploration(["read", "fsync"]) {
      $0.kinds = [.short]
      $0.modes = [.once]
    }.trials(of: [point("read", 1), point("fsync", 1, entry: 1)])
    #expect(trials.map(\.name) == ["read#1 short once"])
  }

  @Test("By site, each place is tried once, whatever it is about")
  func sites() throws {
    let points = [
      point("write", 1, subject: "/a"), point("write", 2, subject: "/a"),
      point("write", 3, subject: "/b"), point("write", 4, subject: "/a", site: "p+0x2"),
    ]
    let sites = try exploration(["write"]) { $0.grain = .site }
    #expect(sites.chosen(points).map(\.occurrence) == [1, 4])
    // Where the place is not known, subjects tell calls apart.
    let unknown = [
      point("write", 1, subject: "/a", site: nil), point("write", 2, subject: "/b", site: nil),
    ]
    #expect(sites.chosen(unknown).count == 2)
    #expect(try exploration(["write"]).chosen(points).count == 4)
  }

  @Test("Subjects and programs can be left alone")
  func ignored() throws {
    let points = [
      point("open", 1, subject: "/etc/nsswitch.conf"), point("open", 2, subject: "/tmp/a"),
      point("open", 3, subject: "/tmp/a", program: "/bin/sh"),
    ]
    let rest = try exploration(["open"]) {
      $0.ignored = [GlobPattern("/etc/**"), GlobPattern("sh")]
    }
    #expect(rest.chosen(points).map(\.occurrence) == [2])
  }

  @Test("The entry of a trial hits that call, or it and all behind it")
  func entries() throws {
    let exploration = try exploration(["write"])
    let trials = exploration.trials(of: [point("write", 3)])
    let once = try #require(exploration.entry(for: trials[0]))
    let onwards = try #require(exploration.entry(for: trials[1]))
    #expect(once.schedule.places == [3])
    #expect(once.provider == .error(ErrorNumber(name: "ENOSPC", code: 28)))
    #expect(onwards.schedule.places.isEmpty && onwards.schedule.after == 2)
  }

  // MARK: - Narrowing

  @Test("A narrowed fault is told by call, path and program, and counts among these alone")
  func narrowed() throws {
    let root = "${{ root }}/work"
    let points = [
      point("openat", 1, subject: "/etc/a"), point("openat", 2, subject: "\(root)/db"),
      point("openat", 3, subject: "\(root)/db", program: "/bin/sh"),
      point("openat", 4, subject: "\(root)/db"),
    ]
    let exploration = try exploration(["@open"])
    let trial = ExplorationTrial(
      number: 0, point: points[3],
      fault: ExploredFault(error: ErrorNumber(name: "EIO", code: 5), mode: .once))
    let survey = exploration.surveys[0]

    let fault = NarrowedFault(trial, of: survey, among: points) { _ in true }
    #expect(fault.victim == .call("openat"))
    #expect(fault.path == "db")
    #expect(fault.program == "p")
    #expect(fault.occurrence == 2)

    let unstable = NarrowedFault(trial, of: survey, among: points) { _ in false }
    #expect(unstable.path == nil)
    #expect(unstable.occurrence == 3)
    #expect(NarrowedFault(trial, of: survey).occurrence == 4)
  }

  @Test("Allocations are counted as one, whatever function makes them")
  func allocations() throws {
    let points = [point("malloc", 1), point("calloc", 2)]
    let survey = try exploration(["@alloc"]).surveys[0]
    let trial = ExplorationTrial(
      number: 0, point: points[1],
      fault: ExploredFault(error: ErrorNumber(name: "ENOMEM", code: 12), mode: .once))
    let fault = NarrowedFault(trial, of: survey, among: points) { _ in true }
    #expect(fault.victim == .call("@alloc"))
    #expect(fault.occurrence == 2)
  }

  // MARK: - Findings

  @Test("Findings are distinct by place, error and verdict; one call stands for all behind it")
  func distinct() {
    func result(
      _ number: Int, _ occurrence: Int, _ mode: FaultMode, _ verdict: FaultVerdict,
      error: String = "EIO", site: String = "p+0x1"
    ) -> ExplorationResult {
      ExplorationResult(
        trial: ExplorationTrial(
          number: number, point: point("write", occurrence, site: site),
          fault: ExploredFault(error: ErrorNumber(name: error, code: 5), mode: mode)),
        judgement: FaultJudgement(verdict), engine: "rerun")
    }
    let findings = ExploredFinding.distinct(in: [
      result(5, 4, .once, .crash, site: "p+0x2"), result(0, 1, .onwards, .crash),
      result(1, 2, .once, .crash), result(2, 3, .once, .same), result(3, 3, .once, .hang),
      result(4, 3, .once, .crash, error: "ENOSPC"),
    ])
    #expect(findings.map(\.result.trial.number) == [1, 3, 4, 5])
    #expect(findings.map(\.count) == [2, 1, 1, 1])
  }
}
