internal import Glibc
internal import OrderedCollections
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

extension CaseExplorer {
  /// A finding with the scenario that reproduces it.
  struct DescribedFinding {
    var finding: ExploredFinding
    /// The path of the scenario; `nil` if it could not be written.
    var path: String?
    /// Whether `scenario run` fails on it; `nil` if that was not tried.
    var isConfirmed: Bool?
    var problem: String?
    var duration: Nanoseconds
  }

  /// Writes a scenario for each finding, and runs it.
  func describe(_ findings: [ExploredFinding], _ scene: Scene) -> [DescribedFinding] {
    guard !findings.isEmpty else { return [] }
    let bytes = try? FileTree.read(plannedCase.file)
    let reduced = bytes.flatMap {
      ReducedScenario(
        bytes: $0, path: plannedCase.file, name: plannedCase.row?.scenario ?? plannedCase.name)
    }
    var names: Set<String> = []
    return findings.map { finding in
      let start = RealTime.monotonic()
      var described = DescribedFinding(finding: finding, duration: .zero)
      defer { described.duration = RealTime.monotonic() - start }
      guard let reduced else {
        described.problem = "the scenario's file cannot be read any more"
        return described
      }
      let path = "\(exploration.folder)/\(fileName(of: finding, &names)).yaml"
      do throws(Failure) {
        try reproduce(finding, reduced, scene, at: path, &described)
      } catch {
        described.problem = error.message
      }
      described.duration = RealTime.monotonic() - start
      return described
    }
  }

  private func fileName(of finding: ExploredFinding, _ names: inout Set<String>) -> String {
    let trial = finding.result.trial
    let verdict = finding.result.judgement.verdict.rawValue.replacing(" ", with: "-")
    let base = FileName.of(
      "\(stem)-\(verdict)-\(trial.point.call)-\(trial.fault.word)-\(trial.point.occurrence)"
    ).replacing(" ", with: "-")
    var name = base
    var number = 2
    while !names.insert(name).inserted {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }

  /// Writes the narrowest entry whose scenario fails; the survey's own counts where none does.
  private func reproduce(
    _ finding: ExploredFinding, _ reduced: ReducedScenario, _ scene: Scene, at path: String,
    _ described: inout DescribedFinding
  ) throws(Failure) {
    let trial = finding.result.trial
    guard exploration.surveys.indices.contains(trial.point.entry) else { return }
    let survey = exploration.surveys[trial.point.entry]
    let narrowed = NarrowedFault(trial, of: survey, among: scene.baseline.points) { subject in
      !subject.hasSuffix("*")
    }
    let plain = NarrowedFault(trial, of: survey)
    let folder = try pathsFolder()
    for fault in narrowed == plain ? [plain] : [narrowed, plain] {
      let writer = ReproducerWriter(
        finding: finding, fault: fault, survey: survey, scene: scene, plannedCase: plannedCase,
        folder: folder, path: path)
      let text = marked(reduced.text(remarks: writer.remarks, writer.additions))
      try SavedFile.write(Array(text.utf8), to: path)
      described.path = path
      guard !cancellation.isCancelled else { return }
      runs += 1
      let outcome = ReproducerRun(
        text: text, path: path, options: options, folder: "\(self.folder)/w000",
        runStart: runStart, patience: finding.isHang ? scene.repetitions : nil
      ).run(cancellation)
      guard !cancellation.isCancelled else { return }
      described.problem = outcome.problem
      described.isConfirmed = outcome.hasFailed
      if outcome.hasFailed { return }
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

  /// Tells of a finding as of a case of its own.
  func tell(_ described: DescribedFinding) {
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
    let isUnconfirmed = described.isConfirmed == false
    var failure = Failure(
      category: isUnconfirmed ? .error : .expectation,
      type: "explore.\(result.judgement.verdict)",
      message: "\(result.judgement.verdict.rawValue) where \(trial.point.call) \(deed(trial))",
      range: plannedCase.range, details: details(described))
    if let path = described.path {
      failure.help =
        isUnconfirmed
        ? "it was not reproduced by \(path): run the exploration again, or with other seeds"
        : "run it again by `scenario run \(path)`; it passes once the program is mended"
    }
    emit(.failed(failure), scenario: identifier)
    emit(
      .caseFinished(
        CaseResult(
          outcome: isUnconfirmed ? .errored : .failed, duration: described.duration,
          virtualDuration: nil, standardOutput: "", standardError: "", directory: nil)),
      scenario: identifier)
  }

  private func deed(_ trial: ExplorationTrial) -> String {
    let deed =
      trial.fault.error.map { "fails with \($0.name)" } ?? "transfers one byte"
    return trial.fault.mode == .once ? deed : "\(deed), and all calls behind it"
  }

  private func details(_ described: DescribedFinding) -> [String] {
    let result = described.finding.result
    let point = result.trial.point
    var lines = [
      "call: \(point.call), number \(point.occurrence) of those of \(surveyName(point))"
    ]
    if let subject = point.subject { lines.append("subject: \(subject)") }
    if let site = point.site { lines.append("site: \(site)") }
    lines.append("program: \(point.program)")
    lines.append("verdict: \(result.judgement.verdict.rawValue)")
    lines += result.judgement.evidence.map { "  \($0)" }
    let more = described.finding.count - 1
    if more > 0 { lines.append("the same at \(more) more trial\(more == 1 ? "" : "s")") }
    if let path = described.path { lines.append("reproducer: \(path)") }
    switch described.isConfirmed {
    case true?: lines.append("confirmed by a run of its own")
    case false?: lines.append("not reproduced")
    case nil: lines.append(described.problem ?? "not run again")
    }
    if described.isConfirmed == false, let problem = described.problem { lines.append(problem) }
    return lines
  }

  private func surveyName(_ point: FaultPoint) -> String {
    exploration.surveys.indices.contains(point.entry)
      ? exploration.surveys[point.entry].name : point.call
  }
}

extension PlannedCase {
  /// What files of its findings are called by: several files of a folder may have scenarios of one name.
  var fileName: String {
    let stem = file.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    guard let stem, stem != name else { return name }
    return "\(stem)-\(name)"
  }
}

extension ExploredFinding {
  fileprivate var isHang: Bool { result.judgement.verdict == .hang }
}
