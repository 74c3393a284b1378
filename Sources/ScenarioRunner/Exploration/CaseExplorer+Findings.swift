internal import Foundations
internal import Glibc
internal import OrderedCollections
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioSyntax
internal import ScenarioTools

/// Keeps the findings of an exploration from round to round.
struct FindingConfirmation {
  /// The findings about which something is known, in the order in which it was learnt.
  var described: [CaseExplorer.DescribedFinding] = []
  /// The names of their files.
  var names: Set<String> = []
  /// The trials whose faults were tried once more, by a run of their own.
  var judgedAgain: Set<Int> = []
  /// Mistakes of which one trial has turned out to be none: the others are tried again before they are reported.
  var doubtful: Set<ExploredFinding.Key> = []
  /// Findings that did not show again, or that show without their faults as well.
  var dropped: [String] = []
  /// Scenarios that were written for findings before it was known in what runs without faults differ, by these.
  var withdrawn: [String: ExploredFinding.Key] = [:]
  /// The number of runs without faults that have differed in more than was known.
  var surprises = 0

  /// Returns whether a mistake needs no more runs.
  func isSettled(_ finding: ExploredFinding) -> Bool {
    described.contains { $0.finding.key == finding.key }
  }
}

extension CaseExplorer {
  /// The confirmation of a finding.
  enum Confirmation: Equatable {
    /// A scenario was written that fails by it.
    case reproduced
    /// Another run has shown it, but no scenario that was tried fails by it.
    case seenAgain
    /// The finding was not tried again.
    case open
  }

  /// A finding with the scenario that reproduces it.
  struct DescribedFinding {
    var finding: ExploredFinding
    /// The path of the scenario; `nil` if there is none.
    var path: String?
    var confirmation = Confirmation.open
    var problem: String?
    /// True if a scenario that was tried for it fails without the fault as well.
    var failsAlone = false
    /// True if threads or processes race for its call, of which no scenario can name one.
    var isOfRace = false
    var duration: Nanoseconds
  }

  /// Runs, for each mistake that is not settled, a scenario that has its fault, and keeps it if it fails with the fault
  /// and passes without; a mistake that no scenario shows is judged by another run, and dropped if that does not show
  /// it either.
  func confirm(_ scene: inout Scene) {
    let bytes = try? FileTree.read(plannedCase.file)
    let reduced = bytes.flatMap {
      ReducedScenario(
        bytes: $0, path: plannedCase.file, name: plannedCase.row?.scenario ?? plannedCase.name)
    }
    while !isOver,
      let finding = ExploredFinding.distinct(in: results).first(where: {
        !confirmation.isSettled($0)
      })
    {
      let start = RealTime.monotonic()
      var described = DescribedFinding(finding: finding, duration: .zero)
      described.isOfRace =
        plannedCase.order == nil && scene.isShared(finding.result.trial.point)
      switch settle(finding, reduced, &scene, &described) {
      case .settled:
        described.duration = RealTime.monotonic() - start
        confirmation.described.append(described)
      case .changed: continue
      case .outOfTime: return
      }
    }
  }

  /// The outcome of an attempt to confirm a finding.
  private enum Settlement {
    /// All is known that can be.
    case settled
    /// The result of its trial is another one now, or is compared in less.
    case changed
    /// There was no time for it.
    case outOfTime
  }

  private func settle(
    _ finding: ExploredFinding, _ reduced: ReducedScenario?, _ scene: inout Scene,
    _ described: inout DescribedFinding
  ) -> Settlement {
    let number = finding.result.trial.number
    let isDoubtful =
      confirmation.doubtful.contains(finding.key) && !confirmation.judgedAgain.contains(number)
    described.confirmation = .seenAgain
    if !isDoubtful {
      do throws(Failure) {
        if let reduced {
          try reproduce(finding, reduced, scene, &described)
        } else {
          described.problem = "the scenario's file can no longer be read"
        }
      } catch {
        described.problem = error.message
      }
    }
    switch described.confirmation {
    case .reproduced: return .settled
    case .open: return .outOfTime
    case .seenAgain: break
    }
    let isKnown = confirmation.judgedAgain.contains(number)
    guard !isKnown || described.failsAlone else { return .settled }
    // First without the fault: what such a run shows as well is not the fault's doing.
    guard let control = control(of: finding, &scene, described.failsAlone ? controlLimit : 1) else {
      return .outOfTime
    }
    if control.showsSame {
      drop(finding, because: "a run without the fault shows the same")
      return .changed
    }
    guard !isKnown || control.isNews else { return .settled }
    confirmation.judgedAgain.insert(number)
    // What it shows now counts, whatever was seen before.
    guard judgeAgain(finding, scene) else {
      confirmation.judgedAgain.remove(number)
      return .outOfTime
    }
    return isDoubtful || control.isNews || !isStill(finding) ? .changed : .settled
  }

  /// The number of runs without the fault by which a scenario is explained that fails without its fault.
  private var controlLimit: Int { 3 }

