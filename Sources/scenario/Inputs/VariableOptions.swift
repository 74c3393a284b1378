internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioRunner

/// Values for `vars:` of scenario files.
struct VariableOptions: ParsableArguments {
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp(
      "Set a variable of \"vars\". May be given more than once.",
      valueName: "name=value"))
  var variables: [String] = []

  @Option(
    name: .customLong("var-file"),
    help: ArgumentHelp(
      """
      Set variables from a YAML, JSON or dotenv file; later files override earlier ones. --var overrides files, and \
      files override SCENARIO_VAR_NAME.
      """, valueName: "file"), completion: .file(extensions: ["yaml", "yml", "json", "env"]))
  var variableFiles: [String] = []

  /// True if nothing is given.
  var isDefault: Bool { variables.isEmpty && variableFiles.isEmpty }

  /// The options as words of a command line.
  var words: [String] {
    variables.flatMap { ["--var", $0] } + variableFiles.flatMap { ["--var-file", $0] }
  }

  /// Returns the values that options, files and the environment give.
  func inputs() -> (inputs: VariableInputs, diagnostics: [Diagnostic], sources: [String: String]) {
    var inputs = VariableInputs()
    var diagnostics: [Diagnostic] = []
    var sources: [String: String] = [:]
    inputs.environment = ProcessEnvironment.all
    for path in variableFiles {
      switch FileAccess.machine.read(path) {
      case .problem(let problem):
        diagnostics.append(
          Diagnostic(
            problem, code: .unreadableFile, at: nil,
            help: "name a YAML, JSON or dotenv file with --var-file"))
      case .bytes(let bytes):
        sources[path] = String(decoding: bytes, as: UTF8.self)
        let (values, mistakes) = VariableFile.parse(bytes: bytes, path: path)
        diagnostics += mistakes
        inputs.files.merge(values) { $1 }
      }
    }
    for text in variables {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        diagnostics.append(
          Diagnostic(
            "--var \"\(text)\" has no value", code: .badInput, at: nil,
            help: "write --var NAME=VALUE"))
        continue
      }
      inputs.commandLine[String(parts[0])] = VariableInputs.Given(
        .string(String(parts[1])), isText: true, origin: "--var")
    }
    return (inputs, diagnostics, sources)
  }
}
