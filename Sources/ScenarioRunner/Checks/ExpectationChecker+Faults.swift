internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor

extension ExpectationChecker {
  /// Checks the number of processes that live, or have crashed.
  func checkProcesses(_ kind: ProcessCount, _ matcher: PlannedMatcher) -> [Failure] {
    let programs: [String]
    switch kind {
    case .left:
      world.supervisor.awaitRest()
      programs = world.supervisor.livePrograms()
    case .crashed: programs = crashes.map { "\($0.program), by SIG\($0.signal)" }
    }
    return match(
      matcher, .integer(Int64(programs.count)), type: "expect.processes",
      name: kind == .left ? "processes left" : "processes crashed"
    ).with(details: programs.prefix(20).map { "  \($0)" })
  }

  /// Holds if the target has reported that it failed: by an exit code other than the one of `exit:`
  /// (0 where there is none), or on standard error, otherwise than `stderr:` says (nothing where
  /// there is none).
  ///
  /// If it has not, everything must be as the conditions say. A crash is no report.
  func checkTolerated(_ expectations: [PlannedExpectation]) -> [Failure] {
    guard let status = target.exitStatus else { return [hasNotEnded(type: "expect.tolerated")] }
    if case .signaled(let number) = status {
      let name = SignalNames.name(of: number)
      if SignalNames.ofMistakes.contains(name) {
        return [
          Failure(
            category: .expectation, type: "expect.tolerated",
            message: "tolerated: the target was killed by SIG\(name)", actual: "SIG\(name)")
        ]
      }
    }
    let ending = expectations.filter(\.isAboutReports)
    if !ending.contains(where: \.isAboutEnd), status != .exited(code: 0) { return [] }
    if !ending.contains(where: { !$0.isAboutEnd }), !target.errorOutput.bytes.isEmpty { return [] }
    if ending.contains(where: { !check($0).isEmpty }) { return [] }
    return expectations.filter { !$0.isAboutReports }.flatMap(check).map { failure in
      var failure = failure
      failure.type = "expect.tolerated"
      failure.message += ", and the target reports no failure"
      return failure
    }
  }
}

extension PlannedExpectation {
  fileprivate var isAboutEnd: Bool {
    switch subject {
    case .exit, .signal: true
    default: false
    }
  }

  /// True if it is about a way in which the target reports failures.
  fileprivate var isAboutReports: Bool {
    if case .standardError = subject { true } else { isAboutEnd }
  }
}
