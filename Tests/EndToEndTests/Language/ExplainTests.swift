import Foundations
import Testing

@Suite("Explaining codes")
struct ExplainTests {
  private static let commands = DiagnosticCode.allCases.filter {
    if case .command? = $0.explanation.wrong { true } else { false }
  }

  /// Runs a command as a reader would type it, in a folder with one good file.
  private func shell(_ example: DiagnosticExplanation.Example?) throws -> BuiltRunner.Outcome {
    guard case .command(let command)? = example else { throw NoCommand() }
    let folder = try TemporaryFolder()
    folder.write("version: 2\ntarget: { command: [date] }\n", to: "checkout.yaml")
    let script = "PATH=$(dirname \"$0\"):$PATH; cd \(folder.path); \(command)"
    let outcome = try BuiltRunner.run([], prefix: ["sh", "-c", script])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private struct NoCommand: Error {}

  @Test("What is shown as wrong is reported with its code", arguments: commands)
  func wrong(code: DiagnosticCode) throws {
    let outcome = try shell(code.explanation.wrong)

    #expect(outcome.text.contains("[\(code.rawValue)]: "), "\(outcome.text)")
  }

  /// The codes whose right example is a command.
  private static let rightCommands = commands.filter {
    if case .command? = $0.explanation.right { true } else { false }
  }

  @Test("There are commands to show")
  func count() {
    #expect(Self.commands.count > 3 && Self.rightCommands.count > 3)
  }

  @Test("What is shown as right is well", arguments: rightCommands)
  func right(code: DiagnosticCode) throws {
    let outcome = try shell(code.explanation.right)

    outcome.expectExit(0)
    #expect(!outcome.text.contains("error["), "\(outcome.text)")
  }

  @Test("A code is explained with both examples")
  func explains() throws {
    let outcome = try BuiltRunner.run(["explain", "e021"])

    outcome.expectExit(0)
    #expect(outcome.output.hasPrefix("error[E021]: unknown key\n\n"))
    #expect(outcome.output.contains("\nwrong:\n    timout: 5s\n"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("\nright:\n    timeout: 5s\n"), "\(outcome.output)")
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("Without a code all of them are listed")
  func lists() throws {
    let outcome = try BuiltRunner.run(["explain"])

    outcome.expectExit(0)
    for code in DiagnosticCode.allCases {
      #expect(outcome.output.contains("  \(code.rawValue)  \(code.explanation.title)\n"))
    }
  }

  @Test("A code that is none is invalid input, with the nearest one")
  func unknown() throws {
    let outcome = try BuiltRunner.run(["explain", "E21"])

    outcome.expectExit(2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorOutput.contains("there is no code \"E21\""))
    #expect(outcome.errorOutput.contains("did you mean \"E021\"?"), "\(outcome.errorOutput)")
  }
}
