internal import ArgumentParser
internal import ScenarioReport

/// The command `scenario completions`.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completion script for a shell.",
    discussion: CommandDiscussion(examples: [
      "scenario completions bash > /etc/bash_completion.d/scenario",
      "scenario completions zsh > \"${fpath[1]}/_scenario\"",
      "scenario completions fish > ~/.config/fish/completions/scenario.fish",
    ]).rendered)

  /// The shells that there are scripts for.
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash
    case zsh
    case fish
  }

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  private static let comparison = #"IFS=$'\n' compgen "${@}" -- "${cur}""#
  private static let plainComparison =
    #"plain="${cur#[\"\']}"; IFS=$'\n' compgen "${@}" -- "${plain//\\/}""#

  func run() throws {
    let shell: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    var script = ScenarioCommand.completionScript(for: shell)
    if shell == .bash {
      // What was typed is quoted as on the command line, and what it is compared with is not.
      script = script.replacing(Self.comparison, with: Self.plainComparison)
    }
    try Console.print(script.hasSuffix("\n") ? script : script + "\n", content: .verbatim)
  }
}
