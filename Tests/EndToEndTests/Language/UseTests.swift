import Glibc
import Testing

@Suite("Files that use others")
struct UseTests {
  private let folder: TemporaryFolder
  private let shared: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    shared = try TemporaryFolder()
  }

  private var sharedName: String {
    String(shared.path.split(separator: "/").last ?? "")
  }

  private func run(
    _ text: String, _ options: [String] = ["--root", "/tmp"], command: String = "run"
  ) throws -> BuiltRunner.Outcome {
    let path = folder.write("version: 2\n" + text, to: "main.yaml")
    return try BuiltRunner.run([command, path] + options)
  }

  private static let login = """
    version: 2
    target: { command: [./client.sh], files: { greeting: { file: greeting.txt } } }
    factories: { user: { fields: { name: Ada } } }
    responses:
      - GET http://api.test/user: { json: { $build: user } }
      - GET http://api.test/seldom: { text: seldom }
    chaos:
      - { name: seldom, call: fsync, provide: { error: EIO } }

    """

  /// The file that is used, and what lies beside it.
  private func writeShared() {
    shared.write(Self.login, to: "login.yaml")
    shared.write("good day", to: "greeting.txt")
    shared.write(
      "#!/bin/sh\ncat greeting; curl -s http://api.test/user\n", to: "client.sh", mode: 0o755)
  }

  @Test("Expectations of an included block that are not used are told of, and used ones count")
  func blocks() throws {
    shared.write(
      "version: 2\nblocks: { a: { steps: [{ run: }], expect: { exit: 3 } } }\n", to: "blocks.yaml")
    let text =
      "include: [../\(sharedName)/blocks.yaml]\ntarget: { command: \"true\" }\nsteps: [{ block: a }]\n"
    let unused = try run(text)
    let used = try run(text + "expect: { block: a }\n")

    unused.expectExit(0)
    #expect(
      unused.text.contains(
        "main.yaml:4:18: warning[W010]: \"expect\" of the block \"a\" is not used"),
      "\(unused.text)")
    used.expectExit(1)
    #expect(used.text.contains("exit code: expected 3"), "\(used.text)")
    #expect(!used.text.contains("warning"), "\(used.text)")
  }

  @Test("An unused block is told of where a target alone is run, and not where others include it")
  func unusedBlocks() throws {
    let text = "target: { command: \"true\" }\nblocks: { b: { expect: { exit: 7 } } }\n"
    let alone = try run(text, [], command: "check")
    shared.write("version: 2\n" + text, to: "base.yaml")
    let including = try run(
      "include: [../\(sharedName)/base.yaml]\nexpect: { block: b }\n",
      ["\(shared.path)/base.yaml", "--root", "/tmp"], command: "check")

    alone.expectExit(0)
    #expect(
      alone.text.contains("main.yaml:3:11: warning[W010]: the block \"b\" is not used"),
      "\(alone.text)")
    including.expectExit(0)
    #expect(!including.text.contains("W010"), "\(including.text)")
  }

  @Test("Target, fixtures, factories and replies come from the used file, and need not all be used")
  func parts() throws {
    writeShared()
    let text =
      "include: [../\(sharedName)/login.yaml]\nexpect: { stdout: 'good day{\"name\":\"Ada\"}' }\n"
    let outcome = try run(text)
    outcome.expectExit(0)

    let own = try run(
      text + "factories: { user: { fields: { name: Eve } } }\n")
    own.expectExit(1)
    #expect(own.output.contains("Eve"))
    // What the file itself says must be used, as ever.
    let unused = try run(text + "responses: [{ GET http://api.test/other: { text: x } }]\n")
    unused.expectExit(1)
    #expect(unused.output.contains("http://api.test/other"))
    let applied = try run(text + "steps: [{ apply: seldom }, { run: }]\n")
    applied.expectExit(1)
    #expect(applied.output.contains("\"seldom\" never fired"))
  }

  @Test(
    "A file that is missing is the one mistake, whatever it would have brought",
    arguments: [
      "expect: { exit: 0 }", "target: { command: [echo, \"${{ vars.who }}\"] }",
      "target: { command: [x] }\nsteps: [{ block: login }]",
      "target: { command: [x] }\nbuild: { user: { $build: user } }",
      "target: { command: [x] }\nsteps: [{ start: db }, { apply: slow }]",
    ])
  func missing(text: String) throws {
    let outcome = try run("include: [gone.yaml]\n\(text)\n", [], command: "check")

    outcome.expectExit(2)
    #expect(outcome.text.contains("does not exist"), "\(outcome.text)")
    #expect(outcome.text.contains("1 error; nothing was run"), "\(outcome.text)")
  }

  @Test("An own entry stands before a shared one for the same URL, in the short form as well")
  func ownResponses() throws {
    writeShared()
    let own = "responses: [{ GET http://api.test/user: { json: { name: Own } } }]\n"
    let text = "include: [../\(sharedName)/login.yaml]\n"
    let expected = "expect: { stdout: 'good day{\"name\":\"Own\"}' }\n"
    // Wherever the lines of the two files stand to each other.
    for padding in ["", "\n\n\n\n\n\n", "\n\n\n\n\n\n\n\n\n\n"] {
      let outcome = try run(text + padding + own + expected)
      outcome.expectExit(0)
    }
    let inScenario = try run(
      text + "scenarios:\n  - { name: a, \(own.dropLast()), \(expected.dropLast()) }\n")
    inScenario.expectExit(0)
    let other = try run(text + own.replacing("api.test", with: "other.test") + expected)
    other.expectExit(1)
  }

  @Test(
    "An entry of the file's top that a scenario says anew need not be asked for; others must be")
  func fileTop() throws {
    func text(_ url: String) -> String {
      """
      target: { command: [curl, -s, http://api.test/user] }
      responses: [ { GET http://api.test/user: { text: top } } ]
      scenarios:
        - { name: top, expect: { stdout: top } }
        - name: own
          responses:
            - GET http://\(url): { text: own }
          expect: { stdout: own }

      """
    }
    for url in ["api.test/user", "api.test/{any}", "*/**"] {
      let outcome = try run(text(url))
      outcome.expectExit(0)
    }
    let unasked = try run(
      text("api.test/user").replacing(
        "[ { GET", with: "[ { GET http://api.test/other: { text: top } }, { GET"))
    unasked.expectExit(1)
    #expect(unasked.output.contains("unused: no request matched \"GET http://api.test/other\""))
    let apart = try run(
      text("other.test/user").replacing("stdout: own", with: "stdout: top"))
    apart.expectExit(1)
    #expect(apart.output.contains("unused: no request matched \"GET http://other.test/user\""))
  }

  @Test("What a used file says of time, steps and the end is refused, not ignored")
  func untaken() throws {
    shared.write(Self.login + "clock: { flow: auto }\nexpect: { exit: 3 }\n", to: "login.yaml")
    let outcome = try run("include: [../\(sharedName)/login.yaml]\n")

    outcome.expectExit(2)
    #expect(
      outcome.errorOutput.contains(
        "main.yaml:2:11: error[E036]: \"clock\" and \"expect\" of \"../\(sharedName)/login.yaml\" have no effect"
      ), "\(outcome.text)")
  }

  @Test("A used file in another project is refused without --root")
  func roots() throws {
    writeShared()
    folder.write("", to: "scenario.yml")
    let text = "include: [../\(sharedName)/login.yaml]\n"
    let refused = try run(text, [])
    refused.expectExit(2)
    #expect(refused.errorOutput.contains("main.yaml:2:11: error[E036]:"))
    #expect(refused.errorOutput.contains("--root"))
    let link = "\(folder.path)/link.yaml"
    try #require(symlink("\(shared.path)/login.yaml", link) == 0)
    let linked = try run("include: [link.yaml]\n", [])
    linked.expectExit(2)
    let none = try run(text, ["--root", "\(folder.path)/nothing"])
    none.expectExit(2)
  }

  @Test("A file without scenarios is passed over in a folder and refused by its name")
  func sharedAlone() throws {
    folder.write(
      "version: 2\nresponses: [{ GET http://api.test/user: { text: x } }]\n", to: "login.yaml")
    folder.write(
      "version: 2\ninclude: [login.yaml]\ntarget: { command: [\"true\"] }\n", to: "main.yaml")
    let all = try BuiltRunner.run(["run", folder.path])
    all.expectExit(0)
    #expect(all.output.contains("1 passed, 0 failed"))
    #expect(all.errorOutput == "")
    for command in ["run", "check", "list"] {
      let alone = try BuiltRunner.run([command, "\(folder.path)/login.yaml"])
      alone.expectExit(2)
      #expect(alone.errorOutput.contains("login.yaml:1:1: error[E027]: the file has no scenarios"))
    }
    folder.write("version: 2\ntarget: { command: [\"true\"] }\n", to: "main.yaml")
    let warned = try BuiltRunner.run(["run", folder.path])
    warned.expectExit(0)
    #expect(warned.errorOutput.contains("warning[W022]: the file has no scenarios"))
  }

  @Test("Of a file that is only there for others, models are built and names completed")
  func sharedNames() throws {
    let mark = "A factory of this project."
    let path = folder.write(
      "version: 2\nfactories: { user: { fields: { name: Ada } } }\n", to: "shared.yaml")
    let built = try BuiltRunner.run(["build", path, "user"])
    built.expectExit(0)
    #expect(built.output.contains("\"name\": \"Ada\""), "\(built.text)")
    let schema = try BuiltRunner.run(["schema", path])
    schema.expectExit(0)
    #expect(schema.output.contains(mark))

    let main = folder.write(
      "version: 2\ninclude: [shared.yaml]\ntarget: { command: [\"true\"] }\n", to: "main.yaml")
    #expect(try BuiltRunner.run(["schema", main]).output.contains(mark))
    folder.write("version: 2\n", to: "shared.yaml")
    #expect(try !BuiltRunner.run(["schema", main]).output.contains(mark))
  }

  @Test("A file that only names another with a target runs that target")
  func targetAlone() throws {
    folder.write("version: 2\ntarget: { command: [echo, shared] }\n", to: "shared.yaml")
    folder.write("version: 2\ninclude: [shared.yaml]\n", to: "main.yaml")
    let all = try BuiltRunner.run(["run", folder.path])
    all.expectExit(0)
    #expect(all.output.contains("main.yaml › main"), "\(all.text)")
    #expect(all.output.contains("1 passed, 0 failed"), "\(all.text)")
    folder.write("version: 2\ntarget: { command: [\"false\"] }\n", to: "shared.yaml")
    let failing = try BuiltRunner.run(["run", folder.path])
    failing.expectExit(1)
  }

  @Test("A mistake is reported in the used file, with the place that uses it")
  func mistakes() throws {
    folder.write(
      "version: 2\nresponses: [{ GET http://api.test/user: { txt: x } }]\n", to: "login.yaml")
    let outcome = try run(
      "include: [login.yaml]\ntarget: { command: [\"true\"] }\n", command: "check")
    outcome.expectExit(2)
    #expect(
      outcome.errorOutput.contains("login.yaml:2:43: error[E021]: unknown key \"txt\""),
      "\(outcome.text)")
    #expect(outcome.errorOutput.contains("main.yaml:2:11: note: the file is included here"))
    #expect(outcome.errorOutput.contains("^^^"))
  }

  @Test("A mistake hides no other in a file that uses others, unless those could not be read")
  func besideBroken() throws {
    writeShared()
    let text = """
      include: [../\(sharedName)/login.yaml]
      timout: 5s
      build: { ada: { $build: user }, eve: { $build: usr } }

      """
    let whole = try run(text, command: "check").errorOutput
    #expect(whole.contains("main.yaml:3:1: error[E021]"), "\(whole)")
    #expect(whole.contains("main.yaml:4:48: error[E060]: unknown factory \"usr\""), "\(whole)")
    #expect(whole.contains("2 errors"), "\(whole)")

    shared.write(Self.login.replacing("factories: {", with: "factoris: {"), to: "login.yaml")
    let partial = try run(text, command: "check").errorOutput
    #expect(partial.contains("main.yaml:3:1: error[E021]"), "\(partial)")
    #expect(partial.contains("login.yaml:3:1: error[E021]"), "\(partial)")
    #expect(!partial.contains("E060"), "\(partial)")
  }
}
