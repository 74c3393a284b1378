internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner
internal import Synchronization

/// Which of the cases that the paths name.
///
/// All commands share these; where several are given, all must hold.
struct CaseFilterOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Only scenarios whose tags satisfy this, as in 'smoke and not (slow or flaky)'.",
      valueName: "expression"))
  var tags: String?

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Only the case of exactly this name, or the scenario with all its rows. May be given more than once.",
      valueName: "name"), completion: .custom { words, _, _ in CaseCompletion.names(words) })
  var cases: [String] = []

  @Flag(
    help: """
      Only what failed when it was last run, or was not reached; everything, if nothing did. Without paths, wherever it stands.
      """)
  var lastFailed = false

  @Option(
    help: ArgumentHelp(
      """
      Only scenarios that depend on files that git tells as changed since this commit; without one, since \
      the last.
      """,
      valueName: "ref"))
  var changed: String?

  @Option(help: ConfigCommand.profileHelp)
  var profile: String?

  /// What `--changed` means without a value.
  static let changedDefault = "HEAD"

  /// Whether they leave every case.
  var isDefault: Bool { tags == nil && cases.isEmpty && !lastFailed && changed == nil }

  /// The options as words of a command line.
  var words: [String] {
    var words: [String] = []
    if let profile { words += ["--profile", profile] }
    if let tags { words += ["--tags", tags] }
    for name in cases { words += ["--case", name] }
    if lastFailed { words.append("--last-failed") }
    if let changed { words.append("--changed=\(changed)") }
    return words
  }

  /// The tags as an expression; `nil` if none are asked for.
  func tagExpression() -> Result<TagExpression, Diagnostic>? {
    guard let tags else { return nil }
    do throws(Diagnostic) {
      return .success(try TagExpression(tags))
    } catch {
      return .failure(error)
    }
  }
}

/// The cases that failed before, as the options of a plan.
struct LastFailedCases {
  let project: Project
  let entries: [LastRun.Entry]
  /// Whether the seeds hold as well with which the cases failed.
  var keepsSeeds = false
  /// What messages call the wish.
  var wish = "--last-failed"
  /// How many of them a plan has selected.
  let selected = SelectedCount()

  /// Takes cases from elsewhere, to be run as they were.
  init(entries: [LastRun.Entry], in project: Project) {
    self.entries = entries
    self.project = project
    keepsSeeds = true
    wish = "rerun"
  }

  /// What failed before; `nil`, and said, if nothing did.
  init?(in project: Project) {
    self.project = project
    guard let record = LastRunFile(project: project).read() else {
      Console.report("--last-failed: no run is recorded, so everything is selected\n")
      return nil
    }
    guard !record.outstanding.isEmpty else {
      Console.report("--last-failed: nothing failed before, so everything is selected\n")
      return nil
    }
    entries = record.outstanding
  }

  /// The files that they stand in, as the runner is to name them.
  var paths: [String] {
    var seen: Set<String> = []
    return entries.map { PathFromHere.text(project.path(of: $0.file)) }
      .filter { FileTree.canonicalPath($0) != nil && seen.insert($0).inserted }
  }

  /// Those that are there still, of the cases that files hold, by their identifiers.
  ///
  /// - Parameter all: Every case of the files that were read.
  func among(_ all: [CaseListing]) -> [String: LastRun.Entry] {
    var names: [String: String] = [:]
    let wanted = Dictionary(entries.map { ([$0.file, $0.name], $0) }) { first, _ in first }
    var known: [[String]: String] = [:]
    var found: Set<[String]> = []
    var identifiers: [String: LastRun.Entry] = [:]
    for one in all {
      let name = names[one.file] ?? project.name(of: one.file)
      names[one.file] = name
      known[[name, one.name]] = "\(one.file)::\(one.name)"
      guard let entry = wanted[[name, one.name]] else { continue }
      found.insert([name, one.name])
      identifiers["\(one.file)::\(one.name)"] = entry
    }
    // Events of a run tell of each repetition, and what is run again is the case.
    let repeated = entries.filter { !found.contains([$0.file, $0.name]) }
    for entry in repeated {
      let key = [entry.file, PlannedCase.original(of: entry.name)]
      guard let identifier = known[key] else { continue }
      found.insert([entry.file, entry.name])
      if identifiers[identifier] == nil { identifiers[identifier] = entry }
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
          "\(gone.count) of the cases that failed before \(gone.count == 1 ? "is" : "are") no longer there",
          code: .staleRecord, at: nil,
          help: """
            \(list)\(gone.count > 5 ? " and others" : ""): renamed, moved or taken out; \
            "scenario run" of the folder, without filters, takes them out of the record
            """))
    }
    return identifiers
  }
}

/// A path as a person in the current folder would write it.
enum PathFromHere {
  /// Relative, over folders further up if need be; both are absolute and without `..`.
  static func relative(_ path: String) -> String {
    guard let here = FileTree.canonicalPath(".") else { return path }
    return relative(path, from: here)
  }

  /// A path as it is seen from a folder; both are absolute.
  static func relative(_ path: String, from folder: String) -> String {
    guard path.hasPrefix("/") else { return path }
    let goal = path.split(separator: "/").filter { $0 != "." }
    let start = folder.split(separator: "/").filter { $0 != "." }
    guard !goal.contains("..") else { return path }
    let shared = zip(goal, start).prefix { $0 == $1 }.count
    guard shared > 0 else { return path }
    let parts = [Substring](repeating: "..", count: start.count - shared) + goal[shared...]
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// Relative where it lies below the current folder.
  static func text(_ path: String) -> String {
    guard let here = FileTree.canonicalPath("."), here != "/", path.hasPrefix(here + "/") else {
      return path
    }
    return String(path.dropFirst(here.count + 1))
  }
}

/// The files that planning has read.
final class ReadFiles: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// Notes a file.
  func record(_ path: String) { _ = paths.withLock { $0.insert(path) } }

  /// All of them, absolute and without links.
  var canonicalPaths: Set<String> {
    Set(paths.withLock { $0 }.compactMap { FileTree.canonicalPath($0) })
  }
}

/// The cases that changed files bear on.
struct ChangedCases {
  private let inputs: CaseInputs
  private let canonical: Set<String>

  init(since reference: String, in folder: String) throws(ChangedFiles.Problem) {
    self.init(paths: try ChangedFiles(since: reference, in: folder).paths)
  }

  /// - Parameter paths: The files that have changed, absolute.
  init(paths: Set<String>) {
    inputs = CaseInputs(files: paths)
    canonical = paths
  }

  /// How many files have changed.
  var fileCount: Int { canonical.count }

  /// The cases that depend on a changed file.
  ///
  /// - Parameters:
  ///   - sources: The text of each scenario file, by its path.
  ///   - read: Files that planning has read. One that no case names in its plan, such as a schema of which only
  ///     the content counts, bears on the cases of every file that says its name.
  func among(
    _ cases: [PlannedCase], sources: [String: String], read: Set<String>
  ) -> Set<String> {
    let names = read.intersection(canonical).compactMap { $0.split(separator: "/").last }
    var answers: [String: Bool] = [:]
    func mentions(_ file: String) -> Bool {
      guard !names.isEmpty else { return false }
      if let known = answers[file] { return known }
      let text = sources[file] ?? ""
      let answer = names.contains { text.contains($0) }
      answers[file] = answer
      return answer
    }
    return Set(
      cases.filter { planned in
        inputs.affect(planned)
          || ([planned.file] + (planned.usedFiles ?? [])).contains { mentions($0) }
      }.map(\.identifier))
  }
}
