import Testing

/// Conditions on paths where symbolic links lead to the file.
@Suite("Paths of chaos entries through symbolic links")
struct LinkedPathTests {
  private static func strikes(
    _ command: String, _ call: String, _ path: String
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      name: links
      target:
        command: [bash, -c]
        files: { real/f: "a\\n", f: "b\\n" }
      chaos:
        - { name: struck, call: \(call), where: { path: \(path) }, provide: { error: EIO } }
      steps:
        - exec: [bash, -c, "ln -s real cur; ln -s f l; ln -s ../f real/up; ln -s new dangling"]
        - run:
            - |
              \(command)
          expect: { exit: { between: [0, 255] } }

      """, to: "links.yaml")
    let outcome = try BuiltRunner.run(["run", file])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A condition holds for the path in the call and for the file that it leads to",
    arguments: [
      ("cat cur/f", "open", "real/f"), ("cat cur/f", "open", "cur/f"), ("cat l", "open", "f"),
      ("cat l", "open", "l"), ("cat real/up", "open", "f"), ("stat -L cur/f", "stat", "real/f"),
      ("stat -L l", "stat", "f"), ("rm cur/f", "unlink", "real/f"), ("rm l", "unlink", "l"),
      ("mv cur/f x", "rename", "real/f"), ("cd cur; cat f", "open", "real/f"),
      ("echo x > cur/new", "open", "real/new"), ("echo x > cur/f", "write", "cur/**"),
      ("echo x > cur/f", "write", "real/**"), ("echo x > l", "write", "l"),
      ("cat cur/f", "read", "cur/f"),
    ])
  func holds(command: String, call: String, path: String) throws {
    let outcome = try Self.strikes(command, call, path)
    outcome.expectExit(0)
  }

  @Test(
    "It does not hold for the file behind a link that the call does not follow, nor for another",
    arguments: [
      ("rm l", "unlink", "f"), ("stat l", "stat", "real/f"), ("mv l x", "rename", "f"),
      ("cat cur/f", "open", "f"), ("echo x > real/f", "write", "l"),
    ])
  func fails(command: String, call: String, path: String) throws {
    let outcome = try Self.strikes(command, call, path)
    #expect(outcome.text.contains("\"struck\" never fired"), "\(outcome.text)")
  }
}