  /// Returns whether a trial's result still shows the same mistake.
  private func isStill(_ finding: ExploredFinding) -> Bool {
    let number = finding.result.trial.number
    let verdict = finding.result.judgement.verdict
    return results.contains { $0.trial.number == number && $0.judgement.verdict == verdict }
  }

  /// Tries a finding's fault in another run, whose result takes the place of the first; false if there is
  /// no time for it.
  private func judgeAgain(_ finding: ExploredFinding, _ scene: Scene) -> Bool {
    let trial = finding.result.trial
    guard let entry = exploration.entry(for: trial, isOfThread: scene.isShared(trial.point)) else {
      return true
    }
    guard
      let again = Self.rerun(
        trial, entry, exploration, scene, scene.judge, at: 1, runsEnd)
    else { return false }
    runs += 1
    ledger.replace(by: again)
    if again.judgement.verdict != finding.result.judgement.verdict {
      confirmation.doubtful.insert(finding.key)
      confirmation.dropped.append(
        "\(trial.name): \(finding.result.judgement.verdict.rawValue) at first,"
          + " \(again.judgement.verdict.rawValue) when tried again")
      emit(.faultTried(FaultTrial(again)))
    }
    return true
  }

  /// Returns the findings, with what is known of each.
  func describedFindings() -> [DescribedFinding] {
    ExploredFinding.distinct(in: results).map { finding in
      guard
        var described = confirmation.described.first(where: { $0.finding.key == finding.key })
      else { return DescribedFinding(finding: finding, duration: .zero) }
      described.finding.count = finding.count
      return described
    }
  }

  /// Reports findings that were not confirmed.
  func reportDropped() {
    let dropped = confirmation.dropped
    guard let first = dropped.first else { return }
    let more = dropped.count > 1 ? ", and \(dropped.count - 1) more" : ""
    emit(
      .warning(
        "\(dropped.count) finding\(dropped.count == 1 ? " was" : "s were") not reproduced, and"
          + " \(dropped.count == 1 ? "is" : "are") dropped: \(first)\(more)",
        range: exploration.range))
  }

  private func path(of finding: ExploredFinding) -> String {
    let trial = finding.result.trial
    let verdict = finding.result.judgement.verdict.rawValue.replacing(" ", with: "-")
    let base = FileName.of(
      "\(stem)-\(verdict)-\(trial.point.call)-\(trial.fault.word)-\(trial.point.occurrence)"
    ).replacing(" ", with: "-")
    var name = base
    var number = 2
    // One that was edited since then stays.
    while !confirmation.names.insert(name).inserted || isForeign(path(named: name), to: trial) {
      name = "\(base)-\(number)"
      number += 1
    }
    return path(named: name)
  }

  /// Lets another finding, or the same one, have the path of a scenario that is not kept.
  func release(_ path: String) {
    confirmation.names = confirmation.names.filter { self.path(named: $0) != path }
  }

  private func path(named name: String) -> String { "\(exploration.folder)/\(name).yaml" }

  /// Writes the first entry whose scenario fails: of system calls the narrowest, of functions the one that costs least.
  ///
  /// A scenario that passes is not written, and neither is one that fails without its fault.
  private func reproduce(
    _ finding: ExploredFinding, _ reduced: ReducedScenario, _ scene: Scene,
    _ described: inout DescribedFinding
  ) throws(Failure) {
    let trial = finding.result.trial
    guard exploration.surveys.indices.contains(trial.point.entry) else { return }
    let survey = exploration.surveys[trial.point.entry]
    let narrowed = NarrowedFault(trial, of: survey, among: scene.baseline.points) { subject in
      !subject.hasSuffix("*") && trial.point.lastingSubject != nil
    }
    let plain = NarrowedFault(trial, of: survey)
    let folder = try pathsFolder()
    let path = path(of: finding)
    defer { if described.path == nil { release(path) } }
    // A condition makes a stop of each call of a function; one that is only counted costs next to nothing.
    let faults = survey.functions == nil ? [narrowed, plain] : [plain, narrowed]
    for fault in narrowed == plain ? [plain] : faults {
      let writer = ReproducerWriter(
        finding: finding, fault: fault, survey: survey, scene: scene, plannedCase: plannedCase,
        grace: exploration.leakGrace, folder: folder, path: path)
      let text = marked(reduced.text(remarks: writer.remarks, writer.additions), trial, at: path)
      let run = ReproducerRun(
        text: text, path: path, options: options, folder: "\(self.folder)/w000",
        runStart: runStart,
        patience: finding.isHang
          ? scene.repetitions.multipliedReportingOverflow(by: 100).partialValue
          : nil)
      runs += 1
      let outcome = run.run(runsEnd)
      described.problem = outcome.problem
      guard !runsEnd.isCancelled else {
        described.confirmation = .open
        return
      }
      guard outcome.hasFailed else { continue }
      // Twice: what differs in every other run would pass once between two runs with the fault.
      for _ in 0..<2 where !described.failsAlone {
        runs += 1
        let control = run.run(runsEnd, withoutFault: ReproducerWriter.entryName)
        guard !runsEnd.isCancelled else {
          described.confirmation = .open
          return
        }
        described.failsAlone = !control.hasPassed
      }
      guard !described.failsAlone else {
        described.problem = "its scenario fails without the fault as well"
        return
      }
      try SavedFile.write(Array(text.utf8), to: path)
      described.path = path
      described.confirmation = .reproduced
      return
    }
  }

