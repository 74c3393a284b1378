internal import Foundations
internal import ScenarioModel

extension CasePlanner {
  /// The numbers of the targets that have a terminal.
  var terminals: Set<Int> {
    let all = (body.target.map { [$0] } ?? []) + body.targets.map(\.settings)
    return Set(all.indices.filter { all[$0].terminal != nil })
  }

  private func hasTerminal(_ index: Int?) -> Bool {
    settings(ofTarget: index)?.terminal != nil
  }

  /// Checks for settings that contradict a target's terminal.
  mutating func checkTerminal(of settings: TargetSettings) {
    guard let terminal = settings.terminal else { return }
    if settings.standardInput != nil {
      report(
        "a target with a terminal has no \"stdin\"", code: .contradictory, at: terminal.range,
        help: "send input to the terminal: \"- send: TEXT\"")
    }
    for condition in settings.ready?.conditions ?? [] {
      guard case .errorOutput(let text) = condition else { continue }
      reportOneStream(at: text.range, "write \"stdout:\"")
    }
  }

  /// Checks that the terminal which a step needs is there, and that steps suit one; `index` is the
  /// target's number.
  mutating func checkTerminal(for step: Step, of index: Int?) {
    let hasTerminal = hasTerminal(index)
    switch step.action {
    case .press where !hasTerminal, .resize where !hasTerminal:
      report(
        "\(mention(ofTarget: index)) has no terminal", code: .impossibleStep,
        at: step.keyword.range, help: "add \"terminal: 80x24\" next to its \"command\"")
    case .wait(.screen(let text)):
      if !hasTerminal { reportNoScreen(at: text.range, index) }
    case .wait(.errorOutput(let text)) where hasTerminal:
      reportOneStream(at: text.range, "write \"wait: { stdout: … }\"")
    case .capture(let rules) where hasTerminal:
      for rule in rules where rule.source == .errorOutput {
        reportOneStream(at: rule.name.range, "write \"stdout\"")
      }
    case .closeOutput where hasTerminal:
      reportOneStream(
        at: step.keyword.range, "write \"- signal: HUP\" to simulate a closed terminal")
    default: break
    }
  }

  /// Checks for conditions that contradict a terminal; `index` is the target's number.
  mutating func checkTerminal(for entry: ExpectationBlock.Entry, of index: Int?) {
    switch entry.subject {
    case .standardError where hasTerminal(index):
      reportOneStream(at: entry.range, "write it as an expectation of \"stdout\"")
    case .screen where !hasTerminal(index): reportNoScreen(at: entry.range, index)
    default: break
    }
  }

  /// Reports an expectation of the screen of a command of `exec`, which has no terminal.
  mutating func checkNoScreen(_ entry: ExpectationBlock.Entry) {
    guard case .screen = entry.subject else { return }
    report(
      "a command of \"exec\" has no terminal", code: .impossibleStep, at: entry.range,
      help: "write an expectation of its \"stdout\"")
  }

  private mutating func reportNoScreen(at range: SourceRange, _ index: Int?) {
    report(
      "\(mention(ofTarget: index)) has no terminal", code: .impossibleStep, at: range,
      help: "add \"terminal: 80x24\" next to its \"command\"")
  }

  private mutating func reportOneStream(at range: SourceRange, _ help: String) {
    report(
      "a terminal shows standard output and standard error as one stream", code: .contradictory,
      at: range, help: help)
  }

  private func mention(ofTarget index: Int?) -> String {
    let names = targetNames
    guard names.count > 1, names.indices.contains(index ?? 0) else { return "the target" }
    return "\"\(names[index ?? 0] ?? "target")\""
  }
}
