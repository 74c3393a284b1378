import Foundation
import PackagePlugin

/// Embeds the style and the script of the HTML report in `ScenarioReport`, with the digests by which the
/// page's policy knows them.
///
/// The executable needs nothing beside it: a resource bundle would have to be installed with it.
@main
struct EmbedReportPage: BuildToolPlugin {
  /// The parts of the script in the order in which they are joined.
  private static let scripts = [
    "elements.js", "data.js", "query.js", "list.js", "choice.js", "timeline-model.js",
    "timeline-drawing.js", "timeline-view.js", "copy-forms.js", "messages.js", "requests.js",
    "output.js",
    "source.js", "baseline.js", "search.js", "detail.js", "view-state.js", "live.js", "main.js",
  ]

  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let root = context.package.directoryURL
    let page = root.appending(path: "Sources/ScenarioReport/HTML/Page")
    let script = root.appending(path: "Plugins/EmbedReportPage/embed.sh")
    let output = context.pluginWorkDirectoryURL.appending(path: "ReportPage+Parts.swift")
    let style = page.appending(path: "page.css")
    let parts = Self.scripts.map { page.appending(path: $0) }
    return [
      .buildCommand(
        displayName: "Embedding the page of the HTML report",
        executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path, style.path] + parts.map(\.path),
        inputFiles: [script, style] + parts,
        outputFiles: [output])
    ]
  }
}
