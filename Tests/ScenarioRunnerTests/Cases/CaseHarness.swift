import Foundations
import ScenarioCompiler
import ScenarioEvents
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Supervisor
import Testing

@testable import ScenarioRunner

/// Runs one case with targets and a mock server that do what a test says, and keeps its events.
final class CaseHarness {
  let supervisor: FakeSupervisor
  let mockServer: FakeMockServer
  let cancellation = RunCancellation()
  let folder: RunFolder
  var options: RunOptions
  /// Why there is no supervisor; `nil` where there is one.
  var supervisorError: LaunchError?
  private(set) var events: [Event] = []

  init() throws {
    let supervisor = FakeSupervisor()
    self.supervisor = supervisor
    mockServer = FakeMockServer { supervisor.record("mock server: \($0)") }
    folder = RunFolder(path: try TemporaryFolder("case-harness-", in: "/tmp", isKept: true).path)
    options = RunOptions(
      version: "test", planDigest: "", temporaryFolder: folder.path, environment: [:])
  }

  deinit { _ = FileTree.remove(folder.path) }

  /// Plans a file of one case and runs it; the program of its targets need only be there.
  func run(_ yaml: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    run(try plan(yaml, sourceLocation: sourceLocation))
  }

  /// Plans a file of one case.
  func plan(
    _ yaml: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PlannedCase {
    let read = ScenarioFile.parse(text: yaml + "\nversion: 2", path: "test.yaml")
    let file = try #require(read.file, sourceLocation: sourceLocation)
    let result = Planner.plan(files: [file], options: PlannerOptions(fileExists: { _ in true }))
    let mistakes = (read.diagnostics + result.diagnostics).filter { $0.severity == .error }
    #expect(mistakes.map(\.message) == [], sourceLocation: sourceLocation)
    return try #require(result.plan?.cases.first, sourceLocation: sourceLocation)
  }

  /// Runs a case.
  func run(_ planned: PlannedCase) {
    let log = CaseLog(scenario: planned.identifier, runStart: RealTime.monotonic()) { event in
      self.events.append(event)
    }
    CaseRunner(
      plannedCase: planned, number: 1, folder: folder, options: options,
      cancellation: cancellation, log: log, parts: parts
    ).run()
  }

  private var parts: CaseParts {
    CaseParts(
      supervisor: { [supervisor, supervisorError] _, _ throws(LaunchError) in
        if let supervisorError { throw supervisorError }
        return supervisor
      },
      mockServer: { [mockServer] surroundings, planned, _, _, _ throws(Failure) in
        guard let network = planned.network, network.needsMockServer else { return nil }
        mockServer.report(to: surroundings.findings)
        return mockServer
      }, obstacle: { nil })
  }

  // MARK: - What was told

  var result: CaseResult? {
    for case .caseFinished(let result) in events.map(\.kind) { return result }
    return nil
  }

  var outcome: CaseResult.Outcome? { result?.outcome }

  var failures: [Failure] {
    events.compactMap { event in
      if case .failed(let failure) = event.kind { failure } else { nil }
    }
  }

  var messages: [String] { failures.map(\.message) }

  var warnings: [String] {
    events.compactMap { event in
      if case .warning(let text, _) = event.kind { text } else { nil }
    }
  }

  /// The steps that were begun, by their names.
  var steps: [String] {
    events.compactMap { event in
      if case .stepStarted(_, let name, _) = event.kind { name } else { nil }
    }
  }
}
