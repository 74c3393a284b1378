import ArgumentParser
import Testing

@testable import scenario

@Suite("Help")
struct HelpTests {
  /// A command, and the names that lead to it.
  private typealias Named = (path: [String], command: CommandTree)

  /// All commands below the program but `help`.
  private func commands() throws -> [Named] {
    func below(_ tree: CommandTree, _ path: [String]) -> [Named] {
      tree.subcommands.filter { $0.name != "help" }.flatMap { command in
        [(path + [command.name], command)] + below(command, path + [command.name])
      }
    }
    let commands = below(try #require(CommandTree(of: ScenarioCommand.self)), [])
    try #require(commands.count > 20)
    return commands
  }

  /// The words of an example, up to what only a shell understands.
  private func words(of example: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in example {
      switch character {
      case quote:
        quote = nil
      case _ where quote != nil:
        word.append(character)
      case "'", "\"":
        quote = character
      case "(" where word.hasSuffix("$"):
        quote = ")"
      case " ":
        words.append(word)
        word = ""
      default:
        word.append(character)
      }
    }
    return (words + [word]).prefix { !["|", "<", ">"].contains($0) }.filter { !$0.isEmpty }
  }

  private func parse(_ words: [String]) throws -> any ParsableCommand {
    #expect(words.first == "scenario")
    return try CompletedArguments.parse(
      Array(words.dropFirst()), of: ScenarioCommand.self, warns: false)
  }

  @Test("The usage of each command is a command line that exists")
  func usage() throws {
    for (path, _) in try commands() {
      let help = try BuiltRunner.run(path + ["--help"])
      help.expectExit(0)
      let usage = "\nUSAGE: scenario \(path.joined(separator: " ")) "
      #expect((help.output + " ").replacing("\n\n", with: " \n").contains(usage), "\(help.output)")
    }
  }

  @Test("Each command has two to four examples of itself, which fit into a line")
  func examples() throws {
    for (path, command) in try commands() {
      let examples = command.discussion.examples
      #expect((2...4).contains(examples.count), "\(path)")
      let itself = "scenario \(path.joined(separator: " "))"
      #expect(examples.contains { $0 == itself || $0.hasPrefix(itself + " ") }, "\(path)")
      #expect(examples.allSatisfy { $0.count <= 78 }, "\(examples)")
    }
    let program = try #require(CommandTree(of: ScenarioCommand.self))
    #expect(!program.discussion.examples.isEmpty)
  }

  @Test("The program's own parser takes each example, and not with an option that it does not have")
  func parsing() throws {
    let program = try #require(CommandTree(of: ScenarioCommand.self)?.discussion.examples)
    for example in try commands().flatMap(\.command.discussion.examples) + program {
      let words = words(of: example)
      #expect(throws: Never.self, "\(example)") { try parse(words) }
      var wrong = words
      wrong.insert("--no-such-option", at: wrong.firstIndex(of: "--") ?? wrong.endIndex)
      guard words != ["scenario", "help", "run"] else { continue }
      #expect(throws: (any Error).self, "\(example)") { try parse(wrong) }
    }
  }

  @Test(
    "Examples that need nothing but a new project run there",
    arguments: ["config", "explain", "schema", "init", "upgrade"])
  func running(name: String) throws {
    let project = try ProjectFolder()
    try project.scenario(["init"]).expectExit(0)
    let examples = try commands().filter { $0.path == [name] }.flatMap(
      \.command.discussion.examples)
    #expect(!examples.isEmpty)
    for example in examples {
      let outcome = try project.scenario(Array(words(of: example).dropFirst()))
      #expect(outcome.exitCode == 0, "\(example): \(outcome.text)")
    }
  }

  @Test("The program's help has each command once, in groups")
  func groups() throws {
    let help = try BuiltRunner.run(["--help"]).output
    let headings = help.split(separator: "\n").filter { $0.hasSuffix(" SUBCOMMANDS:") }
    #expect(headings.count == ScenarioCommand.configuration.groupedSubcommands.count)
    #expect(ScenarioCommand.configuration.ungroupedSubcommands.isEmpty)
    for (path, _) in try commands() where path.count == 1 {
      let lines = help.split(separator: "\n").filter { $0.hasPrefix("  \(path[0]) ") }
      #expect(lines.count == 1, "\(path)")
    }
  }

  @Test("Commands with many options list them under titles, and few of them under none")
  func titles() throws {
    for (path, command) in try commands() {
      let untitled = command.parameters.filter { $0.isShown && $0.title == nil }
      #expect(untitled.count <= 14, "\(path): \(untitled.map(\.name))")
    }
    let help = try BuiltRunner.run(["run", "--help"]).output
    for title in ["SELECTION", "EXECUTION", "SHARDS", "REPORTS", "TERMINAL OUTPUT"] {
      #expect(help.contains("\n\(title):\n"), "\(title)")
    }
    let selection = try #require(help.firstRange(of: "\nSELECTION:\n"))
    let next = try #require(help[selection.upperBound...].firstRange(of: ":\n"))
    for option in ["--filter", "--tags", "--case", "--plan", "--test-list"] {
      #expect(help[selection.upperBound..<next.lowerBound].contains(option), "\(option)")
    }
  }

  @Test("A discussion is read as it was written")
  func discussion() {
    for discussion in [
      CommandDiscussion("What it does.\n\nAnd more.", examples: ["scenario run", "scenario list"]),
      CommandDiscussion(examples: ["scenario run"]), CommandDiscussion("Nothing.", examples: []),
    ] {
      #expect(CommandDiscussion(rendered: discussion.rendered) == discussion)
    }
  }
}
