internal import ScenarioPlan
internal import Supervisor

/// The case runner's own record of one target.
struct TargetRecord {
  /// True if a step has started it.
  var hasStarted = false
  /// The step that has started it last.
  var startStep: PlannedStep?
  /// The number of its starts by steps.
  var startCount = 0
  /// The signals that steps have sent it since it was started.
  var signals: Set<Int32> = []
  /// The signals that steps have sent to its processes by the names of their programs, or by keys of its terminal.
  var indirectSignals: Set<Int32> = []
  /// True if its end is accounted for: a condition was checked on it, it was reported, or the runner has brought it
  /// about.
  var isEndSettled = false
  /// True if the try that has started it last is forgotten.
  var isOfForgottenTry = false
  /// The text that a step has sent it last, if it ended within a line.
  var unendedLine: String?
  /// Up to where waits have matched what it wrote since it was started, in bytes.
  var matched: [StandardStream: Int] = [:]
  /// Its standard output in all its starts.
  var keptOutput = KeptOutput()
  /// Its standard error in all its starts.
  var keptErrorOutput = KeptOutput()
}

extension CaseRunner {
  /// The record of the target that a step is about.
  subscript(step: PlannedStep) -> TargetRecord {
    get { records[step.target ?? 0] }
    set { records[step.target ?? 0] = newValue }
  }

  /// True if any target has been started by a step.
  var hasStarted: Bool { records.contains(where: \.hasStarted) }

  /// The bytes that the targets wrote to standard output, in all their starts: where there are
  /// several, one behind the other, each below its name.
  var keptOutput: KeptOutput { joined(\.keptOutput) }

  /// The same of standard error.
  var keptErrorOutput: KeptOutput { joined(\.keptErrorOutput) }

  private func joined(_ stream: KeyPath<TargetRecord, KeptOutput>) -> KeptOutput {
    guard records.count > 1 else { return records[0][keyPath: stream] }
    var joined = KeptOutput()
    for (index, record) in records.enumerated() where !record[keyPath: stream].isEmpty {
      joined.add(record[keyPath: stream], below: plannedCase.name(ofTarget: index))
    }
    return joined
  }
}

extension PlannedStep {
  /// The number of the target that the step is about.
  var targetNumber: TargetNumber { TargetNumber(target ?? 0) }
}
