internal import ArgumentParser
internal import Glibc
internal import ScenarioReport
internal import ScenarioSyntax

/// The command `scenario upgrade`.
struct UpgradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Upgrade scenario files to version \(LanguageVersion.current) of the language.",
    discussion: CommandDiscussion(
      """
      Changes only what the new version requires. A file that cannot be read is not changed.
      """,
      examples: [
        "scenario upgrade --diff",
        "scenario upgrade scenarios",
      ]
    ).rendered)

  @Argument(
    help: "Scenario files or folders; - reads standard input and prints to standard output.")
  var paths: [String] = ["scenarios"]

  @Flag(help: "Write nothing; print a diff, with exit code 1 if anything would change.")
  var diff = false

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  func run() throws {
    var files = RewrittenFiles()
    var changed = 0
    for path in files.expand(paths) {
      guard let bytes = files.read(path) else { continue }
      let name = RewrittenFiles.name(of: path)
      let isInput = path == RewrittenFiles.standardInput
      switch ScenarioUpgrade.upgrade(bytes: bytes, path: name) {
      case .refused(let diagnostics): files.refuse(diagnostics)
      case .current where isInput && !diff:
        try Console.print(String(decoding: bytes, as: UTF8.self), content: .verbatim)
      case .current:
        try Console.print("\(name): already version \(LanguageVersion.current)\n")
      case .upgraded(let text, let version):
        changed += 1
        if diff {
          let old = String(decoding: bytes, as: UTF8.self)
          try Console.print(
            UnifiedDiff.text(old: old, new: text, names: (name, "\(name) (upgraded)")),
            content: .verbatim)
        } else if isInput {
          try Console.print(text, content: .verbatim)
        } else if files.write(text, to: path) {
          try Console.print("\(name): version \(version) to \(LanguageVersion.current)\n")
        }
      }
    }
    try files.finish(usesColour: color.usesColour(descriptor: STDERR_FILENO))
    if diff, changed > 0 {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.failed.rawValue)
    }
  }
}
