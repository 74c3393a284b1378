import Foundations
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("Files that use others")
struct FileJoinerTests {
  /// A machine with these files below /p, whose project is /p.
  private struct Machine {
    var files: [String: String]
    var links: [String: String] = [:]
    var marks: Set<String> = ["/p/.git"]

    var access: FileAccess {
      let files = Dictionary(uniqueKeysWithValues: files.map { ("/p/" + $0, $1) })
      let links = links
      let marks = marks
      @Sendable func resolved(_ path: String) -> String { links[path] ?? path }
      let folders = Set(
        files.keys.flatMap { path in
          path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
        })
      return FileAccess { path in
        files[resolved(path)].map { .bytes(Array($0.utf8)) } ?? .problem("\"\(path)\" is gone")
      } canonicalPath: { path in
        let path = resolved(path)
        let isThere = files[path] != nil || marks.contains(path) || folders.contains(path)
        return isThere ? path : nil
      }
    }

    /// Reads, joins and plans one file.
    func plan(
      _ path: String = "main.yaml", root: String? = nil
    ) throws -> (plan: ExecutionPlan?, diagnostics: [Diagnostic], joiner: FileJoiner) {
      let text = try #require(files[path])
      let read = ScenarioFile.parse(text: text, path: "/p/" + path)
      let file = try #require(read.file, "\(read.diagnostics.map(\.message))")
      var joiner = FileJoiner(access, root: root)
      joiner.know(file, path: file.path)
      let joined = joiner.join(file)
      var options = PlannerOptions(fileExists: { [access] in access.canonicalPath($0) != nil }) {
        [access] path in
        if case .bytes(let bytes) = access.read(path) { bytes } else { nil }
      }
      options.reportsUnused = true
      let (plan, diagnostics) = Planner.plan(files: [joined], options: options)
      return (joiner.diagnostics.isEmpty ? plan : nil, joiner.diagnostics + diagnostics, joiner)
    }

    func errors(_ path: String = "main.yaml", root: String? = nil) throws -> [Diagnostic] {
      try plan(path, root: root).diagnostics
    }
  }

  private static func file(_ text: String) -> String { "version: 2\n" + text }

  private static let main = file("include: [shared/a.yaml]\ntarget: { command: [x] }\n")

