internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor
internal import Terminal

extension CaseEnvironment {
  /// Returns the bytes that keys send to a target's terminal in the mode that it has set.
  func text(of keys: [TerminalKey], for target: TargetNumber) -> String {
    let isApplication = supervisor.screen(of: target)?.hasApplicationCursorKeys ?? false
    return keys.map { isApplication ? $0.applicationText : $0.text }.joined()
  }
}
