internal import FaultEngine
internal import ScenarioPlan

/// Collects the points at which faults can be injected.
final class SurveyRecorder {
  private unowned let faults: FaultInjector
  private let survey: FaultSurvey
  private var state = SurveyState()

  init(_ survey: FaultSurvey, faults: FaultInjector) {
    self.survey = survey
    self.faults = faults
  }

  /// Reports a system call that one of the survey's entries has taken, and returns the point.
  func record(
    _ decision: ChaosDecision, of tracee: Tracee, call: String, _ registers: Registers,
    _ facts: inout SyscallContext
  ) -> FaultPoint? {
    guard survey.entries.contains(decision.entry) else { return nil }
    let subject = facts.subject()
    let isOfFunctions = faults.rules.table.entries[decision.entry].functions != nil
    let rank = isOfFunctions ? nil : state.count(decision.entry, by: facts.lineage)
    guard isPoint(call, about: subject, of: tracee.process) else { return nil }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call,
      subject: subject, program: facts.program(), process: tracee.process.ordinal,
      thread: tracee.ordinal, lineage: facts.lineage, rank: rank,
      site: tracee.process.site(of: registers))
    survey.sight(point)
    return point
  }

  /// The same of the call of a function.
  func record(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall,
    _ facts: inout FunctionContext
  ) -> FaultPoint? {
    guard survey.entries.contains(decision.entry), !state.isPaused(for: tracee.process.identifier),
      survey.preparation == nil || !awaitsScript(tracee.process)
    else { return nil }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call.function, subject: nil,
      program: facts.program(), process: tracee.process.ordinal, thread: tracee.ordinal,
      lineage: facts.lineage, site: tracee.process.site(of: call.caller))
    survey.sight(point)
    return point
  }

  /// Returns whether a system call is a point, and not part of the program's own preparation.
  ///
  /// While a process loads something its functions are counted, without stops: a bundle of
  /// certificates is some hundred thousand allocations.
  private func isPoint(_ call: String, about subject: String?, of process: TargetProcess) -> Bool {
    guard let preparation = survey.preparation else { return true }
    if awaitsScript(process) {
      // Some open it long before they read it.
      guard let subject, process.program.awaitedScript??.paths.contains(subject) ?? false,
        Self.readingCalls.contains(call)
      else { return false }
      // This call is the last part of the preparation.
      process.program.awaitedScript = .some(nil)
      goOn(process.identifier)
      return false
    }
    guard let subject else { return !state.isPaused(for: process.identifier) }
    switch preparation(subject) {
    case .startup: return false
    case .loading:
      pause(process.identifier)
      return false
    case nil:
      goOn(process.identifier)
      return true
    }
  }

  private static let readingCalls: Set<String> = [
    "mmap", "pread64", "preadv", "preadv2", "read", "readv",
  ]

  /// Returns whether a process is an interpreter that has not read its program yet.
  private func awaitsScript(_ process: TargetProcess) -> Bool {
    let program = process.program
    if let known = program.awaitedScript {
      guard known != nil else { return false }
    } else {
      let folder = KernelPath.target(of: "/proc/\(process.identifier.number)/cwd") ?? "/"
      let script = InterpretedScript(arguments: program.arguments, in: folder)
      program.awaitedScript = .some(script)
      guard script != nil else { return false }
    }
    pause(process.identifier)
    return true
  }

  private func pause(_ process: ThreadIdentifier) {
    guard state.pause(for: process) else { return }
    faults.functions?.recordCalls()
    faults.functions?.setDue()
  }

  private func goOn(_ process: ThreadIdentifier) {
    guard state.goOn(for: process) else { return }
    faults.functions?.recordCalls()
    faults.functions?.setDue()
  }

  /// Returns whether the calls of an entry's functions cause no stops for now.
  func isPaused(_ entry: Int) -> Bool {
    state.isPaused && survey.entries.contains(entry)
  }
}
