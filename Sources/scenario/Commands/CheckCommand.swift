internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario check`.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report all mistakes in scenario files.",
    discussion: CommandDiscussion(
      """
      The path - reads one file from standard input. "scenario explain CODE" explains the code of an error.
      """,
      examples: [
        "scenario check",
        "scenario check --fix scenarios/checkout.yaml",
        "scenario check --format sarif > scenario.sarif",
        "scenario check - --stdin-filename scenarios/new.yaml < new.yaml",
      ]
    ).rendered)

  @OptionGroup var selection: SelectionOptions

  @Option(
    help: "Print mistakes to standard output in this format: text, json, github or sarif.",
    transform: SelectionOptions.diagnosticFormat)
  var format = DiagnosticFormat.text

  @Flag(help: "Apply the fixes that are certain, and report the other mistakes.")
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Set the name of the file from standard input; its paths are relative to the folder of this name.",
      valueName: "path"))
  var stdinFilename: String?

  func validate() throws {
    let readsInput = selection.paths.contains(RewrittenFiles.standardInput)
    guard !fix || !readsInput else {
      throw ValidationError("\"--fix\" needs files, and - is standard input")
    }
    guard stdinFilename == nil || readsInput else {
      throw ValidationError("\"--stdin-filename\" is only allowed with the path -")
    }
    guard selection.diagnostics == nil else {
      throw ValidationError(
        "\"check\" prints only mistakes: use --format instead of --diagnostics")
    }
  }

  func run() throws {
    if fix { try mend() }
    let count = try selection.check(
      format: format,
      standardInput: stdinFilename ?? RewrittenFiles.name(of: RewrittenFiles.standardInput))
    guard format == .text else { return }
    guard count > 0 else { throw SelectionOptions.nothingSelected() }
    try Console.print("\(count) scenario\(count == 1 ? "" : "s"), no errors\n")
  }

  /// The largest number of rounds: one fix may make another possible, and a file without an end
  /// would be a mistake here.
  private static let roundLimit = 10

  private func mend() throws {
    var counts: [String: Int] = [:]
    for _ in 0..<Self.roundLimit {
      let input = selection.review().input
      // Files that only others use belong to those.
      let named = Set(input.selection.map(\.path))
      let fixes = input.certainFixes.filter { named.contains($0.start.file) }
      guard !fixes.isEmpty else { break }
      for (path, fixes) in Dictionary(grouping: fixes, by: \.start.file) {
        counts[path, default: 0] += try mend(path, fixes)
      }
    }
    for (path, count) in counts.sorted(by: { $0.key < $1.key }) {
      Console.report("\(TerminalText.line(path)): \(count) fixed\n")
    }
  }

  /// Writes a file anew; a reader sees it as it was or as it is to be.
  private func mend(_ path: String, _ fixes: [DiagnosticFix]) throws -> Int {
    guard let bytes = try? FileTree.read(path) else { return 0 }
    let mended = FixedText(bytes, path: path, fixes: fixes)
    do throws(FileReadError) {
      try FileTree.rewrite(path, with: Array(mended.bytes))
    } catch {
      Console.report(
        Diagnostic(error.writeMessage(path: path), code: .unwrittenReport, at: nil))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
    return mended.count
  }
}
