internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax

/// The case of a scenario that a command is about to write.
struct AuthoredCase {
  /// The case; `nil` if the text is no scenario.
  let plannedCase: PlannedCase?
  private let text: String
  private let path: String
  private let errors: [Diagnostic]

  /// Plans the text of a scenario as its file would be.
  init(_ text: String, path: String, timeout: Nanoseconds? = nil) {
    let (file, mistakes) = ScenarioFile.parse(text: text, path: path)
    var options = PlannerOptions(
      fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    options.realPath = { FileTree.realPath($0) }
    options.filesBelow = { folder in
      FileTree.isFolder(folder) ? FileTree.files(below: folder).map { "\(folder)/\($0)" } : nil
    }
    options.only = .ignored
    if let timeout { options.defaultTimeout = timeout }
    let planned = file.map { Planner.plan(files: [$0], options: options) }
    self.text = text
    self.path = path
    errors = (mistakes + (planned?.diagnostics ?? [])).filter { $0.severity == .error }
    plannedCase = errors.isEmpty ? planned?.plan?.cases.first : nil
  }

  /// The case; of a text that is no scenario the mistakes are reported.
  ///
  /// - Throws: Exit code 2.
  func orReport() throws -> PlannedCase {
    if let plannedCase { return plannedCase }
    let renderer = DiagnosticRenderer { $0 == path ? text : nil }
    for error in errors { Console.report(renderer.render(error)) }
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }

  /// The settings of its runs.
  static var runOptions: RunOptions {
    RunOptions(
      version: Version.text, planDigest: "", temporaryFolder: ProcessEnvironment.temporaryFolder,
      environment: [:])
  }
}
