internal import ArgumentParser
internal import Foundations
internal import Glibc

/// What to write for a command line that cannot be parsed, where a word of it is one of other tools, or nearly right.
enum CommandLineHelp {
  /// Returns the help; `nil` where the parser has said all there is to say.
  static func help(for words: [String], of program: any ParsableCommand.Type) -> String? {
    guard let tree = CommandTree(of: program), let first = words.first else { return nil }
    let names = tree.subcommands.map(\.name)
    guard first.hasPrefix("-") || names.contains(first) || first == "help" else {
      return command(for: first, among: names)
    }
    for word in words.prefix(while: { $0 != "--" }) {
      let name = String(word.prefix { $0 != "=" })
      if let help = options[name] { return help }
    }
    return nil
  }

  private static func command(for word: String, among names: [String]) -> String {
    if PathText.yamlEnding(of: word) != nil || access(word, F_OK) == 0 {
      return "write \"scenario run \(word)\""
    }
    if let name = commands[word] { return "write \"scenario \(name)\"" }
    return Suggestion.question(for: word, in: names) ?? "\"scenario --help\" lists the commands"
  }

  /// The words of other tools for commands.
  private static let commands = [
    "lint": "check", "validate": "check", "verify": "check", "test": "run", "exec": "run",
    "format": "fmt", "watch": "run --watch", "help": "--help", "ls": "list", "version": "--version",
    "debug": "enter", "shell": "enter", "man": "manual", "man-page": "manual", "migrate": "upgrade",
  ]

  /// The options of other tools.
  private static let options = [
    "--no-color": "write \"--color never\"", "--no-colour": "write \"--color never\"",
    "--parallel": "write \"--jobs COUNT\"", "--workers": "write \"--jobs COUNT\"",
    "--dry-run": "\"scenario plan\" prints what a run would do",
    "--list": "\"scenario list\" prints the cases",
    "--grep": "write \"-k REGEX\"",
  ]
}
