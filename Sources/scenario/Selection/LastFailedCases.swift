internal import Foundations
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The cases that failed before, as the options of a plan.
struct LastFailedCases {
  let project: Project
  let entries: [LastRun.Entry]
  /// The values given for variables when they failed.
  var inputs = VariableInputs()
  /// True if the seeds hold as well with which the cases failed.
  var keepsSeeds = false
  /// The option or command that selects them, in messages.
  var origin = "--last-failed"
  /// Counts those that a plan has selected.
  let selected = SelectedCount()

  /// Creates cases from elsewhere, to be run as they were.
  init(entries: [LastRun.Entry], in project: Project) {
    self.entries = entries
    self.project = project
    keepsSeeds = true
    origin = "rerun"
  }

  /// Reads what failed before; reports it and is `nil` if nothing did.
  init?(in project: Project) {
    self.project = project
    guard let record = LastRunFile(project: project).read() else {
      Console.report("--last-failed: no run is recorded, so all cases are selected\n")
      return nil
    }
    guard !record.outstanding.isEmpty else {
      Console.report("--last-failed: no case failed before, so all cases are selected\n")
      return nil
    }
    entries = record.outstanding
  }

  /// The files that contain them, as the runner is to name them.
  var paths: [String] {
    var seen: Set<String> = []
    return entries.map { PathFromHere.text(project.path(of: $0.file)) }
      .filter { FileTree.canonicalPath($0) != nil && seen.insert($0).inserted }
  }

  /// Finds those that files still hold, by their identifiers: at one date or at several.
  ///
  /// - Parameter all: Every case of the files that were read.
  func among(_ all: [CaseListing]) -> [String: [LastRun.Entry]] {
    var names: [String: String] = [:]
    let wanted = Dictionary(grouping: entries) { [$0.file, $0.name] }
    var known: [[String]: String] = [:]
    var found: Set<[String]> = []
    var identifiers: [String: [LastRun.Entry]] = [:]
    for one in all {
      let name = names[one.file] ?? project.name(of: one.file)
      names[one.file] = name
      known[[name, one.name]] = "\(one.file)::\(one.name)"
      guard let entries = wanted[[name, one.name]] else { continue }
      found.insert([name, one.name])
      identifiers["\(one.file)::\(one.name)"] = entries
    }
    // Events of a run tell of each repetition and date, and what is run again is the case, at its dates.
    let repeated = entries.filter { !found.contains([$0.file, $0.name]) }
    for var entry in repeated {
      let original = PlannedCase.original(of: entry.name)
      let dated = PlannedCase.split(datedName: original)
      guard
        let identifier = known[[entry.file, original]]
          ?? dated.flatMap({ known[[entry.file, $0.name]] })
      else { continue }
      found.insert([entry.file, entry.name])
      entry.date = known[[entry.file, original]] == nil ? dated?.date : nil
      if !(identifiers[identifier]?.contains { $0.date == entry.date } ?? false) {
        identifiers[identifier, default: []].append(entry)
      }
    }
    let read = Set(names.values)
    let gone = entries.filter {
      (read.contains($0.file) || FileTree.canonicalPath(project.path(of: $0.file)) == nil)
        && !found.contains([$0.file, $0.name])
    }
    if !gone.isEmpty {
      let list = gone.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ")
      Console.report(
        Diagnostic(
          "\(gone.count) of the cases that failed before no longer \(gone.count == 1 ? "exists" : "exist")",
          code: .staleRecord, at: nil,
          help: """
            \(list)\(gone.count > 5 ? " and others" : ""): renamed, moved or removed; \
            "scenario run" of the folder, without filters, removes them from the record
            """))
    }
    return identifiers
  }
}

/// Counts the failed cases that are run again.
final class SelectedCount {
  var count = 0
}
