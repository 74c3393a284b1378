internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Plans one entry of `capture:`; its name is known in what follows.
  mutating func planCapture(_ rule: CaptureRule) -> PlannedCapture? {
    let name = rule.name.value
    data.captures.insert(name, isText: rule.isText)
    let pattern: PlannedCapture.Pattern? =
      switch rule.pattern {
      case .expression(let text): expression(text).map { .expression($0) }
      case .json(let path): planPath(path).map { .json(path: $0) }
      }
    return pattern.map {
      PlannedCapture(name: name, source: rule.source, pattern: $0, range: rule.name.range)
    }
  }

  private mutating func planPath(_ path: Located<String>) -> String? {
    data.diagnostics.catching(as: .badPattern, at: path.range) { () throws(PatternError) in
      guard try JSONPathQuery(path.value).isSingular else {
        throw PatternError(
          "\"\(path.value)\" can match several values",
          help: "name one value, as in $.items[0].id; [-1] is the last")
      }
      return path.value
    }
  }

  /// The names that steps give to what they capture early enough for some reply.
  ///
  /// A capture behind the target's end, with no later step that could use it, comes too late for all of them.
  func knownCaptures() -> (known: CaptureNames, late: [String: SourceRange]) {
    var known = CaptureNames()
    for name in readinessNames { known.insert(name, isText: true) }
    var late: [String: SourceRange] = [:]
    var lives = TargetLives(names: targetNames)
    let all = Self.flattened(body.steps ?? [])
    let lastBusy = all.lastIndex { !$0.action.isQuiet } ?? -1
    for (index, step) in all.enumerated() {
      _ = lives.mistake(in: step.action, of: number(of: step.target))
      for rule in step.action.captureRules {
        if index > lastBusy, lives.haveEnded {
          late[rule.name.value] = late[rule.name.value] ?? rule.name.range
        } else {
          known.insert(rule.name.value, isText: rule.isText)
        }
      }
    }
    return (known, late.filter { !known.contains($0.key) })
  }

  /// The names that are known where each target is started first, by the targets' numbers: what is captured before,
  /// and what steps build.
  func namesBeforeStarts() -> [NamesBeforeStart] {
    var known = NamesBeforeStart()
    var before = [NamesBeforeStart?](repeating: nil, count: targetCount)
    for step in body.allSteps {
      switch step.action {
      case .run, .start:
        let number = number(of: step.target) ?? 0
        if before.indices.contains(number), before[number] == nil { before[number] = known }
        guard case .start = step.action else { break }
        for name in readinessNames(ofTarget: number) { known.captures.insert(name, isText: true) }
      default:
        for rule in step.action.captureRules {
          known.captures.insert(rule.name.value, isText: rule.isText)
        }
        known.builds.merge(Self.buildNames(of: [step])) { first, _ in first }
      }
    }
    return before.map { $0 ?? known }
  }

  /// The number of the target that a name means; `nil` for the first, and for one that is unknown.
  func number(of name: Located<String>?) -> Int? {
    name.flatMap { targetNumbers[$0.value] }
  }

  private static func flattened(_ steps: [Step]) -> [Step] {
    steps.flatMap { step in
      guard case .block(_, let during) = step.action else { return [step] }
      return [step] + flattened(during)
    }
  }
}

/// The names that steps have made as far as a target's first start.
struct NamesBeforeStart {
  var captures = CaptureNames()
  /// The objects that steps build; their values are not known yet.
  var builds: OrderedDictionary<String, PlannedData?> = [:]
}

extension CaptureRule {
  /// True if what is captured is text and nothing else.
  fileprivate var isText: Bool {
    if case .expression = pattern { true } else { false }
  }
}

extension Step.Action {
  /// The captures of the step.
  fileprivate var captureRules: [CaptureRule] {
    switch self {
    case .capture(let rules): rules
    case .exec(let helper): helper.captures
    default: []
    }
  }

  /// True if nothing can happen while it is done.
  fileprivate var isQuiet: Bool {
    switch self {
    case .capture, .expect, .respond, .resolve, .apply, .revert, .partition, .heal, .build: true
    default: false
    }
  }
}
