internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// Options of the report for people.
struct TerminalOptions: ParsableArguments {
  /// The form in which progress is shown.
  enum Interface: String, CaseIterable {
    /// Progress on a terminal, else a list.
    case auto
    /// A list, and below it what runs.
    case progress
    /// A line per scenario.
    case list
    /// A character per scenario.
    case dots
    /// Failures and counts.
    case quiet
  }

  @Option(
    name: .customLong("ui"),
    help: ArgumentHelp(
      "Set the display while scenarios run: auto, progress, list, dots or quiet.",
      valueName: "form"), transform: { try ExecutionOptions.word($0) })
  var interface = Interface.auto

  @Flag(
    name: .shortAndLong, help: "Also show the slowest scenarios and the meaning of the exit code.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Show only failures and counts, as --ui quiet does.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "Show the output of these scenarios: failed, all or never.", valueName: "which"),
    transform: { try ExecutionOptions.word($0) })
  var showOutput = TerminalStyle.ShownOutput.failed

  @Option(
    help: ArgumentHelp(
      "Show failures in full at this time: final or immediate.", valueName: "when"),
    transform: { try ExecutionOptions.word($0) })
  var failureOutput = TerminalStyle.FailureOutput.final

  @Option(
    help: ArgumentHelp(
      "Report scenarios that run longer than this in real time (default: 10s).", valueName: "time"),
    transform: ExecutionOptions.length)
  var slow: Nanoseconds?

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose are mutually exclusive") }
    if quiet, interface != .auto, interface != .quiet {
      throw ValidationError("--quiet means --ui quiet; leave out --ui \(interface.rawValue)")
    }
  }

  /// After what time a scenario is slow, unless it is said.
  private static let usualSlowLimit = Nanoseconds.seconds(10)

  /// The real time after which a scenario is reported as slow; `nil` for never.
  var slowLimit: Nanoseconds? { form == .quiet ? nil : slow ?? Self.usualSlowLimit }

  private var form: TerminalStyle.Form {
    switch interface {
    case _ where quiet: .quiet
    case .quiet: .quiet
    case .dots: .dots
    case .auto, .progress, .list: .list
    }
  }

  /// Returns whether a block shows what runs.
  ///
  /// - Parameters:
  ///   - descriptor: Where the report for people goes.
  ///   - environment: The variables of this process.
  func isLive(descriptor: Int32, environment: [String: String]) -> Bool {
    guard !quiet, interface == .auto || interface == .progress, isatty(descriptor) == 1,
      !["", "dumb"].contains(environment["TERM"] ?? "")
    else { return false }
    if let size = LiveTerminal.size(of: descriptor), size.width < ProgressModel.minimumWidth {
      return false
    }
    // Nothing else may write there meanwhile.
    if descriptor == STDERR_FILENO, isatty(STDOUT_FILENO) == 1 { return false }
    return interface == .progress || AutomaticBuild.variable(in: environment) == nil
  }

  /// The style of the report for people.
  func style(isLive: Bool) -> TerminalStyle {
    var style = TerminalStyle()
    style.form = form
    style.shownOutput = showOutput
    style.failureOutput = failureOutput
    style.isAligned = isLive
    style.showsTime = isLive || verbose
    style.slowestCount = verbose ? 3 : 0
    return style
  }

  /// Returns whether the end says what the exit code means.
  func showsReason(isLive: Bool) -> Bool { isLive || verbose }
}

extension LiveTerminal {
  /// The terminal, or whatever else, behind a descriptor.
  ///
  /// - Parameter virtual: the virtual time that a running case has seen so far.
  convenience init(
    descriptor: Int32, name: String, isLive: Bool, usesColour: Bool, slowLimit: Nanoseconds?,
    virtual: @escaping @Sendable (String) -> Nanoseconds?
  ) {
    var context = Surroundings(
      write: { text throws(ReportError) in
        try DescriptorSink(descriptor: descriptor, name: name).write(text)
      }, clock: RealTime.monotonic)
    context.virtual = virtual
    context.size = { Self.size(of: descriptor) }
    self.init(context, isLive: isLive, usesColour: usesColour, slowLimit: slowLimit)
  }

  /// The size of a terminal (ioctl_tty(2)); `nil` while this is not in its foreground.
  fileprivate static func size(of descriptor: Int32) -> Size? {
    let foreground = tcgetpgrp(descriptor)
    guard foreground < 0 || foreground == getpgrp() else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    // A terminal that does not know its height has the usual one.
    return Size(width: Int(size.ws_col), height: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

}
