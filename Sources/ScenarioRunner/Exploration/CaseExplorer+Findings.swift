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
  /// Findings that did not show again.
  var dropped: [String] = []

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
    /// True if threads or processes race for its call, of which no scenario can name one.
    var isOfRace = false
    var duration: Nanoseconds
  }

  /// Runs, for each mistake that is not settled, a scenario that has its fault, and keeps it if it fails; a
  /// mistake that no scenario shows is judged by another run, and dropped if that does not show it either.
  func confirm(_ scene: Scene) {
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
      let number = finding.result.trial.number
      let isDoubtful =
        confirmation.doubtful.contains(finding.key) && !confirmation.judgedAgain.contains(number)
      do throws(Failure) {
        if isDoubtful {
          described.confirmation = .seenAgain
        } else if let reduced {
          try reproduce(finding, reduced, scene, &described)
        } else {
          described.confirmation = .seenAgain
          described.problem = "the scenario's file can no longer be read"
        }
      } catch {
        described.confirmation = .seenAgain
        described.problem = error.message
      }
      guard described.confirmation != .open else { break }
      if described.confirmation == .seenAgain, confirmation.judgedAgain.insert(number).inserted {
        // What it shows now counts, whatever was seen before.
        guard judgeAgain(finding, scene) else {
          confirmation.judgedAgain.remove(number)
          break
        }
        guard !isDoubtful, isStill(finding) else { continue }
      }
      described.duration = RealTime.monotonic() - start
      confirmation.described.append(described)
    }
  }

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
    guard let entry = exploration.entry(for: trial, isOfThread: scene.isShared(trial.point)),
      let index = results.firstIndex(where: { $0.trial.number == trial.number })
    else { return true }
    guard
      let again = Self.rerun(
        trial, entry, exploration, scene, scene.judge, at: 1, runsEnd)
    else { return false }
    runs += 1
    let isSame = again.judgement.verdict == finding.result.judgement.verdict
    if !isSame {
      confirmation.doubtful.insert(finding.key)
      confirmation.dropped.append(
        "\(trial.name): \(finding.result.judgement.verdict.rawValue) at first,"
          + " \(again.judgement.verdict.rawValue) when tried again")
      results[index] = again
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

  private func path(named name: String) -> String { "\(exploration.folder)/\(name).yaml" }

  /// Writes the narrowest entry whose scenario fails; the survey's own counts where none does.
  ///
  /// A scenario that passes is not written.
  private func reproduce(
    _ finding: ExploredFinding, _ reduced: ReducedScenario, _ scene: Scene,
    _ described: inout DescribedFinding
  ) throws(Failure) {
    let trial = finding.result.trial
    described.confirmation = .seenAgain
    guard exploration.surveys.indices.contains(trial.point.entry) else { return }
    let survey = exploration.surveys[trial.point.entry]
    let narrowed = NarrowedFault(trial, of: survey, among: scene.baseline.points) { subject in
      !subject.hasSuffix("*") && trial.point.lastingSubject != nil
    }
    let plain = NarrowedFault(trial, of: survey)
    let folder = try pathsFolder()
    let path = path(of: finding)
    for fault in narrowed == plain ? [plain] : [narrowed, plain] {
      let writer = ReproducerWriter(
        finding: finding, fault: fault, survey: survey, scene: scene, plannedCase: plannedCase,
        grace: exploration.leakGrace, folder: folder, path: path)
      let text = marked(reduced.text(remarks: writer.remarks, writer.additions), trial, at: path)
      runs += 1
      let outcome = ReproducerRun(
        text: text, path: path, options: options, folder: "\(self.folder)/w000",
        runStart: runStart,
        patience: finding.isHang
          ? scene.repetitions.multipliedReportingOverflow(by: 100).partialValue
          : nil
      ).run(runsEnd)
      described.problem = outcome.problem
      guard !runsEnd.isCancelled else {
        described.confirmation = .open
        return
      }
      guard outcome.hasFailed else { continue }
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
