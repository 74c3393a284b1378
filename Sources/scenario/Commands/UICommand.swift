internal import ArgumentParser
internal import Foundations
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario ui`.
struct UICommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ui",
    abstract: "Run scenarios, run them again after each change, and show them in the browser.",
    discussion: CommandDiscussion(
      """
      Does what "scenario run --watch" does, with the HTML report in the browser: a bar shows the progress of the run, \
      and the page shows each case while it runs. It is served on 127.0.0.1, at a secret address, until Ctrl-C.
      """,
      examples: ["scenario ui", "scenario ui scenarios/checkout.yaml --port 8080 --no-open"]
    ).rendered)

  @OptionGroup var selection: SelectionOptions
  @OptionGroup(title: HelpTitle.execution) var execution: ExecutionOptions

  @Option(
    help: "Override the network mode of the files: offline, spy, record or live.",
    transform: NetworkSettings.Mode.init(option:))
  var network: NetworkSettings.Mode?

  @OptionGroup(title: HelpTitle.browser) var viewing: ViewingOptions

  func run() throws {
    if let variable = AutomaticBuild.variable {
      throw Refusal(
        "\"scenario ui\" is not allowed in an automatic build, where it would never end",
        help:
          "use \"scenario run --report html=FILE\"; the variable \(variable) marks this as an automatic build"
      ).reported(.badArguments)
    }
    // Signals first: threads that are made later inherit what is blocked.
    let pipe = try EventPipe()
    defer { pipe.remove() }
    var loop = try WatchLoop(
      selection, network,
      adding: ["--report", "jsonl=\(pipe.path)"]
        + (execution.ordering.order == .file ? ["--order", "failed"] : []))
    loop.words = ["run"] + ViewingOptions.without(CommandLine.arguments.dropFirst(2))
    let redactor = selection.secrets.redactor(nil)
    let former = PassedCases(project: .current())
    let live = LiveRun(
      sources: redactor.redacted { ImportedSource.text(of: $0) },
      passed: { former.read($0) })
    let server = try viewing.server { path in
      switch path {
      case "": .init(type: "text/html; charset=utf-8", body: .bytes(live.page))
      case "events": .init(type: "text/event-stream", body: .events { live.progress.json })
      default: nil
      }
    }
    pipe.follow { live.take($0) }
    DetachedThread.start { server.serve() }
    try viewing.show(server)
    loop.whenRoundBegins = { live.begin(isWhole: $0) }
    loop.whenRoundEnds = { code in
      // What the terminal shows of a round that did not begin.
      let isRefused = code == ScenarioReport.ExitCode.invalidInput.rawValue
      live.end(code, mistakes: isRefused ? selection.review().input.mistakes : "")
      pipe.endRound()
    }
    try loop.run()
  }
}
