internal import Foundations
internal import ScenarioModel

/// Records what was held and what escaped, and reports what is to be known, each within bounds.
final class ControlRecorder {
  private let send: (SupervisorEvent) -> Void
  /// The waits and processes that were held, and those that escaped.
  private(set) var control = ControlReport()
  /// The lengths of the target's waits.
  private(set) var waits = WaitStatistics()
  /// Calls that waited in real time and have been reported, by their processes.
  private var escapes: [ThreadIdentifier: Set<Int>] = [:]
  /// The notices that have been reported.
  private var notices: Set<String> = []

  /// The largest number of escapes of each kind, and of notices, that are reported; more are only
  /// counted.
  private static let reportLimit = 100

  /// - Parameter report: takes events.
  init(report: @escaping (SupervisorEvent) -> Void) {
    send = report
  }

  /// Virtual time has passed.
  func recordMove(by length: Nanoseconds) {
    control.moves += 1
    control.moved = control.moved + length
  }

  /// Virtual time has passed for what a program has computed.
  func recordCharge(_ length: Nanoseconds, to process: TargetProcess) {
    control.recordCharge(length, to: process.programName)
  }

  /// Counts a wait that was requested.
  func recordWait(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription) {
    control.waits += 1
    waits.add(length, by: owner())
  }

  /// A program has read the processor's time stamp counter.
  func recordCounterReader(_ program: String) { control.recordCounterReader(program) }

  /// A thread waits in real time: reports each call once per process.
  func report(_ wait: NativeWait, of process: TargetProcess, reason: String) {
    guard escapes[process.identifier, default: []].insert(wait.systemCall).inserted else { return }
    control.escapedWaits += 1
    guard control.escapedWaits <= Self.reportLimit else { return }
    send(
      .waitEscaped(
        process: process.identifier.number, program: process.programName,
        systemCall: SystemCallTable.current.name(of: wait.systemCall),
        length: wait.length(in: process.memory), reason: reason))
  }

  /// A thread enters a wait that cannot be held, because nothing was mapped into its process.
  func reportUnheldWait(of tracee: Tracee, _ registers: Registers) {
    let arguments = (0..<6).map { registers[argument: $0] }
    guard let wait = NativeWait(systemCall: registers.systemCall, arguments: arguments) else {
      return
    }
    report(wait, of: tracee.process, reason: "the process is out of reach")
  }

  /// Reports, while everything sleeps and nothing is due, threads that the kernel itself will wake.
  func reportNativeWaits(of tracees: some Sequence<Tracee>) {
    for tracee in tracees {
      guard case .running = tracee.state, let call = tracee.sampler.blockedCall(),
        let wait = NativeWait(call)
      else { continue }
      // For ever waits only who was made to: the call is held, whatever its thread has come to meanwhile.
      if let held = tracee.process.image?.farFuture, call.arguments.contains(held) { continue }
      report(wait, of: tracee.process, reason: "the call was not intercepted")
    }
  }

  /// A program runs that would have other rights without supervision: `no_new_privs` keeps execve(2) from granting
  /// any.
  func reportLostPrivileges(of process: TargetProcess) {
    guard let loss = PrivilegedProgram(process: process.identifier) else { return }
    notice(
      "\"\(process.programName)\" \(loss.text), which has no effect: supervised programs gain no privileges",
      of: process)
  }

  /// A process has ended, or runs a new program.
  func forgetEscapes(of process: ThreadIdentifier) { escapes[process] = nil }

  /// A process cannot be controlled.
  func reportOutOfReach(_ process: TargetProcess, reason: String) {
    control.processesOutOfReach += 1
    guard control.processesOutOfReach <= Self.reportLimit else { return }
    send(.outOfReach(process: process.identifier.number, reason: reason))
  }

  /// Reports a notice, once.
  func notice(_ text: String, of process: TargetProcess) {
    notice(text, ofProcess: process.identifier.number)
  }

  /// Reports a notice of a process that may be none of the target's, once.
  func notice(_ text: String, ofProcess number: Int32) {
    guard notices.count < Self.reportLimit, notices.insert(text).inserted else { return }
    send(.notice(process: number, text: text))
  }
}
