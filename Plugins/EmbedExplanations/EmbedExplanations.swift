import Foundation
import PackagePlugin

/// Embeds what `scenario explain` says of each diagnostic: one Markdown file for each code.
@main
struct EmbedExplanations: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let root = context.package.directoryURL
    let folder = root.appending(path: "Sources/Foundations/Diagnostics/Explanations")
    let script = root.appending(path: "Plugins/EmbedExplanations/embed.sh")
    let output = context.pluginWorkDirectoryURL.appending(path: "ExplanationTexts.swift")
    let pages = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "md" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    return [
      .buildCommand(
        displayName: "Embedding the explanations of diagnostics",
        executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + pages.map(\.path),
        inputFiles: [script] + pages,
        outputFiles: [output])
    ]
  }
}
