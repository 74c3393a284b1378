internal import ArgumentParser
internal import Foundations
internal import ScenarioReport

/// Where a page is served, and whether a browser is started for it.
struct ViewingOptions: ParsableArguments {
  @Option(help: "Serve on this port; 0 is any free port.")
  var port: UInt16 = 0

  @Flag(inversion: .prefixedNo, help: "Start a browser.")
  var open = true

  /// A server at that port.
  ///
  /// - Throws: Exit code 3 if it cannot be listened on.
  func server(
    _ reply: @escaping @Sendable (_ path: String) -> PageServer.Reply?
  ) throws -> PageServer {
    do throws(ReportError) {
      return try PageServer(port: port, reply: reply)
    } catch {
      Console.report(error)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
  }

  /// Prints the address of what a server serves, and opens it, by a file that is gone once the browser has come.
  func show(_ server: PageServer) throws {
    try Console.print(server.address + "\n")
    guard open, BrowserLaunch(server.address, variables: ProcessEnvironment.all) != nil else {
      return
    }
    guard let file = RedirectFile(to: server.address) else {
      Console.report(
        Diagnostic(
          "cannot create the file in \"\(ProcessEnvironment.temporaryFolder)\" that opens the report in the browser",
          code: .unwrittenReport, at: nil,
          help: "open the address yourself, or set TMPDIR to a writable folder"))
      return
    }
    server.whenFirstServed { file.remove() }
    launch(file.address)
  }

  /// Prints an address, and opens it.
  func show(_ address: String) throws {
    try Console.print(address + "\n")
    if open { launch(address) }
  }

  private func launch(_ address: String) {
    guard let launch = BrowserLaunch(address, variables: ProcessEnvironment.all) else {
      return
    }
    let number = launch.start()
    guard number != 0 else { return }
    Console.report(
      Diagnostic(
        "the browser \"\(launch.command.first ?? "")\" cannot start: \(SystemText.error(number))",
        code: .badArguments, at: nil, help: "open the address yourself, or correct BROWSER"))
  }

  /// The words of a command line without these options and their values.
  static func without(_ words: some Sequence<String>) -> [String] {
    var result: [String] = []
    var isValue = false
    var isBehindOptions = false
    for word in words {
      if isValue {
        isValue = false
      } else if isBehindOptions {
        result.append(word)
      } else if word == "--port" {
        isValue = true
      } else if !["--open", "--no-open"].contains(word), !word.hasPrefix("--port=") {
        isBehindOptions = word == "--"
        result.append(word)
      }
    }
    return result
  }
}