  /// The folder that the scenario's paths count from, seen from the folder of what was found.
  private func pathsFolder() throws(Failure) -> String {
    let base = plannedCase.folder ?? plannedCase.file.parentFolder
    let usual = base == "." ? "__explored__" : "\(base)/__explored__"
    if exploration.folder == usual || exploration.folder == "./__explored__" { return ".." }
    guard let resolved = realpath(base, nil) else {
      throw Failure.system("cannot find the folder \"\(base)\"")
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  // MARK: - Telling

  /// Reports a finding as of a case of its own.
  func report(_ described: DescribedFinding) {
    let result = described.finding.result
    let trial = result.trial
    let place = trial.point.site ?? trial.point.subject ?? trial.point.program
    let name =
      "\(plannedCase.name): \(trial.point.call)#\(trial.point.occurrence) \(place)"
      + " \(trial.fault.word) \(trial.fault.mode.rawValue)"
    let identifier = "\(plannedCase.file)::\(name)::\(result.judgement.verdict.rawValue)"
    emit(
      .caseStarted(
        CaseDescription(
          file: plannedCase.file, name: name, range: plannedCase.range, tags: plannedCase.tags,
          seed: plannedCase.seed)), scenario: identifier)
    let isOpen = described.confirmation == .open
    var failure = Failure(
      category: isOpen ? .error : .expectation,
      type: "explore.\(result.judgement.verdict)",
      message: "\(result.judgement.verdict.rawValue) where \(trial.point.call) \(deed(trial))",
      range: plannedCase.range, details: details(described))
    if let path = described.path {
      failure.help =
        "reproduce it with `scenario run \(path)`; that scenario passes once the program is fixed"
    } else if isOpen {
      failure.help =
        "not confirmed yet: continue with `\(settings.continuation)`, or raise the budget"
    }
    emit(.failed(failure), scenario: identifier)
    emit(
      .caseFinished(
        CaseResult(
          outcome: isOpen ? .errored : .failed, duration: described.duration,
          virtualDuration: nil, standardOutput: "", standardError: "", directory: nil)),
      scenario: identifier)
  }

  private func deed(_ trial: ExplorationTrial) -> String {
    let deed =
      trial.fault.error.map { "fails with \($0.name)" } ?? "transfers one byte"
    return trial.fault.mode == .once ? deed : "\(deed), and all later calls"
  }

  private func details(_ described: DescribedFinding) -> [String] {
    let result = described.finding.result
    let point = result.trial.point
    var lines = [
      "call: \(point.call), number \(point.occurrence) in \(surveyName(point))"
    ]
    if let subject = point.subject { lines.append("subject: \(subject)") }
    if let site = point.site { lines.append("site: \(site)") }
    lines.append("program: \(point.program)")
    lines.append("verdict: \(result.judgement.verdict.rawValue)")
    lines += result.judgement.evidence.map { "  \($0)" }
    let more = described.finding.count - 1
    if more > 0 { lines.append("the same result in \(more) more trial\(more == 1 ? "" : "s")") }
    if let path = described.path { lines.append("reproducer: \(path)") }
    switch described.confirmation {
    case .reproduced: lines.append("confirmed by a separate run")
    case .seenAgain:
      lines.append(
        "confirmed by another run; no scenario was written, because none of those tried fails")
      if let problem = described.problem { lines.append("  \(problem)") }
      if described.isOfRace { lines.append("  \(wayOutOfRace)") }
    case .open: lines.append("not run again")
    }
    return lines
  }

  /// The words that say how a scenario could name a call of threads that race.
  private var wayOutOfRace: String {
    let flow = plannedCase.clock.map(\.flow) ?? .auto
    let keys = plannedCase.clock == nil || flow.rate != nil ? " and `clock: { flow: auto }`" : ""
    return
      "threads or processes race for this call, and a scenario counts the calls of all of them: with `order: seeded`\(keys)"
      + " the order is the same in each run, so that a scenario can be written"
  }

  private func surveyName(_ point: FaultPoint) -> String {
    exploration.surveys.indices.contains(point.entry)
      ? exploration.surveys[point.entry].name : point.call
  }
}

extension PlannedCase {
  /// The stem of its findings' file names: several files of a folder may have scenarios of one name.
  var fileName: String {
    let stem = file.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    guard let stem, stem != name else { return name }
    return "\(stem)-\(name)"
  }
}

extension ExploredFinding {
  fileprivate var isHang: Bool { result.judgement.verdict == .hang }
}
