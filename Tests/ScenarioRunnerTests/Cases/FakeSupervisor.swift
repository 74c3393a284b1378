import Foundations
import ScenarioModel
import Synchronization
import Terminal

@testable import ScenarioRunner
@testable import Supervisor

/// Targets that do what a test says, without any process.
final class FakeSupervisor: CaseSupervisor {
  /// Testing has a type of that name as well.
  typealias Status = ExitStatus

  struct State {
    /// What was asked of it, in order, as `start 0` or `signal 15 to 0`.
    var calls: [String] = []
    /// How targets have ended, by their numbers; none of one that lives.
    var statuses: [Int: ExitStatus] = [:]
    /// How targets end that are waited for, in order; with code 0 where nothing is said.
    var ends: [ExitStatus] = []
    /// What waiting comes to, by the name of the call, in order; it happens where nothing is said.
    var results: [String: [WaitResult]] = [:]
    /// What asking a target to end comes to, in order; it ends with code 0 where nothing is said.
    var endings: [TargetEnding] = []
    var startError: LaunchError?
    var output = ""
    /// What the output becomes with each wait for it.
    var growth: [String] = []
    var takesInput = true
    var takesSignals = true
    var canChangeClocks = true
    var timeMovesByItself = true
    /// How often it is said that somebody waits for time.
    var timeAwaited = 0
    /// Who outlives the target.
    var left: [LiveProcess] = []
    /// Who needs SIGKILL where the whole tree is ended.
    var killed: [LiveProcess] = []
    var programs: [String] = []
    var faults: [RuleStatistics] = []
    /// The signals that faults have sent to processes of targets.
    var faultSignals: Set<Int32> = []
    /// Those of them that first processes of targets got.
    var ownFaultSignals: Set<Int32> = []
    /// Where targets have been started.
    var directories: [String] = []
    /// Called with each call.
    var whenCalled: (@Sendable (String) -> Void)?
  }

  private let state = Mutex(State())

  /// Says what targets do.
  func plan(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
  }

  /// The calls that begin with one of some words; all if none is given.
  func calls(_ words: String...) -> [String] {
    let calls = state.withLock { $0.calls }
    guard !words.isEmpty else { return calls }
    return calls.filter { call in words.contains { call == $0 || call.hasPrefix($0 + " ") } }
  }

  /// Notes what was asked of it, or of somebody beside it.
  func record(_ call: String) {
    let action = state.withLock { state in
      state.calls.append(call)
      return state.whenCalled
    }
    action?(call)
  }

  private func result(of call: String) -> WaitResult {
    state.withLock { state in
      guard let first = state.results[call]?.first else { return .happened }
      state.results[call]?.removeFirst()
      return first
    }
  }

  // MARK: - Start and end

  func start(_ request: LaunchRequest, as target: TargetNumber) throws(LaunchError) {
    record("start \(target.index)")
    if let error = state.withLock({ $0.startError }) { throw error }
    state.withLock { state in
      state.statuses[target.index] = nil
      state.directories.append(request.directory)
    }
  }

  /// Where targets have been started.
  var directories: [String] { state.withLock { $0.directories } }

  func end(_ target: TargetNumber, by signal: Int32, grace: Nanoseconds) -> TargetEnding {
    record("end \(target.index) by \(signal) within \(grace)")
    return state.withLock { state in
      guard state.statuses[target.index] == nil else { return .wasOver }
      let ending = state.endings.isEmpty ? .ended(.exited(code: 0)) : state.endings.removeFirst()
      if case .ended(let status) = ending { state.statuses[target.index] = status }
      return ending
    }
  }

  func endTree(
    signals: [TargetNumber: Int32], others: Int32?, grace: Nanoseconds
  ) -> [LiveProcess] {
    let list = signals.sorted { $0.key.index < $1.key.index }.map { "\($0.key.index):\($0.value)" }
    record("endTree [\(list.joined(separator: " "))] within \(grace)")
    return state.withLock { state in
      for target in signals.keys { state.statuses[target.index] = .signaled(number: 9) }
      return state.killed
    }
  }

  func killTree(of target: TargetNumber) { record("killTree \(target.index)") }

  func leftBehind(patience: Nanoseconds) -> [LiveProcess] {
    record("leftBehind")
    return state.withLock { $0.left }
  }

  func cancel() { record("cancel") }

  func stop() { record("stop") }

  // MARK: - Waiting

  func awaitExit(
    of target: TargetNumber, deadline: Nanoseconds, meanwhile: () -> Void
  ) -> WaitResult {
    meanwhile()
    record("awaitExit \(target.index)")
    let result = result(of: "awaitExit")
    if case .happened = result {
      state.withLock { state in
        state.statuses[target.index] =
          state.ends.isEmpty ? .exited(code: 0) : state.ends.removeFirst()
      }
    }
    return result
  }

