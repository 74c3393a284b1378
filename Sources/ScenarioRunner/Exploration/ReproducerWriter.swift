internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioSyntax
internal import ScenarioTools

/// Writes the scenario of a finding: the one fault, and what must hold once the program is fixed.
struct ReproducerWriter {
  let finding: ExploredFinding
  let fault: NarrowedFault
  let survey: PlannedChaos
  let scene: CaseExplorer.Scene
  let plannedCase: PlannedCase
  /// The virtual time that processes have to end by themselves once the target has.
  let grace: Nanoseconds
  let folder: String
  let path: String

  private var judgement: FaultJudgement { finding.result.judgement }

  /// The comment at the top.
  var remarks: [String] {
    let trial = finding.result.trial
    return [
      "\(judgement.verdict.rawValue): \(trial.point.call) \(trial.fault.word)"
        + " \(trial.fault.mode.rawValue)" + (trial.point.site.map { ", at \($0)" } ?? "")
    ] + judgement.evidence.prefix(6).map { "  \($0)" } + [
      "Found by `scenario explore` in \"\(plannedCase.name)\".",
      "`scenario run \(path)` fails until the program is fixed.",
    ]
  }

  /// The additions to the scenario.
  var additions: ReducedScenario.Additions {
    var additions = ReducedScenario.Additions(
      chaos: chaos, expect: expectationOfAny, stepExpect: Self.anyEnd, seed: plannedCase.seed,
      folder: folder)
    // Everything else is judged where the run ends, before these steps clean up.
    additions.hasThen = judgement.failsCheck
    if !judgement.leftProcesses.isEmpty, grace > .zero, scene.observed.plannedCase.clock != nil {
      additions.grace = "\(grace)"
    }
    additions.row = plannedCase.row.map { .map($0.values) }
    if scene.hasVirtualClock, let clock = scene.observed.plannedCase.clock {
      additions.clock = .map([
        "at": .string(clock.at?.description ?? "2026-01-01T00:00:00Z"), "flow": .string("auto"),
        "file_times": .string("virtual"), "escapes": .string("allow"),
      ])
    }
    if scene.observed.plannedCase.entropy == .seeded { additions.entropy = "seeded" }
    if judgement.verdict == .hang {
      // Generous, as a machine may be slower another day; who is stuck is known at once.
      let bound = max(.seconds(10), scene.bound)
      additions.timeout = "\(max(1, min(bound, plannedCase.timeout).count / 1_000_000_000))s"
    }
    return additions
  }

  /// The expectation of any end that the target comes to by itself.
  private static let anyEnd = Value.map([
    "exit": .map(["between": .list([.integer(0), .integer(255)])])
  ])

  private var chaos: Value {
    var entry: OrderedDictionary<String, Value> = ["name": .string(Self.entryName)]
    switch fault.victim {
    case .call(let name): entry["call"] = .string(name)
    case .functions(let names, let place):
      entry["function"] = names.count == 1 ? .string(names[0]) : .list(names.map { .string($0) })
      switch place {
      case .anywhere: break
      case .program: entry["in"] = .string("exe")
      case .library(let name): entry["in"] = .string(name)
      }
    }
    var conditions: OrderedDictionary<String, Value> = [:]
    if let path = fault.path { conditions["path"] = .string(path) }
    if let program = fault.program { conditions["process"] = .string(program) }
    if !conditions.isEmpty { entry["where"] = .map(conditions) }
    switch fault.fault.mode {
    case .once: entry["when"] = .map(["nth": .integer(Int64(fault.occurrence))])
    case .onwards where fault.occurrence > 1:
      entry["when"] = .map(["skip": .integer(Int64(fault.occurrence - 1))])
    case .onwards: break
    }
    let provider: Value =
      fault.fault.error.map { .map(["error": .string($0.name)]) } ?? .map(["short": .integer(1)])
    entry["provide"] = provider
    return .map(entry)
  }

  /// The name of the entry that injects the fault.
  static let entryName = "explored fault"

  // MARK: - Expectations

  /// The expectation, which also holds for a mended program that no longer makes the call.
  private var expectationOfAny: Value {
    guard case .map(var members) = expectation else { return expectation }
    members["chaos"] = .map([
      Self.entryName: .map(["fired": .map(["at_least": .integer(0)])])
    ])
    return .map(members)
  }

  private var expectation: Value {
    switch judgement.verdict {
    case .crash:
      return .map([
        "exit": .map(["between": .list([.integer(0), .integer(255)])]),
        "processes": .map(["crashed": .integer(0)]),
      ])
    case .leak:
      return .map(
        withoutRemains(["exit": .map(["between": .list([.integer(0), .integer(255)])])]))
    // The check behind the run says what must hold.
    case .silentDifference where judgement.failsCheck: return Self.anyEnd
    case .silentDifference: return .map(withoutRemains(["tolerated": tolerated]))
    // A target that ends by itself, and does not crash, has tolerated it.
    case .hang: return .map(["tolerated": .map([:])])
    default: return Self.anyEnd
    }
  }

