internal import Foundations
package import Patterns
package import ScenarioPlan

/// The verdict on a fault.
package enum FaultVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The target behaved as without it.
  case same
  /// The target says that it failed: by its exit code, or on standard error.
  case cleanFailure = "clean failure"
  /// The target ends as without the fault and says nothing, but what it has done differs.
  case silentDifference = "silent difference"
  /// A process was ended by a signal by which a mistake shows.
  case crash
  /// The target would never end.
  case hang
  /// Files or processes are left behind.
  case leak
  /// The call was not made this time.
  case unreached
  /// Another call was in its place: the order of calls differs from run to run.
  case unstable
  /// The run could not be made.
  case undecided

  /// True if it is a mistake of the target.
  package var isFinding: Bool {
    switch self {
    case .silentDifference, .crash, .hang, .leak: true
    case .same, .cleanFailure, .unreached, .unstable, .undecided: false
    }
  }

  /// True if it says something about the target, which another run would say as well.
  package var isLasting: Bool {
    switch self {
    case .unreached, .unstable, .undecided: false
    case .same, .cleanFailure, .silentDifference, .crash, .hang, .leak: true
    }
  }
}

/// A verdict and why.
package struct FaultJudgement: Sendable, Hashable, Codable {
  /// The verdict.
  package var verdict: FaultVerdict
  /// The reasons, a line each.
  package var evidence: [String]
  /// Files that are left behind, below the case's folders.
  package var leftFiles: [String] = []
  /// Processes that are left behind, by their programs.
  package var leftProcesses: [String] = []
  /// Files that differ silently.
  package var differentFiles: [FileDifference] = []
  /// True if a check behind the run has failed.
  package var failsCheck = false

  /// Creates a judgement.
  package init(_ verdict: FaultVerdict, _ evidence: [String] = []) {
    self.verdict = verdict
    self.evidence = evidence
  }
}

/// A file that is not what it is without the fault.
package struct FileDifference: Sendable, Hashable, Codable {
  /// Its path, as observations have it.
  package var path: String
  /// True if it is missing, of another kind, or says something else.
  package var isOfContent: Bool
  /// True if its permissions are others.
  package var isOfMode: Bool

  /// Creates a difference between what two runs have left at a path.
  ///
  /// - Parameter varying: how the file differs without faults as well; `nil` where it does not.
  package init(
    _ path: String, _ before: RunObservation.File, _ after: RunObservation.File?,
    but varying: UnstableParts.VaryingFile? = nil
  ) {
    self.path = path
    guard let after, after.kind == before.kind else {
      isOfContent = true
      isOfMode = false
      return
    }
    isOfContent = varying.map { !$0.agree(before, after) } ?? !before.hasContent(of: after)
    // symlink(7): links have a mode that says nothing.
    isOfMode =
      before.mode != after.mode && before.kind != "symlink" && !(varying?.hasVaryingMode ?? false)
  }

  /// True if there is none after all.
  fileprivate var isNone: Bool { !isOfContent && !isOfMode }
}

