internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension World {
  /// Whether a target has a terminal.
  func hasTerminal(_ target: TargetNumber) -> Bool {
    let targets = plannedCase.targets
    return targets.indices.contains(target.index) && targets[target.index].terminal != nil
  }

  /// What keys send to a target's terminal in the mode that it has asked for.
  func text(of keys: [TerminalKey], for target: TargetNumber) -> String {
    let isApplication = TerminalOutput.endsInApplicationMode(
      supervisor.output(.output, of: target).suffix(1 << 16))
    return keys.map { isApplication ? $0.applicationText : $0.text }.joined()
  }
}

/// What comes out of a terminal.
enum TerminalOutput {
  /// Whether the program has asked for application mode of the cursor's keys last (DECCKM: CSI ? 1 h sets it,
  /// CSI ? 1 l resets it).
  static func endsInApplicationMode(_ bytes: [UInt8]) -> Bool {
    let sequence = Array("\u{1b}[?1".utf8)
    var index = bytes.count - sequence.count - 1
    while index >= 0 {
      let final = bytes[index + sequence.count]
      if final == UInt8(ascii: "h") || final == UInt8(ascii: "l"),
        bytes[index..<index + sequence.count].elementsEqual(sequence)
      {
        return final == UInt8(ascii: "h")
      }
      index -= 1
    }
    return false
  }
}
