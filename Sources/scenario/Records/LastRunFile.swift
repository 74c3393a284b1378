internal import Cryptography
internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import OrderedCollections
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// `.scenario/last-run.json` in the project's folder.
struct LastRunFile {
  /// The record's path below the project's folder.
  static let name = ".scenario/last-run.json"
  /// The record holds a bounded number of entries; whatever is larger is none.
  private static let sizeLimit = 32 << 20

  let project: Project

  private var folder: String { project.path(of: ".scenario") }
  private var path: String { project.path(of: Self.name) }

  /// Reads the record; `nil` if there is none that can be read.
  func read() -> LastRun? {
    (try? FileTree.read(path, limit: Self.sizeLimit)).flatMap { LastRun(jsonText: $0) }
  }

  /// Records that a run begins whose cases are not reached yet: one that is killed, as by SIGKILL, records nothing more,
  /// and what it would have found must stay outstanding.
  ///
  /// Without a record there is nothing by which "scenario rerun" could pass, and none is made. What cannot be written is
  /// told at the run's end.
  func begin(
    _ plan: ExecutionPlan, loaded: LoadedCases, variables: OrderedDictionary<String, Value>
  ) {
    guard access(path, F_OK) == 0 else { return }
    let outcomes = CaseOutcomes(CaseEndings(), of: plan, originals: loaded.originals)
    var files = ProjectFileNames(project: project)
    let missed = outcomes.missed.map { place in
      let planned = plan.cases[place]
      return LastRun.Entry(
        file: files.name(of: planned.file), name: planned.undatedName, date: planned.date,
        seed: planned.seed, outcome: .skipped)
    }
    _ = try? change { record in
      record.variables = variables
      record.caseCount = 0
      record.isInterrupted = true
      record.take([], missed: missed)
    }
  }

  /// Records a run; that it cannot be recorded, as in a folder that is read only, is a warning.
  ///
  /// Nothing else changes the record: who only looks, lists or plans has seen no case pass.
  ///
  /// - Parameters:
  ///   - plan: what was to be run.
  ///   - loaded: what the run has read of the project.
  /// - Returns: false if it could not be recorded, which has been reported.
  func write(
    _ endings: CaseEndings, of plan: ExecutionPlan, loaded: LoadedCases,
    variables: OrderedDictionary<String, Value> = [:]
  ) -> Bool {
    let outcomes = CaseOutcomes(endings, of: plan, originals: loaded.originals)
    // No folder is made in the user's home only to say that all is well.
    guard project.isMarked || !outcomes.outstanding.isEmpty || access(path, F_OK) == 0 else {
      return true
    }
    let digests = Self.digests(of: outcomes.outstanding.map { plan.cases[$0] })
    var files = ProjectFileNames(project: project)
    func entry(_ place: Int, _ outcome: CaseResult.Outcome, seed: Int64) -> LastRun.Entry {
      let planned = plan.cases[place]
      return LastRun.Entry(
        file: files.name(of: planned.file), name: planned.undatedName, date: planned.date,
        seed: seed, outcome: outcome,
        digest: digests[planned.identifier] ?? "")
    }
    let entries = outcomes.ended.map { entry($0.place, $0.outcome, seed: $0.seed) }
    let missed = outcomes.missed.map { entry($0, .skipped, seed: plan.cases[$0].seed) }
    do throws(RecordError) {
      try change { record in
        record.variables = variables
        record.startedAt = endings.run?.startedAt.description ?? ""
        record.caseCount = entries.count
        record.isInterrupted = endings.isInterrupted
        lazy var names = loaded.names(in: project)
        let lost = record.take(entries, missed: missed) { names.lack($0, in: project) }
        guard lost > 0 else { return }
        Console.report(
          "note: \(lost) failures exceed the limit of \"scenario rerun\" and were not recorded\n")
      }
      return true
    } catch {
      return lose(error.reason)
    }
  }

  /// Reports that the run is not recorded, and removes an older record: a "scenario rerun" by that would pass without
  /// the failures of this run.
  private func lose(_ reason: String) -> Bool {
    let earlier = unlink(path) == 0 ? ", nor the runs before it, whose record was removed" : ""
    Console.report(
      """
      warning: the run could not be recorded: \(TerminalText.line(reason))
      help: "scenario rerun" cannot use it\(earlier); make \(TerminalText.line(folder)) writable, on a disk with free space

      """)
    return false
  }

  /// The reason why a record could not be written.
  private struct RecordError: Error {
    var reason: String
  }

  /// Reads, changes and writes while no other runner does.
  private func change(_ body: (inout LastRun) -> Void) throws(RecordError) {
    let (descriptor, error) = RecordFolder.open(folder)
    guard descriptor >= 0 else { throw RecordError(reason: SystemText.error(error)) }
    defer { close(descriptor) }
    // flock(2) locks a folder as it does a file; its holder writes a small file.
    while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { break } }
    ignoreByGit()
    var record = read() ?? LastRun()
    body(&record)
    do throws(ReportError) {
      let sink = try FileSink(path: path)
      try sink.write(record.jsonText)
      try sink.finish()
    } catch {
      throw RecordError(reason: error.message)
    }
  }

  /// Makes git ignore what runs leave; the folder may have settings that are committed.
  func ignoreByGit() {
    let path = "\(folder)/.gitignore"
    guard access(path, F_OK) != 0, let sink = try? FileSink(path: path) else { return }
    do throws(ReportError) {
      try sink.write(".gitignore\nlast-run.json*\npassed/\ntimings.json*\n")
      try sink.finish()
    } catch {
      // A part of it would be taken for all of it; the next run tries again.
    }
  }

  /// SHA-256 of each case as it is planned.
  static func digests(of cases: [PlannedCase]) -> [String: String] {
    var digests: [String: String] = [:]
    for planned in cases { digests[planned.identifier] = digest(of: planned) }
    return digests
  }

  /// SHA-256 of one case as it is planned, in hexadecimal.
  static func digest(of planned: PlannedCase) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(planned) else { return "" }
    return SecureDigest.sha256(data)
  }
}
