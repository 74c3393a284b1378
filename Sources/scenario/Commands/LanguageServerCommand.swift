internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import LanguageServer
internal import ScenarioCompiler
internal import ScenarioRunner

/// The command `scenario lsp`.
struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Run the language server for editors on standard input and output.",
    discussion: CommandDiscussion(
      """
      Implements the Language Server Protocol 3.17. Editors start it; the book's page on editors explains how. The \
      exit code is 0 if the client sent "shutdown" before it disconnected, otherwise 1.
      """,
      examples: [
        "scenario lsp",
        "scenario lsp --stdio",
      ]
    ).rendered)

  @Flag(help: "Accept and ignore: the transport is always standard input and output.")
  var stdio = false

  func run() throws {
    // A client that goes is seen by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    var options = SelectionOptions.plannerOptions(seed: nil)
    options.only = .ignored
    options.reportsUnused = true
    let files = WorkspaceFiles(
      folder: WorkingPath.folder ?? "/", access: .machine, options: options,
      scenarioFiles: { ScenarioFiles.below($0) })
    var loop = ServerLoop(
      LanguageServer(files, version: Version.text), over: StandardTransport())
    throw ArgumentParser.ExitCode(loop.run())
  }
}

/// Standard input and output as the way to a client.
private struct StandardTransport: LanguageTransport {
  private static let chunk = 65_536

  func receive(waits: Bool) -> TransportInput {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      if !waits {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, 0)
        if ready < 0, errno == EINTR { continue }
        guard ready > 0 else { return .nothing }
      }
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .closed }
      return .bytes(Array(buffer[..<count]))
    }
  }

  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
