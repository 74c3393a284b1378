internal import ScenarioEvents
internal import Supervisor

/// The mechanism for holding a target that this machine refuses, in the doctor's words.
///
/// Where one is refused, no condition of a case that has an environment is decided: what the target
/// did may be the machine's doing.
struct MachineObstacle: Sendable, Hashable {
  /// The refusal, in one line.
  var message: String
  /// The changes to make, one line each.
  var help: [String]
  /// True if an emulator runs the runner, and does not know how to trace.
  var isEmulation = false

  /// The obstacle of this machine, found out once, at first use; `nil` if there is none.
  static let found = MachineObstacle(probe: MachineProbe.run())

  /// Makes an obstacle of the findings that fail; `nil` if none does.
  init?(_ findings: [DoctorFinding], emulator: String? = nil) {
    let failed = findings.filter { $0.status == .fail }
    guard let first = failed.first else { return nil }
    if let emulator {
      message = "scenarios cannot run under user emulation (\(emulator)): it has no ptrace"
      isEmulation = true
    } else {
      message = "this machine does not let the runner \(first.subject): \(first.value)"
    }
    help = first.help + ["run `scenario doctor` to see what else is refused, and how to fix it"]
  }

  private init?(probe: MachineProbe) {
    let confinement = Confinement.current(probe)
    self.init(
      TracingFindings(probe: probe, confinement: confinement).findings,
      emulator: confinement.emulator)
  }

  /// The type of such a failure, for machines.
  static let failureType = "Machine"

  /// The failure that a run reports.
  var failure: Failure {
    Failure(
      category: .error, type: Self.failureType, message: message, help: help.joined(separator: "; ")
    )
  }
}
