internal import FaultEngine
internal import ScenarioPlan

/// Collects the points at which faults can be injected.
final class SurveyRecorder {
  private unowned let faults: FaultInjector
  private let survey: FaultSurvey
  private var state = SurveyState()
  /// What the interpreters among the processes have still to read.
  private var scripts: [ThreadIdentifier: AwaitedScript] = [:]

  /// The file that a program interprets.
  private struct AwaitedScript {
    weak var program: RunningProgram?
    /// The file, until the program has read it; `nil` if it interprets none.
    var script: InterpretedScript?
  }

  init(_ survey: FaultSurvey, faults: FaultInjector) {
    self.survey = survey
    self.faults = faults
  }

  /// Returns whether the survey is about the calls that an entry takes.
  func isAbout(_ entry: Int) -> Bool { survey.entries.contains(entry) }

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
      subject: subject, program: facts.program().executable, process: tracee.process.ordinal,
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
      program: facts.program().executable, process: tracee.process.ordinal, thread: tracee.ordinal,
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
      guard let subject, Self.readingCalls.contains(call),
        scripts[process.identifier]?.script?.paths.contains(subject) ?? false
      else { return false }
      // This call is the last part of the preparation.
      scripts[process.identifier]?.script = nil
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
    if scripts[process.identifier]?.program !== program {
      scripts[process.identifier] = AwaitedScript(
        program: program, script: awaitedScript(of: process))
    }
    guard scripts[process.identifier]?.script != nil else { return false }
    pause(process.identifier)
    return true
  }

  private func awaitedScript(of process: TargetProcess) -> InterpretedScript? {
    let arguments = process.program.arguments
    // The copy that fork(2) makes has read what its maker has.
    if let maker = process.parent.flatMap({ scripts[$0] }), maker.program?.arguments == arguments {
      return maker.script
    }
    let folder = KernelPath.target(of: "/proc/\(process.identifier.number)/cwd") ?? "/"
    return InterpretedScript(arguments: arguments, in: folder)
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
