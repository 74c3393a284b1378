internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// The names of the targets, in the order of their numbers; `nil` for the scenario's `target`.
  var targetNames: [String?] {
    (body.target == nil ? [] : [nil]) + body.targets.map(\.name.value)
  }

  /// Returns the settings of the target of a number; `nil` is the first.
  func settings(ofTarget index: Int?) -> TargetSettings? {
    let place = (index ?? 0) - (body.target == nil ? 0 : 1)
    guard place >= 0 else { return body.target }
    return body.targets.indices.contains(place) ? body.targets[place].settings : nil
  }

  /// The number of targets.
  var targetCount: Int { (body.target == nil ? 0 : 1) + body.targets.count }

  /// The targets' numbers by what steps call them.
  static func numbers(ofTargetsIn body: ScenarioBody) -> [String: Int] {
    let names = (body.target == nil ? [] : ["target"]) + body.targets.map(\.name.value)
    return Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// The targets; empty, with a report, if the scenario has none.
  mutating func planTargets() -> [PlannedTarget] {
    var planned: [PlannedTarget] = []
    let known = namesBeforeStarts()
    if let settings = body.target {
      (data.captures, data.stepBuilds) = (known[0].captures, known[0].builds)
      planned.append(plan(settings, at: "target"))
    }
    for target in body.targets {
      let known = known[planned.count]
      (data.captures, data.stepBuilds) = (known.captures, known.builds)
      var one = plan(target.settings, at: "targets.\(target.name.value)")
      one.name = target.name.value
      planned.append(one)
    }
    if planned.isEmpty {
      report(
        "the scenario \"\(entry.name.value)\" has no target", code: .missingTarget,
        at: entry.name.range,
        help: "define a target, here or at the top of the file: target: { command: [./program] }")
    }
    checkLimits()
    checkClocks()
    checkSharedFiles()
    checkReadyFiles(of: planned)
    return planned
  }

  /// Returns the number of the target of a name; `nil` is the first, also after a report.
  ///
  /// - Parameters:
  ///   - name: the name, if one is written.
  ///   - range: the place that would need one.
  ///   - isStop: whether it stands in a step that takes no arguments.
  mutating func target(
    _ name: Located<String>?, at range: SourceRange, isStop: Bool = false
  ) -> Int? {
    guard let name else {
      if body.target != nil || targetCount < 2 { return nil }
      let known = targetNames.compactMap { $0 }
      report(
        "the target is ambiguous: \(known.map { "\"\($0)\"" }.joined(separator: ", "))",
        code: .missingTarget, at: range,
        help: "write \"target: \(known[0])\" in the step, or its expectations in"
          + " \"targets: { \(known[0]): … }\"")
      return nil
    }
    guard let index = targetNumbers[name.value] else {
      report(
        "unknown target \"\(name.value)\"", code: .unknownEntry, at: name.range,
        help: body.targets.isEmpty
          ? isStop
            ? "write only \"stop:\" for the single target; define others in \"targets\""
            : "write arguments as a list: [\(name.value)]; define other targets in \"targets\""
          : knownTargets.help(for: name.value, label: "targets"))
      return nil
    }
    return index == 0 ? nil : index
  }

  /// Limits are kept for the whole tree of processes.
  private mutating func checkLimits() {
    let all = (body.target.map { [$0] } ?? []) + body.targets.map(\.settings)
    guard let odd = all.first(where: { $0.limits != all[0].limits }) else { return }
    report(
      "the targets of the scenario have different \"limits\", but share them", code: .contradictory,
      at: odd.commandRange, help: "write the same \"limits\" for each of them")
  }

  /// A wall clock that is off needs one that it is off from.
  private mutating func checkClocks() {
    guard body.clock == nil else { return }
    let all = (body.target.map { [$0] } ?? []) + body.targets.map(\.settings)
    for clock in all.compactMap(\.clock) {
      report(
        "the target has a \"clock\", but the scenario has none", code: .contradictory,
        at: clock.range, help: "write clock: { flow: auto } for the scenario, too")
    }
  }

  /// The targets share one directory.
  private mutating func checkSharedFiles() {
    let all = (body.target.map { [$0] } ?? []) + body.targets.map(\.settings)
    guard all.count > 1 else { return }
    var places: [String: SourceRange] = [:]
    for file in all.flatMap(\.files) {
      guard let place = places.updateValue(file.path.range, forKey: file.path.value),
        place != file.path.range
      else { continue }
      data.diagnostics.report(
        Diagnostic(
          "two targets that share a directory both create the file \"\(file.path.value)\"",
          code: .badPlace, at: file.path.range, help: "keep one of them",
          notes: [Diagnostic.Note("the other one is here", at: place)]))
    }
  }
}

/// Follows several targets through the steps.
struct TargetLives {
  private var lives: [TargetLifecycle]
  private let names: [String?]

  init(names: [String?], terminals: Set<Int> = []) {
    self.names = names.isEmpty ? [nil] : names
    lives = self.names.indices.map { TargetLifecycle(hasTerminal: terminals.contains($0)) }
  }

  /// Creates lives of which nothing is known: steps of all kinds may follow.
  init(unknown names: [String?], terminals: Set<Int> = []) {
    self.init(names: names, terminals: terminals)
    for index in lives.indices {
      _ = lives[index].mistake(in: .start([]))
      // A signal may have ended it, or not.
      _ = lives[index].mistake(
        in: .signal(Located("TERM", at: SourceRange(file: "", line: 1, column: 1))))
    }
  }

  /// True if any target was started.
  var hasBegun: Bool { lives.contains { $0.state != .new } }

  /// True if every target that was started has ended.
  var haveEnded: Bool {
    hasBegun && lives.allSatisfy { $0.state == .new || $0.state == .ended }
  }

  /// Returns whether a target was started.
  func hasBegun(_ index: Int?) -> Bool {
    lives.indices.contains(index ?? 0) && lives[index ?? 0].state != .new
  }

  /// Applies one step of a target; returns the mistake in it, if any.
  mutating func mistake(in action: Step.Action, of index: Int?) -> TargetLifecycle.Mistake? {
    let index = index ?? 0
    guard lives.indices.contains(index) else { return nil }
    switch action {
    case .settle, .tick: return hasBegun ? nil : lives[index].mistake(in: action)
    default: return lives[index].mistake(in: action).map { named($0, index) }
    }
  }

  /// Returns the mistake in a block of these steps, if any.
  func mistake(inBlock during: [Step]) -> TargetLifecycle.Mistake? {
    let mistakes = lives.compactMap { $0.mistake(inBlock: during) }
    return mistakes.count == lives.count ? mistakes.first : nil
  }

  private func named(_ mistake: TargetLifecycle.Mistake, _ index: Int) -> TargetLifecycle.Mistake {
    guard names.count > 1, let name = names[index] else { return mistake }
    func named(_ text: String) -> String {
      var text = text
      for (old, new) in [
        ("the target", "\"\(name)\""), ("no target has", "\"\(name)\" has not"),
        ("\"- start:\"", "\"- start: \(name)\""), ("\"- stop:\"", "\"- stop: \(name)\""),
        ("standard input", "standard input of \"\(name)\""),
      ] {
        guard let range = text.firstRange(of: old) else { continue }
        text.replaceSubrange(range, with: new)
      }
      return text
    }
    return (named(mistake.message), named(mistake.help))
  }
}