  /// Expectations, and that nothing is left behind of what was.
  private func withoutRemains(
    _ expectations: OrderedDictionary<String, Value>
  ) -> OrderedDictionary<String, Value> {
    var members = expectations
    let left = judgement.leftFiles.compactMap { place($0) }
    if !left.isEmpty {
      members["files"] = .map(
        OrderedDictionary(
          left.map { ($0, Value.map(["absent": .bool(true)])) }
        ) { first, _ in first })
    }
    if !judgement.leftProcesses.isEmpty {
      members["processes"] = .map([
        "left": .integer(Int64(scene.baseline.observation.left.count))
      ])
    }
    return members
  }

  /// The target's behaviour without the fault.
  private var tolerated: Value {
    let baseline = scene.baseline.observation
    var members: OrderedDictionary<String, Value> = [:]
    if case .exited(let code)? = baseline.ends.last { members["exit"] = .integer(Int64(code)) }
    if baseline.ends.count <= 1 {
      if scene.unstable.errorLines == [], baseline.errorOutput.size <= Self.textLimit {
        members["stderr"] = Self.equal(baseline.errorOutput.text)
      } else {
        members["stderr"] = .map(["contains": .string("")])
      }
      members["stdout"] = output(baseline.output)
    }
    var files: OrderedDictionary<String, Value> = [:]
    for difference in judgement.differentFiles {
      guard let place = place(difference.path), let file = baseline.files[difference.path] else {
        continue
      }
      files[place] = expectation(of: file, difference)
    }
    if !files.isEmpty { members["files"] = .map(files) }
    let requests = Dictionary(grouping: baseline.requests) {
      $0.split(separator: " ").prefix(2).joined(separator: " ")
    }
    if !requests.isEmpty, !scene.unstable.requests {
      members["requests"] = .list(
        requests.sorted { $0.key < $1.key }.map { line, all in
          .map(["request": .string(line), "count": .integer(Int64(all.count))])
        })
    }
    return .map(members)
  }

  private static let textLimit = 32 << 10

  private func output(_ stream: ObservedStream) -> Value? {
    guard let unstable = scene.unstable.outputLines, stream.size <= Self.textLimit else {
      return nil
    }
    guard !unstable.isEmpty else { return Self.equal(stream.text) }
    return Self.equal(stream.lines, but: unstable)
  }

  /// The expectation of lines, some of which may be any.
  private static func equal(_ lines: [Substring], but unstable: Set<Int>) -> Value {
    .map([
      "lines": .list(
        lines.enumerated().map { index, line in
          unstable.contains(index)
            ? .map(["contains": .string("")]) : .map(["equals": words(String(line))])
        })
    ])
  }

  /// Returns the state of a file without the fault, in the respects in which it differs.
  private func expectation(of file: RunObservation.File, _ difference: FileDifference) -> Value {
    let mode = Value.string("0" + String(file.mode, radix: 8))
    switch file.kind {
    case "symlink":
      return .map(file.text.map { ["symlink": Self.equal($0)] } ?? ["kind": .string("symlink")])
    case "folder" where difference.isOfMode:
      return .map(["kind": .string("folder"), "mode": mode])
    case "folder", "other": return .map(["kind": .string(file.kind)])
    default: break
    }
    guard difference.isOfContent else { return .map(["mode": mode]) }
    if let varying = scene.unstable.varyingFiles[difference.path] {
      guard let lines = varying.lines, let text = file.text else {
        return .map(["kind": .string("file")])
      }
      if !lines.isEmpty { return Self.equal(text.lines, but: lines) }
    }
    if let text = file.text { return Self.equal(text) }
    // The path of the case's folders stands in it, which no digest is the same with.
    guard let digest = scene.baseline.observation.digests[difference.path] else {
      return .map(["kind": .string("file")])
    }
    var members: OrderedDictionary<String, Value> = ["sha256": .string(digest)]
    if difference.isOfMode { members["mode"] = mode }
    return .map(members)
  }

  private static func equal(_ text: String) -> Value {
    if text.isEmpty { return .map(["empty": .bool(true)]) }
    let known = text.replacing(RootPath.word + "/work", with: "")
    guard known.contains(RootPath.word) else { return .map(["equals": words(text)]) }
    // Home and the folder for temporary files have no name in the language.
    let expression = text.components(around: RootPath.word).map { escaped($0) }
      .joined(separator: "/[^\\n]*")
    return .map(["matches": .string("^" + expression.replacing("${{", with: "$${{") + "$")])
  }

  /// Returns a regular expression that matches a text literally.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\^$.|?*+()[]{}".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  /// Text with the path of the case's folder as the language has it.
  private static func words(_ text: String) -> Value {
    .string(
      Template.shielded(text)
        .replacing("$\(RootPath.word)/work", with: "${{ dir }}"))
  }

  /// The pattern of a path in the case's folders, as the language counts them.
  private func place(_ path: String) -> String? {
    for (folder, prefix) in [("work/", ""), ("home/", "$HOME/"), ("tmp/", "$TMPDIR/")]
    where path.hasPrefix(folder) {
      return prefix + Self.pattern(String(path.dropFirst(folder.count)))
    }
    return nil
  }

  /// A glob that matches that path alone.
  private static func pattern(_ path: String) -> String {
    var text = ""
    for character in path {
      if "*?[]{}\\".contains(character) { text.append("\\") }
      text.append(character)
    }
    return text
  }
}

extension String {
  /// The lines; an empty last one is none.
  fileprivate var lines: [Substring] {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  /// Returns the parts before, between and behind all occurrences of a text.
  fileprivate func components(around separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
