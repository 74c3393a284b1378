internal import ArgumentParser
internal import Glibc
internal import ScenarioReport
internal import ScenarioSyntax

/// The command `scenario fmt`.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt", abstract: "Format scenario files; comments and meaning are kept.",
    discussion: CommandDiscussion(
      """
      Prints the names of the files that change. A file that cannot be read is not changed: exit code 2.
      """,
      examples: [
        "scenario fmt",
        "scenario fmt --check scenarios",
        "scenario fmt --diff scenarios/checkout.yaml",
        "scenario fmt - < new.yaml",
      ]
    ).rendered)

  @Argument(
    help: "Scenario files or folders; - reads standard input and prints to standard output.")
  var paths: [String] = ["scenarios"]

  @Flag(
    help: "Write nothing; list the files that are not formatted, with exit code 1 if there are any."
  )
  var check = false

  @Flag(help: "Write nothing; print a diff, and exit as --check does.")
  var diff = false

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  func run() throws {
    var files = RewrittenFiles()
    var changed = 0
    for path in files.expand(paths) {
      guard let bytes = files.read(path) else { continue }
      let name = RewrittenFiles.name(of: path)
      switch ScenarioFormatter.format(bytes: bytes, path: name) {
      case .refused(let diagnostics): files.refuse(diagnostics)
      case .formatted(let text):
        let isSame = bytes.elementsEqual(text.utf8)
        if !isSame { changed += 1 }
        if diff {
          let old = String(decoding: bytes, as: UTF8.self)
          try Console.print(
            UnifiedDiff.text(old: old, new: text, names: (name, "\(name) (formatted)")),
            content: .verbatim)
        } else if check {
          if !isSame { try Console.print("\(name)\n") }
        } else if path == RewrittenFiles.standardInput {
          try Console.print(text, content: .verbatim)
        } else if !isSame, files.write(text, to: path) {
          try Console.print("\(name)\n")
        }
      }
    }
    try files.finish(usesColour: color.usesColour(descriptor: STDERR_FILENO))
    if check || diff, changed > 0 {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.failed.rawValue)
    }
  }
}
