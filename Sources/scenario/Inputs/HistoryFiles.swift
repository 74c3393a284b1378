internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// The kept reports that a history is made of.
struct HistoryFiles {
  /// One file.
  private struct File {
    var path: String
    /// The number in the order in which files are named.
    var given: Int
    /// True if it was named itself, and not its folder: then it must be a report.
    var isNamed: Bool
  }

  /// The kinds of reports, by the first character.
  private enum Kind {
    case events
    case junit
  }

  /// True if all reports of one folder make one run.
  let isRunPerFolder: Bool
  /// True if damaged files are passed over.
  let skipsDamaged: Bool
  private var builder = HistoryBuilder()
  private var problems: [Diagnostic] = []
  /// The number of files in folders that are no reports.
  private(set) var otherCount = 0
  /// The number of reports that were read.
  private(set) var reportCount = 0

  /// What of a folder is looked at.
  private static let endings = [".xml", ".jsonl", ".ndjson"]
  /// The largest JUnit report that is read.
  private static let sizeLimit = 1 << 30
  /// The maximum number of damaged files that are told one by one.
  private static let problemLimit = 20

  init(isRunPerFolder: Bool, skipsDamaged: Bool) {
    self.isRunPerFolder = isRunPerFolder
    self.skipsDamaged = skipsDamaged
  }

  /// Reads what paths name: files, folders with all that is below them, and globs.
  ///
  /// - Throws: Exit code 2, after it was said, if a path names nothing, or a report is damaged and may not be.
  mutating func read(_ paths: [String]) throws -> HistoryBuilder {
    let files = try Self.files(paths)
    // Streams come first: they say more than the JUnit report of the same run, which is then passed over.
    var documents: [File] = []
    for file in files {
      switch kind(of: file) {
      case .events: readEvents(file)
      case .junit: documents.append(file)
      case nil: continue
      }
    }
    for file in documents { readDocument(file) }
    try tellProblems()
    guard reportCount > 0 else {
      throw Refusal(
        "no reports in \(paths.map { "\"\($0)\"" }.joined(separator: ", "))",
        help: "keep a report of each run: scenario run --report jsonl=history/NAME.jsonl"
      ).reported(.unreadableFile)
    }
    return builder
  }

  // MARK: - Paths

  private static func files(_ paths: [String]) throws -> [File] {
    var files: [File] = []
    var seen: Set<String> = []
    func add(_ path: String, isNamed: Bool) {
      guard seen.insert(PathText.join("", path)).inserted else { return }
      files.append(File(path: path, given: files.count, isNamed: isNamed))
    }
    for path in paths {
      if FileTree.isFolder(path) {
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        for name in FileTree.files(below: path).sorted(by: FileArguments.precedes)
        where endings.contains(where: { name.hasSuffix($0) }) {
          add("\(folder)/\(name)", isNamed: false)
        }
      } else if access(path, F_OK) != 0, FileArguments.isGlob(path) {
        let found = FileArguments.matching(path).sorted(by: FileArguments.precedes)
        guard !found.isEmpty else {
          throw Refusal(
            "no file matches \"\(path)\"", help: "name report files, or folders that contain them"
          ).reported(.unreadableFile)
        }
        for name in found { add(name, isNamed: true) }
      } else {
        add(path, isNamed: true)
      }
    }
    return files
  }

  // MARK: - Reports

  /// Returns what a file begins like; `nil` if it is no report, which is said where it should be one.
  private mutating func kind(of file: File) -> Kind? {
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      tell(
        file, "cannot read \"\(file.path)\": \(SystemText.error(errno))", code: .unreadableFile,
        help: "name report files, or folders that contain them")
      return nil
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    let beginning = bytes.prefix(max(0, count))
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = beginning.starts(with: mark) ? beginning.dropFirst(mark.count) : beginning
    switch text.first(where: { ![9, 10, 13, 32].contains($0) }) {
    case UInt8(ascii: "{"): return .events
    case UInt8(ascii: "<"): return .junit
    case 0xFE, 0xFF:
      tell(file, "\"\(file.path)\" is not in UTF-8", help: "convert it: iconv -f UTF-16 -t UTF-8")
    case 0x1F:
      tell(file, "\"\(file.path)\" is compressed", help: "decompress it first, as with gunzip")
    case nil where count >= 0:
      tell(file, "\"\(file.path)\" is empty: its run died before it started", help: "leave it out")
    default:
      tell(
        file, "\"\(file.path)\" is neither an event stream nor a JUnit report",
        help: "name a file that --report jsonl=FILE or --report junit=FILE wrote, or any JUnit XML")
    }
    return nil
  }

  private mutating func readEvents(_ file: File) {
    do throws(HistoryProblem) {
      for run in try EventHistory.runs(at: file.path, version: Version.text) { add(run, file) }
    } catch {
      tell(file, error)
    }
  }

  private mutating func readDocument(_ file: File) {
    do throws(FileReadError) {
      let bytes = try FileTree.read(file.path, limit: Self.sizeLimit)
      do throws(HistoryProblem) {
        if let run = try JUnitHistory.run(of: bytes, name: file.path) {
          add(run, file)
        } else if file.isNamed {
          tell(
            file, "\"\(file.path)\" is not a JUnit report",
            help: "name documents whose root is <testsuites> or <testsuite>")
        } else {
          otherCount += 1
        }
      } catch {
        tell(file, error)
      }
    } catch {
      tell(
        file, error.message(path: file.path), code: .unreadableFile,
        help: "name files that can be read")
    }
  }

  private mutating func add(_ run: ReportedRun, _ file: File) {
    reportCount += 1
    let folder = PathText.folder(of: file.path)
    builder.add(
      run, given: file.given, group: isRunPerFolder ? (folder.isEmpty ? "." : folder) : nil)
  }

  // MARK: - Problems

  private mutating func tell(_ file: File, _ problem: HistoryProblem) {
    tell(file, problem.message, line: problem.line ?? 1, help: problem.help)
  }

  private mutating func tell(
    _ file: File, _ message: String, code: DiagnosticCode = .damagedReport, line: Int? = nil,
    help: String
  ) {
    problems.append(
      Diagnostic(
        TerminalText.line(message), code: code,
        at: line.map { SourceRange(file: file.path, line: $0, column: 1) }, help: help))
  }

  private func tellProblems() throws {
    guard !problems.isEmpty else { return }
    guard !skipsDamaged else {
      let count = problems.count == 1 ? "1 file" : "\(problems.count) files"
      Console.report("skipped \(count) that cannot be read\n")
      return
    }
    for problem in problems.prefix(Self.problemLimit) { Console.report(problem) }
    let rest = problems.count - Self.problemLimit
    let more = rest > 0 ? "and \(rest) more; " : ""
    Console.report("\(more)to skip such files, add --skip-damaged\n")
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }
}
