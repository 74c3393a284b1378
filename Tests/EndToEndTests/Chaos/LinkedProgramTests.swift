import Testing

/// Entries about programs that are started by another name than their executable file's.
@Suite("Programs of chaos entries through symbolic links and scripts")
struct LinkedProgramTests {
  private static func strikes(_ command: String, _ entry: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      name: programs
      target: { command: [bash, -c], files: { f: "a\\n" } }
      chaos:
        - { name: struck, \(entry) }
      steps:
        - exec:
            - bash
            - -c
            - |
              ln -s /bin/cat own-cat
              printf '#!/bin/sh\\n(read line < f); true\\n' > reader
              chmod +x reader
        - run:
            - |
              \(command)
              true
          expect: { exit: { between: [0, 255] } }

      """, to: "programs.yaml")
    let outcome = try BuiltRunner.run(["run", file])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static func opens(by process: String) -> String {
    "call: open, where: { path: f, process: \(process) }, provide: { error: EIO }"
  }

  @Test(
    "A program is found by its executable file, and by the name by which it was started",
    arguments: [
      ("./own-cat f", "own-cat"), ("./own-cat f", "cat"), ("./own-cat f", "'own-*'"),
      ("./own-cat f", "'/**/own-cat'"), ("./own-cat f", "'/**/bin/cat'"),
      ("PATH=$PWD:$PATH; own-cat f", "own-cat"), ("(exec -a other ./own-cat f)", "other"),
      ("(exec -a other ./own-cat f)", "own-cat"), ("./reader", "reader"),
      ("./reader", "'/**/reader'"), ("./reader", "sh"), ("sh ./reader", "sh"),
    ])
  func holds(command: String, process: String) throws {
    let outcome = try Self.strikes(command, Self.opens(by: process))
    outcome.expectExit(0)
  }

  @Test(
    "It is not found by another name, nor by the arguments of its interpreter",
    arguments: [
      ("./own-cat f", "own"), ("./own-cat f", "/own-cat"), ("cat f", "own-cat"),
      ("./reader", "read"), ("sh ./reader", "reader"),
    ])
  func fails(command: String, process: String) throws {
    let outcome = try Self.strikes(command, Self.opens(by: process))
    outcome.expectExit(1)
    #expect(outcome.text.contains("\"struck\" never fired"), "\(outcome.text)")
  }

  @Test("An entry about processes kills by either name, and tells which there were if by none")
  func killed() throws {
    for process in ["own-cat", "cat"] {
      let outcome = try Self.strikes(
        "./own-cat f", "process: \(process), provide: { kill: process }")
      outcome.expectExit(0)
    }

    let other = try Self.strikes("./own-cat f", "process: own, provide: { kill: process }")
    other.expectExit(1)
    #expect(other.text.contains("own-cat (cat) once"), "\(other.text)")
    let near = try Self.strikes("./own-cat f", Self.opens(by: "own"))
    #expect(near.text.contains("had the process own-cat (cat)"), "\(near.text)")
  }

  @Test("A signal reaches a program by either name, and tells which there were if by none")
  func signalled() throws {
    func signal(_ process: String) throws -> BuiltRunner.Outcome {
      let folder = try TemporaryFolder()
      let file = folder.write(
        """
        version: 2
        name: signals
        target: { command: [bash, -c, "ln -s /bin/cat own-cat; mkfifo f; echo up; ./own-cat f; exit 3"] }
        steps:
          - start:
          - wait: { stdout: up }
          - signal: { signal: TERM, process: \(process) }
          - wait: exit
        expect: { exit: 3 }

        """, to: "signals.yaml")
      let outcome = try BuiltRunner.run(["run", file])
      withExtendedLifetime(folder) {}
      return outcome
    }

    for process in ["own-cat", "cat"] {
      let outcome = try signal(process)
      outcome.expectExit(0)
    }
    let other = try signal("own")
    other.expectExit(1)
    #expect(other.text.contains("no process of the target runs \"own\""), "\(other.text)")
    #expect(other.text.contains("what runs: bash, cat, own-cat"), "\(other.text)")
  }

  @Test("A connection is that of the program by the name by which it was started")
  func connections() throws {
    func connect(
      _ process: String, exit: String = "{ between: [0, 255] }"
    ) throws -> BuiltRunner.Outcome {
      let folder = try TemporaryFolder()
      let file = folder.write(
        """
        version: 2
        name: connections
        target: { command: [bash, -c] }
        network: { unused: ignore }
        responses: [ { GET http://api.example.com/: { text: up } } ]
        chaos:
          - { name: struck, link: api.example.com, where: { process: \(process) }, provide: down }
        steps:
          - exec: [bash, -c, 'ln -s "$(command -v curl)" fetch']
          - run: [./fetch --silent http://api.example.com/]
            expect: { exit: \(exit) }

        """, to: "connections.yaml")
      let outcome = try BuiltRunner.run(["run", file])
      withExtendedLifetime(folder) {}
      return outcome
    }

    for process in ["fetch", "curl"] {
      let outcome = try connect(process)
      outcome.expectExit(0)
    }
    let other = try connect("fetc")
    other.expectExit(1)
    #expect(other.text.contains("\"struck\" never fired"), "\(other.text)")

    let down = try connect("fetch", exit: "0")
    down.expectExit(1)
    #expect(down.text.contains("down by chaos entry \"struck\""), "\(down.text)")
    #expect(!down.text.contains("answers it"), "\(down.text)")
  }
}