  func awaitEnd(
    of target: TargetNumber, grace: Nanoseconds, limit: Nanoseconds, meanwhile: () -> Void
  ) -> WaitResult {
    awaitExit(of: target, deadline: limit, meanwhile: meanwhile)
  }

  func awaitOutput(
    of target: TargetNumber, _ stream: StandardStream, beyond count: Int, deadline: Nanoseconds,
    meanwhile: () -> Void
  ) -> WaitResult {
    meanwhile()
    record("awaitOutput \(target.index) beyond \(count)")
    state.withLock { if !$0.growth.isEmpty { $0.output += $0.growth.removeFirst() } }
    return result(of: "awaitOutput")
  }

  func awaitRest() { record("awaitRest") }

  func pause(until moment: Nanoseconds, orEndOf target: TargetNumber) -> Bool {
    record("pause")
    return true
  }

  // MARK: - What targets get

  func send(_ bytes: [UInt8], to target: TargetNumber) -> Bool {
    record("send \(String(decoding: bytes, as: UTF8.self)) to \(target.index)")
    return state.withLock { $0.takesInput }
  }

  func closeInput(of target: TargetNumber) -> Bool {
    record("closeInput \(target.index)")
    return state.withLock { $0.takesInput }
  }

  func close(_ stream: StandardStream, of target: TargetNumber) -> Bool {
    record("close \(stream.rawValue) of \(target.index)")
    return state.withLock { $0.takesInput }
  }

  func resizeTerminal(of target: TargetNumber, to size: TerminalSize) -> Bool {
    record("resizeTerminal \(target.index)")
    return state.withLock { $0.takesInput }
  }

  func signal(_ number: Int32, to target: TargetNumber) -> Bool {
    record("signal \(number) to \(target.index)")
    return state.withLock { $0.takesSignals }
  }

  func signal(
    _ number: Int32, toProgram program: String, of target: TargetNumber
  ) -> (reach: SignalReach, others: [String]) {
    record("signal \(number) to \(program) of \(target.index)")
    let programs = state.withLock { $0.programs }
    return (programs.contains(program) ? .others : .none, programs)
  }

  // MARK: - Time

  func settle(deadline: Nanoseconds, meanwhile: () -> Void) -> WaitResult {
    meanwhile()
    record("settle")
    return result(of: "settle")
  }

  func tick(
    _ amount: TickAmount, deadline: Nanoseconds, meanwhile: () -> Void
  ) -> WaitResult {
    meanwhile()
    record("tick")
    return result(of: "tick")
  }

  func change(_ change: ClockChange) -> Bool {
    let text =
      switch change {
      case .beginBlock: "begin"
      case .endBlock: "end"
      case .jump: "jump"
      default: "other"
      }
    record("change \(text)")
    return state.withLock { $0.canChangeClocks }
  }

  func debug(_ target: TargetNumber) -> (any DebugTarget)? { nil }

  func timeMovesByItself() -> Bool { state.withLock { $0.timeMovesByItself } }

  func awaitsTime() -> Bool {
    state.withLock { state in
      defer { state.timeAwaited -= 1 }
      return state.timeAwaited > 0
    }
  }

  // MARK: - Faults

  func applyChaos(_ selection: ChaosSelection, seed: Int64?) { record("applyChaos") }

  func revertChaos(_ selection: ChaosSelection) { record("revertChaos") }

  func enterStep(_ name: String) { record("enterStep \(name)") }

  func leaveStep() { record("leaveStep") }

  // MARK: - What is known

  func exitStatus(of target: TargetNumber) -> ExitStatus? {
    state.withLock { $0.statuses[target.index] }
  }

  func output(_ stream: StandardStream, of target: TargetNumber) -> CapturedOutput {
    CapturedOutput(
      bytes: stream == .output ? state.withLock { Array($0.output.utf8) } : [], omitted: 0)
  }

  func snapshot(of target: TargetNumber) -> TargetSnapshot {
    state.withLock { state in
      TargetSnapshot(
        exitStatus: state.statuses[target.index], faultSignals: state.faultSignals,
        ownFaultSignals: state.ownFaultSignals,
        output: CapturedOutput(bytes: Array(state.output.utf8), omitted: 0),
        errorOutput: CapturedOutput(bytes: [], omitted: 0), faults: state.faults,
        control: ControlReport(), waits: WaitStatistics(), network: ConnectionAccount(),
        limits: [])
    }
  }

  func screen(of target: TargetNumber) -> TerminalScreen? { nil }

  func situations() -> [ThreadSituation] { [] }

  func listeningPorts(of target: TargetNumber) -> [UInt16] { [] }

  func entrances(toPort port: UInt16, of target: TargetNumber) -> [InternetAddress] { [] }

  func trust(ofConnection number: Int) -> TrustReport? { nil }

  func livePrograms() -> [String] { state.withLock { $0.programs } }

  var runningPrograms: [String] { livePrograms() }

  func liveProcessorTime() -> Nanoseconds { .zero }

  var commandWitness: CommandWitness? { nil }
}
