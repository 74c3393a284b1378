internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler

/// The selection among the cases that the paths name.
///
/// All commands share these; where several are given, all must hold.
struct CaseFilterOptions: ParsableArguments {
  @Option(
    name: [.customShort("k"), .long],
    help: "Run only scenarios whose file and name match this regular expression.")
  var filter: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Run only scenarios whose tags satisfy this, as in 'smoke and not (slow or flaky)'.",
      valueName: "expression"))
  var tags: String?

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Run only the case of exactly this name, or the scenario with all its rows. May be given more than once.",
      valueName: "name"), completion: .custom { words, _, _ in CaseCompletion.names(words) })
  var cases: [String] = []

  @Flag(
    help: """
      Run only cases that failed or were not reached when they last ran; all if there are none. Without paths, of any file.
      """)
  var lastFailed = false

  @Option(
    help: ArgumentHelp(
      "Run only scenarios that depend on files changed since this git commit (without a value: HEAD).",
      valueName: "ref"))
  var changed: String?

  @Flag(help: "Allow \"only: true\" in an automatic build.")
  var allowOnly = false

  /// The value of `--changed` where none is given.
  static let changedDefault = "HEAD"

  /// True if they leave every case.
  var isDefault: Bool {
    filter == nil && tags == nil && cases.isEmpty && !lastFailed && changed == nil
  }

  /// The options as words of a command line.
  var words: [String] {
    var words: [String] = []
    if let filter { words += ["--filter", filter] }
    if let tags { words += ["--tags", tags] }
    for name in cases { words += ["--case", name] }
    if lastFailed { words.append("--last-failed") }
    if let changed { words.append("--changed=\(changed)") }
    if allowOnly { words.append("--allow-only") }
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
