internal import ArgumentParser
internal import ScenarioModel

/// The arguments of a run, which `scenario run` and `scenario rerun` share.
struct RunArguments: ParsableArguments {
  @OptionGroup var selection: SelectionOptions

  @OptionGroup(title: HelpTitle.selection) var saved: SavedPlanOptions
  @OptionGroup(title: HelpTitle.selection) var lists: CaseListOptions
  @OptionGroup(title: HelpTitle.execution) var execution: ExecutionOptions
  @OptionGroup(title: HelpTitle.execution) var dates: DateOptions
  @OptionGroup(title: HelpTitle.execution) var watching: WatchOptions
  @OptionGroup(title: HelpTitle.shards) var shards: ShardOptions
  @OptionGroup(title: HelpTitle.pauses) var pauses: PauseOptions
  @OptionGroup(title: HelpTitle.snapshots) var snapshots: SnapshotOptions
  @OptionGroup(title: HelpTitle.reports) var reports: ReportOptions
  @OptionGroup(title: HelpTitle.reports) var labelling: LabelOptions
  @OptionGroup(title: HelpTitle.output) var look: TerminalOptions

  @Option(
    help: "Override the network mode of the files: offline, spy, record or live.",
    transform: Self.networkMode)
  var network: NetworkSettings.Mode?

  static func networkMode(_ text: String) throws -> NetworkSettings.Mode {
    guard let mode = NetworkSettings.Mode(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of offline, spy, record, live")
    }
    return mode
  }
}
