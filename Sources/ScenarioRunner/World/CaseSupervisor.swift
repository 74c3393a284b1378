internal import Foundations
internal import ScenarioModel
internal import Supervisor
internal import Terminal

/// The operations of a case on its targets, and its queries.
///
/// ``Supervisor`` in a run; in tests of the case runner a fake that says what targets do.
protocol CaseSupervisor: Sendable {
  // MARK: - Start and end

  func start(_ request: LaunchRequest, as target: TargetNumber) throws(LaunchError)
  func end(_ target: TargetNumber, by signal: Int32, grace: Nanoseconds) -> TargetEnding
  func endTree(
    signals: [TargetNumber: Int32], others signal: Int32?, grace: Nanoseconds
  ) -> [LiveProcess]
  func killTree(of target: TargetNumber)
  func leftBehind(patience: Nanoseconds) -> [LiveProcess]
  func cancel()
  func stop()

  // MARK: - Waiting

  func awaitExit(
    of target: TargetNumber, deadline: Nanoseconds, meanwhile: () -> Void
  ) -> WaitResult
  func awaitEnd(
    of target: TargetNumber, grace: Nanoseconds, limit: Nanoseconds, meanwhile: () -> Void
  ) -> WaitResult
  func awaitOutput(
    of target: TargetNumber, _ stream: StandardStream, beyond count: Int, deadline: Nanoseconds,
    meanwhile: () -> Void
  ) -> WaitResult
  func awaitRest()
  func pause(until moment: Nanoseconds, orEndOf target: TargetNumber) -> Bool

  // MARK: - What targets get

  func send(_ bytes: [UInt8], to target: TargetNumber) -> Bool
  func closeInput(of target: TargetNumber) -> Bool
  func close(_ stream: StandardStream, of target: TargetNumber) -> Bool
  func resizeTerminal(of target: TargetNumber, to size: TerminalSize) -> Bool
  func signal(_ number: Int32, to target: TargetNumber) -> Bool
  func signal(
    _ number: Int32, toProgram program: String, of target: TargetNumber
  ) -> (reach: SignalReach, others: [String])

  // MARK: - Time

  func settle(deadline: Nanoseconds, meanwhile: () -> Void) -> WaitResult
  func tick(_ amount: TickAmount, deadline: Nanoseconds, meanwhile: () -> Void) -> WaitResult
  @discardableResult func change(_ change: ClockChange) -> Bool
  func timeMovesByItself() -> Bool
  func awaitsTime() -> Bool

  // MARK: - Debugging

  func debug(_ target: TargetNumber) -> (any DebugTarget)?

  // MARK: - Faults

  func applyChaos(_ selection: ChaosSelection, seed: Int64?)
  func revertChaos(_ selection: ChaosSelection)
  func enterStep(_ name: String)
  func leaveStep()

  // MARK: - What is known

  func exitStatus(of target: TargetNumber) -> ExitStatus?
  func output(_ stream: StandardStream, of target: TargetNumber) -> CapturedOutput
  func snapshot(of target: TargetNumber) -> TargetSnapshot
  func screen(of target: TargetNumber) -> TerminalScreen?
  func situations() -> [ThreadSituation]
  func listeningPorts(of target: TargetNumber) -> [UInt16]
  func entrances(toPort port: UInt16, of target: TargetNumber) -> [InternetAddress]
  func trust(ofConnection number: Int) -> TrustReport?
  func livePrograms() -> [String]
  var runningPrograms: [String] { get }
  func liveProcessorTime() -> Nanoseconds
  var commandWitness: CommandWitness? { get }
}

extension Supervisor: CaseSupervisor {}
