import Testing

/// What authors are told of entries that name functions.
@Suite("Chaos in functions, as authors see it")
struct FunctionChaosTests {
  private func run(
    _ entry: String, command: String = "run", target: String = "[gzip, --version]"
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let text = """
      version: 2
      target: { command: \(target) }
      clock: { flow: auto }
      chaos:
        - { \(entry) }
      steps: [ { run: } ]

      """
    let outcome = try BuiltRunner.run([command, folder.write(text, to: "functions.yaml")])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("A function that is not there fails the scenario with what is near")
  func unmet() throws {
    // What a shell starts nobody knows before.
    let everywhere = try run("function: mallok, provide: nil", target: "gzip --version")
    let inLibrary = try run("function: malloc, in: libz, provide: nil")
    let met = try run("function: malloc, provide: original")

    everywhere.expectExit(1)
    #expect(
      everywhere.text.contains("no function \"mallok\" was found; nearest: malloc in libc.so.6"))
    inLibrary.expectExit(1)
    #expect(
      inLibrary.text.contains("no function \"malloc\" in \"libz\" was found; nearest: malloc in"))
    met.expectExit(0)
  }

  @Test("A function that a library of the program does not have is an error before anything runs")
  func impossible() throws {
    let misspelt = try run("function: mallok, in: libc, provide: nil", command: "check")
    let right = try run("function: malloc, in: libc, provide: nil", command: "check")
    let anywhere = try run("function: mallok, provide: nil", command: "check")

    anywhere.expectExit(2)
    #expect(
      anywhere.text.contains("/gzip\" nor its libraries have a function \"mallok\""),
      "\(anywhere.text)")
    #expect(anywhere.text.contains("help: did you mean \"malloc\"?"))
    misspelt.expectExit(2)
    #expect(
      misspelt.text.contains(
        "functions.yaml:5:17: error[E105]: \"/lib/x86_64-linux-gnu/libc.so.6\""))
    #expect(misspelt.text.contains("has no function \"mallok\""))
    #expect(misspelt.text.contains("help: did you mean \"malloc\"?"))
    right.expectExit(0)
  }

  @Test("The functions of a program beside the file are found where the runner is started there")
  func besideTheFile() throws {
    let folder = try TemporaryFolder()
    let copy = try BuiltRunner.command(
      ["cp", "\(BuiltRunner.root)/.build/programs/functions", "\(folder.path)/w"])
    folder.write(
      """
      version: 2
      target: { command: [./w, local, "3"] }
      chaos: [{ function: work, in: exe, provide: { constant: 7 } }]

      """, to: "own.yaml")
    let outcome = try BuiltRunner.run(
      ["run", "own.yaml"], prefix: ["env", "-C", folder.path])
    withExtendedLifetime(folder) {}

    copy.expectExit(0)
    outcome.expectExit(0)
  }

  @Test("A function that is there and is not called is reported with its library")
  func uncalled() throws {
    let outcome = try run("function: getaddrinfo, provide: nil")

    outcome.expectExit(1)
    #expect(outcome.text.contains("getaddrinfo in libc.so.6 was never called"))
  }

  @Test("A function whose calls are passed over is reported with their number")
  func passedOver() throws {
    let outcome = try run("function: malloc, where: { args: { 0: -7 } }, provide: nil")

    outcome.expectExit(1)
    #expect(outcome.text.contains("never matched \"where\""))
  }

  @Test("A thread that a function holds is reported with the function")
  func held() throws {
    let outcome = try run("function: malloc, provide: hang")

    outcome.expectExit(3)
    #expect(outcome.text.contains("is held before malloc by a chaos entry, forever"))
  }

  @Test("What a function cannot be given is refused before anything runs")
  func refused() throws {
    let outcome = try run("function: malloc, where: { path: x }, provide: nil", command: "check")

    outcome.expectExit(2)
    #expect(outcome.text.contains("functions.yaml:5:40: error[E101]: \"path\" is not a condition"))
    #expect(outcome.text.contains("help: match by"))
    try run("function: malloc, provide: nil", command: "check").expectExit(0)
  }
}
