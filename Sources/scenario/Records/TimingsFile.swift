internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// `.scenario/timings.json` in the project's folder: how long cases took.
struct TimingsFile {
  /// The record's path below the project's folder.
  static let name = ".scenario/timings.json"
  /// The record is bounded; whatever is larger is none.
  private static let sizeLimit = 64 << 20

  let project: Project

  private var path: String { project.path(of: Self.name) }

  /// Reads the durations of earlier runs, by the project's names of cases.
  func earlier() -> CaseTimings {
    CaseTimings((try? FileTree.read(path, limit: Self.sizeLimit)).map { [(path, $0)] } ?? [])
  }

  /// The durations of cases, as far as they are known.
  func durations(of cases: [PlannedCase]) -> [String: Nanoseconds] {
    let times = earlier()
    guard !times.isEmpty else { return [:] }
    var names = ProjectFileNames(project: project)
    var durations: [String: Nanoseconds] = [:]
    for planned in cases {
      durations[planned.identifier] = times.duration(
        of: planned, calledBy: &names)
    }
    return durations
  }

  /// Adds a run; that it cannot be added, as in a folder that is read only, is a warning.
  ///
  /// A shard adds nothing: shards that begin later must come to the same parts.
  func add(_ run: CaseDurations, shard: ShardDescription?) {
    guard shard == nil, !run.all.isEmpty, project.isMarked || access(path, F_OK) == 0 else {
      return
    }
    let folder = project.path(of: ".scenario")
    let (descriptor, error) = RecordFolder.open(folder)
    guard descriptor >= 0 else { return lose(SystemText.error(error)) }
    defer { close(descriptor) }
    // flock(2): two runs at once each add what they have seen.
    while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { break } }
    LastRunFile(project: project).ignoreByGit()
    let bytes = try? FileTree.read(path, limit: Self.sizeLimit)
    var record = bytes.flatMap { TimingRecord(jsonText: $0) } ?? TimingRecord()
    var names = ProjectFileNames(project: project)
    record.take(
      run.all.map { (file: names.name(of: $0.file), name: $0.name, duration: $0.duration) }
    ) { access(project.path(of: $0), F_OK) == 0 }
    do throws(ReportError) {
      let sink = try FileSink(path: path)
      try sink.write(record.jsonText)
      try sink.finish()
    } catch {
      lose(error.message)
    }
  }

  private func lose(_ reason: String) {
    Console.report(
      """
      warning: the durations of the cases could not be recorded: \(TerminalText.line(reason))
      help: shards and "--order slowest" use the durations of earlier runs; make \(TerminalText.line(path)) writable

      """)
  }
}

/// The project's names of files, each looked up once.
struct ProjectFileNames {
  let project: Project
  private var known: [String: String] = [:]

  init(project: Project) { self.project = project }

  /// The file from the project's folder on.
  mutating func name(of file: String) -> String {
    if let name = known[file] { return name }
    let name = project.name(of: file)
    known[file] = name
    return name
  }
}

/// Gathers how long the cases of one run took.
struct CaseDurations {
  private(set) var all: [(file: String, name: String, duration: Nanoseconds)] = []
  private var begun: [String: CaseDescription] = [:]

  /// Records one event.
  mutating func record(_ event: Event) {
    switch event.kind {
    case .caseStarted(let description):
      if let identifier = event.scenario { begun[identifier] = description }
    case .caseFinished(let result):
      guard let description = event.scenario.flatMap({ begun.removeValue(forKey: $0) }),
        !result.isRetried, result.outcome == .passed || result.outcome == .failed
      else { return }
      let name = PlannedCase.original(of: description.name)
      all.append((file: description.file, name: name, duration: result.duration))
    default: break
    }
  }
}

extension CaseTimings {
  /// The duration of a case, by its name here or in its project.
  func duration(of planned: PlannedCase, calledBy names: inout ProjectFileNames) -> Nanoseconds? {
    if let known = duration(
      identifier: planned.identifier, file: planned.file, name: planned.name)
    {
      return known
    }
    let name = PlannedCase.original(of: planned.name)
    let file = names.name(of: planned.file)
    return duration(identifier: "\(file)::\(name)", file: file, name: name)
  }
}