/// Compares runs with faults with the run without.
///
/// The first of these that holds decides: the call was not made; a process crashed; the target hangs; a
/// check behind the run failed; it ended otherwise, or said more on standard error than without the fault
/// (a failure that is reported, or a leak if something is left behind); what it did differs (silent); nothing
/// differs (the same, or a leak).
package struct FaultJudge: Sendable {
  private let baseline: RunObservation
  private let unstable: UnstableParts
  private let accepted: [GlobPattern]

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - baseline: the run without faults.
  ///   - unstable: what is not compared.
  ///   - accepted: files and programs that may be left behind.
  package init(
    baseline: RunObservation, unstable: UnstableParts, accepted: [GlobPattern] = []
  ) {
    self.baseline = baseline
    self.unstable = unstable
    self.accepted = accepted
  }

  /// Judges a run with a fault at a point.
  package func judge(_ run: RunObservation, point: FaultPoint) -> FaultJudgement {
    if let reason = run.undecided { return FaultJudgement(.undecided, [reason]) }
    if run.fired == 0 { return FaultJudgement(.unreached, ["the call was not made"]) }
    if let struck = run.struck, !point.isMet(by: struck) {
      return FaultJudgement(
        .unstable, ["another call was made in its place: \(struck.text)"])
    }
    let crashes = newCrashes(of: run)
    if !crashes.isEmpty {
      return FaultJudgement(
        .crash, crashes.map { "\($0.program) was killed by SIG\($0.signal)" } + reported(by: run))
    }
    if let hang = run.hang, baseline.hang == nil {
      return FaultJudgement(.hang, [hang] + timesPassed(in: run))
    }
    if let failure = run.checkFailure {
      var judgement = FaultJudgement(
        .silentDifference, ["after the run: \(failure)"] + ending(of: run))
      judgement.failsCheck = true
      return judgement
    }
    var left = FaultJudgement(.leak)
    left.leftFiles = leftFiles(of: run, point)
    left.leftProcesses = leftProcesses(of: run)
    let remains =
      left.leftFiles.map { "left behind: \($0)" }
      + left.leftProcesses.map { "left behind: a process of \($0)" }
    left.evidence = remains + ending(of: run)
    let leaks = !left.leftFiles.isEmpty || !left.leftProcesses.isEmpty
    if run.ends != baseline.ends || run.stopped != baseline.stopped {
      return leaks ? left : FaultJudgement(.cleanFailure, ending(of: run))
    }
    var differences = differences(of: run, point)
    if differences.evidence.isEmpty { return leaks ? left : FaultJudgement(.same) }
    if saysMore(run) { return leaks ? left : FaultJudgement(.cleanFailure, ending(of: run)) }
    differences.leftFiles = left.leftFiles
    differences.leftProcesses = left.leftProcesses
    differences.evidence += remains
    return differences
  }

  /// Judges a run without a fault as if there had been one: what it shows is no fault's doing.
  package func judgeControl(_ run: RunObservation, point: FaultPoint) -> FaultJudgement {
    var run = run
    run.fired = 1
    run.struck = nil
    return judge(run, point: point)
  }

  // MARK: - Parts

  /// Lines that compare virtual time with that of the run without the fault.
  private func timesPassed(in run: RunObservation) -> [String] {
    guard let elapsed = run.elapsed, let usual = baseline.elapsed, elapsed > usual else {
      return []
    }
    return ["\(elapsed) of virtual time passed; without the fault it is \(usual)"]
  }

  /// Returns whether something may be left behind: a file by its path from one of the case's folders or by its name
  /// alone, a program by its name.
  private func mayStay(_ name: String) -> Bool {
    guard !accepted.isEmpty else { return false }
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let relative = name.split(separator: "/").dropFirst().joined(separator: "/")
    return accepted.contains { $0.matches(last) || $0.matches(name) || $0.matches(relative) }
  }

  private func newCrashes(of run: RunObservation) -> [RunObservation.Crash] {
    var known = baseline.crashes
    return run.crashes.filter { crash in
      guard let index = known.firstIndex(of: crash) else { return true }
      known.remove(at: index)
      return false
    }
  }

  /// Returns whether standard error has something that it has not without the fault.
  private func saysMore(_ run: RunObservation) -> Bool {
    guard unstable.errorLines != nil,
      !UnstableParts.agree(baseline.errorOutput, run.errorOutput, but: unstable.errorLines)
    else { return false }
    let known = Set(baseline.errorOutput.lines)
    return run.errorOutput.lines.contains { !known.contains($0) && !$0.isEmpty }
  }

  private func differences(of run: RunObservation, _ point: FaultPoint) -> FaultJudgement {
    var judgement = FaultJudgement(.silentDifference)
    if !UnstableParts.agree(baseline.output, run.output, but: unstable.outputLines) {
      judgement.evidence += ["stdout differs:"] + Self.diff(baseline.output, run.output)
    }
    for path in Set(baseline.files.keys).union(run.files.keys).sorted()
    where !unstable.files.contains(path) {
      let (before, after) = (baseline.files[path], run.files[path])
      guard before != after else { continue }
      // What is there besides is a leak, not a difference.
      guard let before else { continue }
      // A file that could not be removed is what was asked for.
      if after != nil, Self.isRemoval(point.call) { continue }
      let varying = unstable.varyingFiles[path]
      let difference = FileDifference(path, before, after, but: varying)
      if varying != nil, difference.isNone { continue }
      judgement.differentFiles.append(difference)
      judgement.evidence += Self.lines(difference, before, after, but: varying?.lines ?? [])
    }
    if !unstable.requests, baseline.requests != run.requests {
      judgement.evidence.append("the requests differ:")
      judgement.evidence += Self.diff(
        baseline.requests[...].map { $0[...] }, run.requests.map { $0[...] })
    }
    if !judgement.evidence.isEmpty { judgement.evidence = ending(of: run) + judgement.evidence }
    return judgement
  }

  /// The files that the run left, and that neither the run without the fault leaves nor were there before.
  private func leftFiles(of run: RunObservation, _ point: FaultPoint) -> [String] {
    guard !Self.isRemoval(point.call) else { return [] }
    let left = run.files.keys.filter { path in
      baseline.files[path] == nil && !run.laid.contains(path) && !unstable.files.contains(path)
        && run.files[path]?.kind != "folder" && !mayStay(path)
    }
    return withoutVarying(left.sorted())
  }

  /// The files without as many of each name that is another one in each run as there are without the fault.
  private func withoutVarying(_ files: [String]) -> [String] {
    var files = files
    for name in unstable.names {
      var count = baseline.files.keys.count { name.matches($0) }
      files.removeAll { path in
        guard count > 0, name.matches(path) else { return false }
        count -= 1
        return true
      }
    }
    return files
  }

  private func leftProcesses(of run: RunObservation) -> [String] {
    guard run.ends.last != .alive else { return [] }
    var known = baseline.left
    return run.left.filter { program in
      guard !mayStay(program) else { return false }
      guard let index = known.firstIndex(of: program) else { return true }
      known.remove(at: index)
      return false
    }
  }

  private static func isRemoval(_ call: String) -> Bool {
    ["unlink", "unlinkat", "rmdir", "remove"].contains(call)
  }

  private func ending(of run: RunObservation) -> [String] {
    var text = run.ends.map(\.text).joined(separator: ", ")
    if run.ends == baseline.ends { text += ", as without the fault" }
    let stopped = run.stopped == baseline.stopped ? [] : run.stopped.map { [$0] } ?? []
    return (text.isEmpty ? [] : [text]) + stopped + reported(by: run)
  }

  /// The first line that standard error has besides.
  private func reported(by run: RunObservation) -> [String] {
    let known = Set(baseline.errorOutput.lines)
    let line = run.errorOutput.lines.first { !known.contains($0) && !$0.isEmpty }
    return line.map { ["stderr: \(String($0).excerpt(limit: 200))"] } ?? []
  }

  /// - Parameter unstable: lines that differ without faults as well.
  private static func lines(
    _ difference: FileDifference, _ before: RunObservation.File, _ after: RunObservation.File?,
    but unstable: Set<Int>
  ) -> [String] {
    let path = difference.path
    guard let after else { return ["\(path) is missing"] }
    if before.kind != after.kind { return ["\(path) is a \(after.kind), not a \(before.kind)"] }
    if !difference.isOfContent {
      return [
        "\(path) has the mode 0\(String(after.mode, radix: 8)), not 0\(String(before.mode, radix: 8))"
      ]
    }
    guard let first = before.text, let second = after.text else {
      let sizes =
        after.size == before.size
        ? "other content of \(after.size) bytes" : "\(after.size) bytes, not \(before.size)"
      return ["\(path) differs: \(sizes)"]
    }
    let (old, new) = (first.allLines, second.allLines)
    guard old.count == new.count else { return ["\(path) differs:"] + diff(old, new) }
    func stable(_ lines: [Substring]) -> [Substring] {
      lines.indices.filter { !unstable.contains($0) }.map { lines[$0] }
    }
    return ["\(path) differs:"] + diff(stable(old), stable(new))
  }

  // MARK: - Diffs

  private static func diff(_ first: ObservedStream, _ second: ObservedStream) -> [String] {
    diff(first.lines, second.lines)
  }

  /// The first lines that differ, and how many there are in all.
  private static func diff(_ first: [Substring], _ second: [Substring]) -> [String] {
    // What both begin and end with is left out, and of the rest so much is compared: the search takes room
    // by the square of what differs.
    let head = zip(first, second).prefix { $0 == $1 }.count
    let common = min(first.count, second.count) - head
    let tail = zip(first.reversed(), second.reversed()).prefix(common).prefix { $0 == $1 }.count
    let (old, new) = (first[head..<(first.count - tail)], second[head..<(second.count - tail)])
    let beyond = max(0, old.count - comparedLines) + max(0, new.count - comparedLines)
    let changes = Array(new.prefix(comparedLines)).difference(
      from: Array(old.prefix(comparedLines)))
    var lines: [(place: Int, isNew: Bool, text: String)] = []
    for change in changes {
      switch change {
      case .remove(let offset, let line, _):
        lines.append((offset, false, "- \(String(line).excerpt(limit: 120))"))
      case .insert(let offset, let line, _):
        lines.append((offset, true, "+ \(String(line).excerpt(limit: 120))"))
      }
    }
    lines.sort { ($0.place, $0.isNew ? 1 : 0) < ($1.place, $1.isNew ? 1 : 0) }
    guard lines.count > diffLimit || beyond > 0 else { return lines.map { "  \($0.text)" } }
    return lines.prefix(diffLimit).map { "  \($0.text)" }
      + ["  … \(max(0, lines.count - diffLimit) + beyond) more lines"]
  }

  /// The number of lines that are compared at most.
  private static let comparedLines = 1_000

  private static let diffLimit = 12
}