  @Test("What is shared stands behind the file's own, a target in its place")
  func parts() throws {
    let machine = Machine(files: [
      "main.yaml": Self.file(
        """
        include: [shared/a.yaml]
        responses: [{ GET https://h/own: { text: x } }]
        chaos: [{ name: own, call: close, provide: { error: EIO } }]
        factories: { user: { fields: { name: Own } } }
        build: { user: { $build: user }, order: { $build: order } }
        scenarios:
          - name: a
            target: { command: [y, "${{ build.user.name }}", "${{ build.order.id }}"] }
          - name: b
        """),
      "shared/a.yaml": Self.file(
        """
        target: { command: [./shared], env: { A: b } }
        responses: [{ GET https://h/shared: { text: x } }]
        chaos:
          - { name: shared, call: open, provide: { error: EIO } }
          - { name: own, call: open, provide: { error: EIO } }
        factories: { user: { fields: { name: Shared } }, order: { fields: { id: { $seq: orders } } } }
        sequences: { orders: 100 }
        """),
    ])
    let result = try machine.plan()

    #expect(result.diagnostics.map(\.message) == [])
    let cases = try #require(result.plan).cases
    #expect(cases.map(\.name) == ["a", "b"])
    #expect(cases[0].target.command.map(\.literal) == ["y", "Own", "100"])
    #expect(cases[0].target.folder == nil)
    #expect(cases[1].target.command.map(\.literal) == ["./shared"])
    #expect(cases[1].target.folder == "/p/shared")
    #expect(
      cases[0].network?.responses.map(\.name) == ["GET https://h/own", "GET https://h/shared"])
    #expect(cases[0].chaos.map(\.name) == ["own", "shared"])
    #expect(cases[0].steps.map(\.action) == [.run(arguments: [])])
    #expect(cases[0].usedFiles == ["/p/shared/a.yaml"])
  }

  @Test(
    "What a used file says in vain is an error that names it, in a file that is used by that one as well"
  )
  func untaken() throws {
    let shared = """
      name: shared
      responses: [{ GET https://h/shared: { text: x } }]
      clock: { flow: held }
      expect: { exit: 3 }
      timeout: 5s
      """
    let machine = Machine(files: [
      "main.yaml": Self.main, "shared/a.yaml": Self.file(shared),
      "deep.yaml": Self.file("include: [middle.yaml]\ntarget: { command: [x] }\n"),
      "middle.yaml": Self.file("include: [shared/a.yaml]\n"),
    ])

    let direct = try machine.errors()
    #expect(
      direct.map(\.message) == [
        "\"clock\", \"expect\" and \"timeout\" of \"shared/a.yaml\" have no effect here"
      ])
    #expect(direct.first?.code == .badUse)
    #expect(direct.first?.range?.file == "/p/main.yaml")
    #expect(direct.first?.notes.map(\.range?.line) == [4, 5, 6])
    #expect(try machine.errors("deep.yaml").first?.range?.file == "/p/middle.yaml")
  }

  @Test(
    "Each key that is not taken over is reported, and each that is taken over is not",
    arguments: [
      ("steps: [{ run: }]", false), ("network: { unused: warn }", false), ("seed: 1", false),
      ("tags: [a]", false), ("build: { a: 1 }", false), ("matrix: { a: [1] }", false),
      ("cleanup: [{ exec: [x] }]", false), ("skip: later", false), ("retries: 1", false),
      ("exclusive: db", false), ("entropy: seeded", false),
      ("factories: { a: { fields: { b: 1 } } }", true), ("sequences: { a: 1 }", true),
      ("chaos: [{ name: a, call: open, provide: { error: EIO } }]", true),
      ("folder: .", true), ("name: a", true),
    ])
  func takenKeys(text: String, isTaken: Bool) throws {
    let machine = Machine(files: ["main.yaml": Self.main, "shared/a.yaml": Self.file(text)])

    let messages = try machine.errors().filter { $0.code == .badUse }.map(\.message)
    let key = text.prefix { $0 != ":" }
    #expect(
      messages == (isTaken ? [] : ["\"\(key)\" of \"shared/a.yaml\" has no effect here"]))
  }

  @Test("Paths in a used file count from its own folder")
  func paths() throws {
    let machine = Machine(files: [
      "main.yaml": Self.file("include: [shared/a.yaml]\nbuild: { base: { $build: base } }\n"),
      "shared/a.yaml": Self.file(
        """
        target: { command: [x], files: { a: { file: data.json } } }
        responses: [{ GET https://h/x: { file: data.json } }]
        factories: { base: { fields: { data: { $file: data.json } } } }
        """),
      "shared/data.json": "{\"a\": 1}",
    ])
    let result = try machine.plan()

    #expect(result.diagnostics.map(\.message) == [])
    let planned = try #require(result.plan?.cases.first)
    #expect(planned.target.files.map(\.content) == [.copy(path: "/p/shared/data.json")])
    let reply = planned.network?.responses.first?.replies.first
    #expect(reply?.body == .file(path: "/p/shared/data.json"))
    var moved = machine
    moved.files["data.json"] = moved.files.removeValue(forKey: "shared/data.json")
    #expect(try moved.plan().plan == nil)
  }

  @Test("Files use others in turn, and what is nearer wins")
  func nesting() throws {
    let machine = Machine(files: [
      "main.yaml": Self.main
        + "build: { u: { $build: user } }\nexpect: { stdout: \"${{ build.u.name }}\" }\n",
      "shared/a.yaml": Self.file(
        "include: [../b.yaml]\nfactories: { user: { fields: { name: A } } }\n"),
      "b.yaml": Self.file("factories: { user: { fields: { name: B } } }\n"),
    ])
    let result = try machine.plan()

    #expect(result.diagnostics.map(\.message) == [])
    #expect(result.plan?.cases.first?.usedFiles == ["/p/shared/a.yaml", "/p/b.yaml"])
    guard case .standardOutput(let matcher)? = result.plan?.cases.first?.expect.first?.subject
    else {
      Issue.record("no expectation")
      return
    }
    #expect(matcher.condition == .equals(.value(.string("A"))))
  }

  @Test("What an included file overrides it does not inherit from those that it includes itself")
  func override() throws {
    func responses(_ override: String) throws -> [String] {
      let machine = Machine(files: [
        "main.yaml": Self.main,
        "shared/a.yaml": Self.file(
          "include: [z.yaml]\n\(override)responses: [{ GET https://h/a: { text: x } }]\n"),
        "shared/z.yaml": Self.file(
          """
          responses: [{ GET https://h/z: { text: x } }]
          chaos: [{ name: z, call: open, provide: { error: EIO } }]
          """),
      ])
      let result = try machine.plan()
      #expect(result.diagnostics.map(\.message) == [])
      let planned = try #require(result.plan?.cases.first)
      #expect(planned.chaos.map(\.name) == (override.contains("chaos") ? [] : ["z"]))
      return planned.network?.responses.map(\.name) ?? []
    }

    #expect(try responses("") == ["GET https://h/a", "GET https://h/z"])
    #expect(try responses("override: [responses]\n") == ["GET https://h/a"])
    #expect(try responses("override: [responses, chaos]\n") == ["GET https://h/a"])
  }

  @Test("A file that is reached in two ways is read once, and is no clash")
  func diamond() throws {
    let machine = Machine(
      files: [
        "main.yaml": Self.file("include: [a.yaml, b.yaml, link.yaml]\ntarget: { command: [x] }\n"),
        "a.yaml": Self.file("include: [c.yaml]\n"),
        "b.yaml": Self.file("include: [./c.yaml]\n"),
        "c.yaml": Self.file(
          """
          factories: { user: { fields: { name: C } } }
          responses: [{ GET https://h/c: { text: x } }]
          chaos: [{ call: close, provide: { error: EIO } }]
          """),
      ], links: ["/p/link.yaml": "/p/c.yaml"])
    let result = try machine.plan()

    #expect(result.diagnostics.map(\.message) == [])
    #expect(result.plan?.cases.first?.network?.responses.count == 1)
    #expect(result.plan?.cases.first?.chaos.count == 1)
    #expect(result.joiner.sources.keys.sorted() == ["/p/a.yaml", "/p/b.yaml", "/p/c.yaml"])
  }

  @Test(
    "Two files that bring different things of one name are an error with both places",
    arguments: [
      ("factories: { user: { fields: { name: X } } }", "factory \"user\""),
      ("sequences: { user: 1 }", "sequence \"user\""),
      ("chaos: [{ name: user, call: close, provide: { error: EIO } }]", "chaos entry \"user\""),
    ])
  func clash(_ text: String, _ what: String) throws {
    let machine = Machine(files: [
      "main.yaml": Self.file("include: [a.yaml, b.yaml]\ntarget: { command: [x] }\n"),
      "a.yaml": Self.file(text + "\n"), "b.yaml": Self.file("\n" + text + "\n"),
    ])
    let errors = try machine.errors()

    #expect(
      errors.map(\.message) == [
        "the \(what) is defined in two included files: \"/p/a.yaml\" and \"/p/b.yaml\""
      ])
    #expect(errors[0].range?.file == "/p/main.yaml")
    #expect(errors[0].notes.map(\.range?.file) == ["/p/a.yaml", "/p/b.yaml"])
    var mended = machine
    mended.files["main.yaml"] = (mended.files["main.yaml"] ?? "") + text
    #expect(try mended.plan().plan != nil)
  }

  @Test("Two targets are an error unless the file has its own")
  func targets() throws {
    let machine = Machine(files: [
      "main.yaml": Self.file("include: [a.yaml, b.yaml]\nexpect: { exit: 0 }\n"),
      "a.yaml": Self.file("target: { command: [a] }\n"),
      "b.yaml": Self.file("target: { command: [b] }\n"),
    ])
    #expect(
      try machine.errors().map(\.message) == [
        "two included files define a target: \"/p/a.yaml\" and \"/p/b.yaml\""
      ])
    var mended = machine
    mended.files["main.yaml"] = (mended.files["main.yaml"] ?? "") + "target: { command: [c] }\n"
    #expect(try mended.plan().plan?.cases.first?.target.command.map(\.literal) == ["c"])
  }

  @Test("A circle is refused with its chain, once")
  func circles() throws {
    let machine = Machine(files: [
      "main.yaml": Self.main, "shared/a.yaml": Self.file("include: [b.yaml]\n"),
      "shared/b.yaml": Self.file("include: [a.yaml]\n"),
      "self.yaml": Self.file("include: [self.yaml]\n"),
    ])
    let errors = try machine.errors()
    #expect(
      errors.map(\.message) == [
        "circular \"include\": /p/shared/a.yaml → /p/shared/b.yaml → /p/shared/a.yaml"
      ])
    #expect(errors[0].range?.description == "/p/shared/b.yaml:2:11")
    #expect(errors[0].notes.map { $0.range?.description } == ["/p/shared/a.yaml:2:11"])
    let own = try machine.errors("self.yaml").map(\.message)
    #expect(own.first == "circular \"include\": /p/self.yaml → /p/self.yaml")
  }

  @Test(
    "A mistake of a file that is read again for its blocks is told once, and one of a block too")
  func toldOnceWithBlocks() throws {
    let path = "/p/main.yaml"
    func messages(_ text: String, block: String) throws -> [String] {
      let machine = Machine(files: [
        "main.yaml": text, "b.yaml": Self.file("blocks: { go: { \(block) } }\n"),
      ])
      let first = ScenarioFile.parsePart(bytes: Array(text.utf8), path: path)
      var joiner = FileJoiner(machine.access)
      _ = joiner.join(try #require(first.file))
      return (first.diagnostics + joiner.diagnostics).map(\.message)
    }
    let text = Self.file(
      "include: [b.yaml]\ntarget: { command: [x]TIMEOUT }\nsteps: [{ block: go }]\n")

    let broken = text.replacing("TIMEOUT", with: ", timeout: 3")
    #expect(
      try messages(broken, block: "steps: [{ start: }]") == [
        "unknown key \"timeout\" in \"target\""
      ])
    let right = text.replacing("TIMEOUT", with: "")
    #expect(
      try messages(right, block: "steps: [{ rnu: }]") == ["unknown key \"rnu\" in a step"])
  }

  @Test(
    "What a block of a used file does not read is told for that file, and for none that uses it")
  func unusedOfBlock() throws {
    let block = Self.file(
      "blocks: { go: { params: { own: 1 }, steps: [{ start: }] } }\n")
    let machine = Machine(files: [
      "main.yaml": Self.file(
        "include: [b.yaml]\ntarget: { command: [x] }\nsteps: [{ block: go }]\n"),
      "b.yaml": block,
    ])

    #expect(try machine.plan().diagnostics.map(\.message) == [])
    #expect(ScenarioFile.parse(text: block, path: "b.yaml").diagnostics.map(\.code) == [.unused])
  }

  @Test("Nothing outside the project is used, also through a link, unless the root is widened")
  func roots() throws {
    var machine = Machine(
      files: [
        "main.yaml": Self.main, "shared/a.yaml": Self.file(""),
        "sub/main.yaml": Self.file("include: [../shared/a.yaml]\ntarget: { command: [x] }\n"),
      ])
    #expect(try machine.plan("sub/main.yaml").plan != nil)
    machine.marks = ["/p/sub/scenario.yml"]
    let errors = try machine.errors("sub/main.yaml")
    #expect(
      errors.map(\.message) == [
        "\"../shared/a.yaml\" is outside of the project's folder \"/p/sub\""
      ]
    )
    #expect(errors[0].help?.contains("--root") == true)
    #expect(try machine.plan("sub/main.yaml", root: "/p").plan != nil)
    machine.marks = []
    #expect(try machine.plan().plan != nil)
    #expect(try machine.plan("sub/main.yaml").plan == nil)
    machine.links = ["/p/shared/a.yaml": "/etc/a.yaml"]
    machine.marks = ["/etc/a.yaml"]
    #expect(
      try machine.errors().map(\.message) == [
        "\"shared/a.yaml\" is outside of the project's folder \"/p\""
      ])
  }

  @Test("A mistake in a used file is told there, with the place of its use, and once")
  func mistakes() throws {
    var machine = Machine(files: [
      "main.yaml": Self.main + "scenarios: [{ name: a }, { name: b }]\n",
      "shared/a.yaml": Self.file(
        "responses: [{ GET https://h/x: { text: \"${{ nothing }}\" } }]\n"),
    ])
    let errors = try machine.errors()
    #expect(errors.map(\.message) == ["unknown name \"nothing\""])
    #expect(errors[0].range?.file == "/p/shared/a.yaml")
    #expect(errors[0].notes.last?.range?.description == "/p/main.yaml:2:11")

    machine.files["shared/a.yaml"] = Self.file("respones: []\n")
    let broken = try machine.errors()
    #expect(broken.map(\.message) == ["unknown key \"respones\" in the file"])
    #expect(broken[0].notes.last?.range?.description == "/p/main.yaml:2:11")

    machine.files["shared/a.yaml"] = nil
    #expect(try machine.errors().map(\.message) == ["the file \"/p/shared/a.yaml\" does not exist"])
    machine.files["main.yaml"] = Self.file(
      "include: [b.yaml, ./b.yaml]\ntarget: { command: [x] }\n")
    machine.files["b.yaml"] = Self.file("")
    #expect(try machine.errors().map(\.message) == ["\"./b.yaml\" is used twice"])
  }

  @Test("A mistake in what a file uses is reported once, also where the file is used itself")
  func toldOnce() throws {
    let machine = Machine(files: [
      "main.yaml": Self.file("include: [b.yaml]\ntarget: { command: [x] }\n"),
      "b.yaml": Self.file("include: [gone.yaml]\ntarget: { command: [y] }\n"),
    ])
    var joiner = FileJoiner(machine.access)
    for path in ["main.yaml", "b.yaml"] {
      let text = try #require(machine.files[path])
      let file = try #require(ScenarioFile.parse(text: text, path: "/p/" + path).file)
      joiner.know(file, path: file.path)
      _ = joiner.join(file)
    }
    #expect(joiner.diagnostics.map(\.message) == ["the file \"/p/gone.yaml\" does not exist"])
  }

  @Test("Nobody need build from the factories of a used file, but from its own")
  func unused() throws {
    let machine = Machine(files: [
      "main.yaml": Self.main + "factories: { own: { fields: { a: 1 } } }\n",
      "shared/a.yaml": Self.file("factories: { shared: { fields: { a: 1 } } }\n"),
    ])
    #expect(try machine.plan().diagnostics.map(\.message) == ["the factory \"own\" is not used"])
  }

  @Test("A plan changes with what a used file says")
  func plans() throws {
    var machine = Machine(files: [
      "main.yaml": Self.main,
      "shared/a.yaml": Self.file("responses: [{ GET https://h/x: { status: 201 } }]\n"),
    ])
    let first = try machine.plan().plan?.jsonText()
    #expect(try machine.plan().plan?.jsonText() == first)
    machine.files["shared/a.yaml"] = machine.files["shared/a.yaml"]?.replacing("201", with: "202")
    #expect(try machine.plan().plan?.jsonText() != first)
  }
}
