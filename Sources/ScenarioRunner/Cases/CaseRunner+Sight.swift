internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// The number of last lines of each stream that are shown, and the number of bytes that are
  /// searched for them.
  private static let lineLimit = 5
  private static let byteLimit = 4096

  /// Registers the case among the running ones, so that other threads can observe it.
  func enterSight(of world: CaseEnvironment) {
    let (supervisor, view, inbox) = (world.supervisor, world.view, log.inbox)
    let isReal = plannedCase.clock == nil
    let count = plannedCase.targets.count
    options.running?.enter(
      plannedCase.identifier,
      RunningCases.Access(
        virtualTime: { isReal ? nil : view.reading().elapsed },
        details: {
          let processes = inbox.programs.map { "process \($0.process): \($0.program)" }
          let outputs = (0..<count).flatMap { index in
            [StandardStream.output, .error].flatMap { stream in
              Self.tail(
                of: supervisor.output(stream, of: TargetNumber(index)).bytes,
                stream.rawValue)
            }
          }
          return processes + outputs
        }))
  }

  private static func tail(of bytes: [UInt8], _ name: String) -> [String] {
    LastLines.text(
      bytes.suffix(byteLimit), isCut: bytes.count > byteLimit, of: name, count: lineLimit)
  }
}
