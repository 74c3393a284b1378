internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler

/// The selection among the cases that the paths name.
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

  @Option(help: Self.profileHelp)
  var profile: String?

  /// The help of `--profile`.
  static let profileHelp = ArgumentHelp(
    "The profile of scenario.yml that holds; \"ci\" where CI is set, \"default\" for none.",
    valueName: "name")

  /// The value of `--changed` where none is given.
  static let changedDefault = "HEAD"

  /// True if they leave every case.
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
