internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// Entries that can change nothing beside the others.
extension CasePlanner {
  /// Warns of entries that others leave nothing to.
  mutating func warnOfShadows(among planned: [PlannedChaos]) {
    let steered = steeredChaos
    var shadows = ChaosShadows(among: planned) { steered.contains($0) }
    for index in planned.indices {
      let shadow = shadows.shadow(on: index)
      // What another file lends is a fallback, and may be left to others.
      guard let shadow, planned[index].range.file == file else { continue }
      warn(of: shadow, on: planned[index], by: planned[shadow.other])
    }
  }

  private mutating func warn(
    of shadow: UnreachableRule, on entry: PlannedChaos, by other: PlannedChaos
  ) {
    // Defaults of the file stand in each of its scenarios, where their numbers may differ.
    let ending = Self.words(of: shadow.kind, entry)
    let isTold = data.diagnostics.findings(at: entry.range).contains { known in
      known.severity == .warning && known.notes.contains { $0.range == other.range }
    }
    guard !isTold else { return }
    data.diagnostics.report(
      Diagnostic(
        "the chaos entry \"\(entry.name)\" \(ending.effect): \"\(other.name)\" \(ending.cause)",
        code: .shadowedEntry,
        at: entry.range, help: ending.help(other.name),
        notes: [
          Diagnostic.Note(
            shadow.isBehind(entry, other) ? "the other entry is here" : "the earlier entry is here",
            at: other.range)
        ]))
  }

  private struct Words {
    var effect = "never fires"
    var cause: String
    var help: (String) -> String
  }

  private static func words(of kind: UnreachableRule.Kind, _ entry: PlannedChaos) -> Words {
    let narrow = { (other: String) in
      "narrow \"\(other)\" with \"when\" or \"where\", or remove one"
    }
    switch kind {
    case .taken:
      let what =
        switch entry.target {
        case .processes: "processes"
        case .link(let link): link.isAboutNames ? "queries" : "connections"
        case .calls, .functions, .disk: "calls"
        }
      return Words(cause: "matches all of its \(what)") { other in
        "move it before \"\(other)\", or narrow that with \"when\" or \"where\""
      }
    case .samePlaces:
      return Words(cause: "matches the same calls") { _ in
        "write another \"nth\" or \"skip\" for one of them; each entry counts all calls that match"
      }
    case .noConnection:
      return Words(cause: "blocks all connections", help: narrow)
    case .noCall:
      return Words(cause: "matches its calls before the disk", help: narrow)
    case .noWrite:
      return Words(
        effect: "affects no write", cause: "matches all writes before the disk", help: narrow)
    case .milderDisk:
      return Words(effect: "has no effect", cause: "is at least as strict for the same files") {
        _ in
        "remove one of them, or write other files or conditions"
      }
    case .endedBefore:
      return Words(cause: "ends its processes earlier") { _ in
        "write an earlier \"from\", or another process"
      }
    }
  }
}

extension UnreachableRule {
  /// Returns whether the other entry is behind the one that it shadows.
  fileprivate func isBehind(_ entry: PlannedChaos, _ other: PlannedChaos) -> Bool {
    (other.range.line, other.range.column) > (entry.range.line, entry.range.column)
  }
}

/// The names of the fault rules.
struct ChaosEntryNames {
  /// The number of rules of each name.
  let counts: [String: Int]
  let known: KnownNames

  init(_ entries: [ChaosEntry]) {
    counts = Dictionary(entries.map { ($0.name.value, 1) }, uniquingKeysWith: +)
    known = KnownNames(counts.keys)
  }
}

/// Names of chaos entries that steps apply or revert.
struct DynamicRules: Sendable {
  private(set) var names: Set<String> = []
  private(set) var isAll = false

  /// Returns whether a step may change when an entry holds.
  func contains(_ name: String) -> Bool { isAll || names.contains(name) }

  fileprivate mutating func add(_ selection: ChaosSelection) {
    switch selection {
    case .all: isAll = true
    case .entry(let name): names.insert(name)
    }
  }
}

extension ScenarioBody {
  /// The chaos entries that steps apply or revert.
  var steeredChaos: DynamicRules {
    var steered = DynamicRules()
    for step in allSteps {
      switch step.action {
      case .apply(let selection, _): steered.add(selection.value)
      case .revert(let selection): steered.add(selection.value)
      default: break
      }
    }
    return steered
  }

  /// The steps, blocks opened up, in order.
  var allSteps: [Step] {
    func opened(_ steps: [Step]) -> [Step] {
      steps.flatMap { step -> [Step] in
        guard case .block(_, let during) = step.action else { return [step] }
        return [step] + opened(during)
      }
    }
    return opened((steps ?? []) + cleanup)
  }

  /// The conditions, behind steps and at the end.
  var allExpectations: [ExpectationBlock.Entry] {
    func opened(_ entries: [ExpectationBlock.Entry]) -> [ExpectationBlock.Entry] {
      entries.flatMap { entry -> [ExpectationBlock.Entry] in
        switch entry.subject {
        case .tolerated(let inner), .repeated(_, let inner): return [entry] + opened(inner)
        default: return [entry]
        }
      }
    }
    return opened(allSteps.flatMap { $0.expect?.entries ?? [] } + (expect?.entries ?? []))
  }
}
