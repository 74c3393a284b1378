internal import ArgumentParser
internal import Foundations
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Whether scenarios are run again when something changes.
struct WatchOptions: ParsableArguments {
  @Flag(
    name: [.customShort("w"), .long], inversion: .prefixedNo, exclusivity: .chooseLast,
    help: """
      Keep running: when a file changes, run the scenarios that depend on it, failed ones first. Ctrl-C exits with \
      the exit code of the last run.
      """)
  var watch = false

  /// Refuses options that contradict the watch, and the watch itself in an automatic build.
  func requireSense(
    _ selection: SelectionOptions, _ saved: SavedPlanOptions, _ lists: CaseListOptions,
    _ shards: ShardOptions
  ) throws {
    if let variable = AutomaticBuild.variable {
      throw Refusal(
        "\"--watch\" is not allowed in an automatic build, where it would never end",
        help: "remove \"--watch\"; the variable \(variable) marks this as an automatic build"
      ).reported(.badArguments)
    }
    let others = [
      ("--plan", saved.path != nil), ("--test-list", lists.testList != nil),
      ("--exclude-list", lists.excludeList != nil), ("--shard", shards.shard != nil),
      ("--last-failed", selection.filters.lastFailed),
      ("--changed", selection.filters.changed != nil),
    ]
    guard let other = others.first(where: \.1)?.0 else { return }
    throw Refusal(
      "\"--watch\" and \"\(other)\" are mutually exclusive: both select what runs",
      help: "remove one of the two"
    ).reported(.badArguments)
  }
}

extension LastRunFile {
  /// Finds the cases that failed when they last ran, by their identifiers.
  func failed(among cases: [PlannedCase]) -> Set<String> {
    let failed = Set((read()?.outstanding ?? []).map { [$0.file, $0.name] })
    guard !failed.isEmpty else { return [] }
    var names: [String: String] = [:]
    return Set(
      cases.filter { planned in
        let file = names[planned.file] ?? project.name(of: planned.file)
        names[planned.file] = file
        return failed.contains([file, planned.name])
      }.map(\.identifier))
  }
}
