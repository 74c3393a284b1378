import Foundations
import OrderedCollections
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("A matrix makes cases")
struct MatrixTests {
  private static let target = "target: { command: [./program, \"${{ matrix.plan }}\"] }\n"

  private func cases(_ yaml: String) throws -> [PlannedCase] {
    let result = try Samples.plan(yaml)
    #expect(result.diagnostics.map(\.message) == [])
    return try #require(result.plan).cases
  }

  private func names(_ matrix: String) throws -> [String] {
    try cases("name: a\ntarget: { command: [x] }\nmatrix: \(matrix)").map(\.name)
  }

  @Test("Lists are combined each with each, the last one running fastest")
  func combinations() throws {
    #expect(
      try names("{ plan: [basic, pro], region: [eu, us] }") == [
        "a [plan=basic, region=eu]", "a [plan=basic, region=us]", "a [plan=pro, region=eu]",
        "a [plan=pro, region=us]",
      ])
  }

  @Test("Names tell text from what it looks like")
  func labels() throws {
    #expect(
      try names("{ n: [1, \"1\", true, \"true\", \"a, b\", \"\", null, { k: [v] }, plain text] }")
        == [
          "a [n=1]", "a [n=\"1\"]", "a [n=true]", "a [n=\"true\"]", "a [n=\"a, b\"]", "a [n=\"\"]",
          "a [n=null]", "a [n={\"k\":[\"v\"]}]", "a [n=plain text]",
        ])
  }

  /// The example in GitHub's documentation of `jobs.<job_id>.strategy.matrix.include`.
  @Test("Entries of include are added as GitHub Actions adds them")
  func include() throws {
    let matrix = """
      { fruit: [apple, pear], animal: [cat, dog], include: [{ color: green }, { color: pink, \
      animal: cat }, { fruit: apple, shape: circle }, { fruit: banana }, { fruit: banana, animal: cat }] }
      """
    #expect(
      try names(matrix) == [
        "a [fruit=apple, animal=cat, color=pink, shape=circle]",
        "a [fruit=apple, animal=dog, color=green, shape=circle]",
        "a [fruit=pear, animal=cat, color=pink]", "a [fruit=pear, animal=dog, color=green]",
        "a [fruit=banana]", "a [fruit=banana, animal=cat]",
      ])
  }

  @Test("Entries of exclude take out every row that has their values")
  func exclude() throws {
    #expect(
      try names("{ a: [1, 2], b: [1, 2], exclude: [{ a: 1 }, { a: 2, b: 1 }] }") == ["a [a=2, b=2]"]
    )
  }

  @Test("A matrix of nothing but include has its entries as rows")
  func includeAlone() throws {
    #expect(try names("{ include: [{ a: 1 }, { b: 2 }] }") == ["a [a=1]", "a [b=2]"])
  }

  @Test("Values keep their kinds, wherever expressions stand")
  func values() throws {
    let planned = try cases(
      """
      target:
        command: [./program, "${{ matrix.row.plan }}"]
        env: { PRICE: "${{ matrix.row.price * 2 }}" }
        files: { a.json: { json: "${{ matrix.row }}" } }
      matrix: { row: [{ plan: basic, price: 4 }] }
      expect: { stdout: { json: { $.price: "${{ matrix.row.price }}" } } }
      """)[0]

    #expect(planned.target.command.map(\.literal) == ["./program", "basic"])
    #expect(planned.target.environment.map(\.value.literal) == ["8"])
    guard case .json(let data)? = planned.target.files.first?.content else {
      Issue.record("no file")
      return
    }
    #expect(data.literal == .map(["plan": .string("basic"), "price": .integer(4)]))
  }

  @Test("Each row draws random values of its own, and always the same")
  func seeds() throws {
    let text = """
      name: a
      target: { command: [x, "${{ build.id }}"] }
      build: { id: { $uuid: true } }
      matrix: { plan: [basic, pro] }
      """
    let first = try cases(text).map { $0.target.command[1].literal }
    let second = try cases(text).map { $0.target.command[1].literal }

    #expect(first == second)
    #expect(first[0] != first[1])
  }

  @Test("The cases of all rows are counted")
  func indices() throws {
    let planned = try cases(
      """
      target: { command: [x, "${{ scenario.index }}", "${{ scenario.name }}"] }
      scenarios: [{ name: a, matrix: { n: [1, 2] } }, { name: b }]
      """)
    #expect(planned.map { $0.target.command[1].literal } == ["0", "1", "2"])
    #expect(planned.map { $0.target.command[2].literal } == ["a [n=1]", "a [n=2]", "b"])
  }

  @Test(
    "Mistakes of a matrix are told where they stand",
    arguments: [
      ("{ a: [1, 2], exclude: [{ b: 1 }] }", "\"matrix\" has no list \"b\""),
      ("{ a: [1, 2], exclude: [{ a: 3 }] }", "the entry of \"exclude\" matches no row"),
      ("{ a: [1], exclude: [{ a: 1 }] }", "\"exclude\" removes every row of \"matrix\""),
      ("[{ a: 1, b: 2 }, { b: 2, a: 1 }]", "\"matrix\" has the same row twice"),
      ("{ a: [1], include: [{ a: 2 }, { a: 2 }] }", "\"matrix\" has the same row twice"),
    ])
  func mistakes(_ matrix: String, _ message: String) throws {
    let errors = try Samples.errors("target: { command: [x] }\nmatrix: \(matrix)")
    #expect(errors.map(\.message) == [message])
    #expect(errors[0].range?.line == 2)
    #expect(errors[0].help != nil)
  }

  @Test("More rows than anybody would run are refused, however many that are")
  func limit() throws {
    let list = "[" + (0..<200).map(String.init).joined(separator: ", ") + "]"
    let axes = (0..<12).map { "a\($0): \(list)" }.joined(separator: ", ")
    for matrix in ["{ a: \(list), b: \(list) }", "{ \(axes) }"] {
      let errors = try Samples.errors("target: { command: [x] }\nmatrix: \(matrix)")
      #expect(errors.map(\.message) == ["\"matrix\" has more than 10000 rows"])
    }
    #expect(
      try names("{ a: \(list), b: [\((0..<50).map(String.init).joined(separator: ", "))] }").count
        == 10_000)
  }

  @Test(
    "A name that the matrix does not have is reported with those that it has, once for all rows")
  func unknownNames() throws {
    let errors = try Samples.errors(Self.target + "matrix: { plans: [a, b] }")
    #expect(errors.map(\.message) == ["the row of \"matrix\" has no \"plan\""])
    #expect(errors[0].help?.contains("did you mean \"plans\"?") == true)
    let none = try Samples.errors(Self.target)
    #expect(none.map(\.message) == ["the scenario \"test\" has no matrix"])
    let some = try Samples.errors(Self.target + "matrix: [{ plan: a }, { region: b }]")
    #expect(some.map(\.message) == ["the row of \"matrix\" has no \"plan\""])
  }

  private static let listed = """
    target: { command: [x] }
    scenarios:
      - name: a
        matrix:
          - plan: basic
            price: 1
          - plan: pro
      - name: b
        matrix: { n: [1, 2] }
    """

  @Test(
    "A line picks its scenario's rows, or the one row that is written there",
    arguments: [
      (3, ["a [plan=basic, price=1]", "a [plan=pro]"]),
      (4, ["a [plan=basic, price=1]", "a [plan=pro]"]), (5, ["a [plan=basic, price=1]"]),
      (6, ["a [plan=basic, price=1]"]), (7, ["a [plan=pro]"]), (9, ["b [n=1]", "b [n=2]"]),
    ])
  func lines(_ line: Int, _ names: [String]) throws {
    let result = try Samples.plan(
      Self.listed, selections: [Selection(path: "test.yaml", line: line)])
    #expect(result.plan?.cases.map(\.name) == names)
  }

  @Test("A row of the file's own matrix is picked in each scenario")
  func linesAtTheTop() throws {
    let text = """
      target: { command: [x] }
      matrix:
        - n: 1
        - n: 2
      scenarios: [{ name: a }, { name: b }]
      """
    let result = try Samples.plan(text, selections: [Selection(path: "test.yaml", line: 4)])
    #expect(result.plan?.cases.map(\.name) == ["a [n=2]", "b [n=2]"])
    let none = try Samples.plan(text, selections: [Selection(path: "test.yaml", line: 2)])
    #expect(none.plan == nil)
  }

  @Test("A list tells cases without planning them")
  func list() throws {
    let file = try Samples.file(Self.listed.replacing("name: b", with: "name: b\n    tags: [slow]"))
    let options = PlannerOptions(
      selections: [Selection(path: "test.yaml", line: 8), Selection(path: "test.yaml", line: 7)],
      fileExists: { _ in false })
    let (cases, diagnostics) = Planner.list(files: [file], options: options)

    #expect(diagnostics.isEmpty)
    #expect(cases.map(\.name) == ["a [plan=pro]", "b [n=1]", "b [n=2]"])
    #expect(cases.map(\.line) == [7, 8, 8])
    #expect(cases.map(\.tags) == [[], ["slow"], ["slow"]])
  }

  // MARK: - Skip and only

  @Test("A condition decides for each row whether it is skipped")
  func skip() throws {
    let planned = try cases(
      """
      target: { command: [x] }
      matrix: { plan: [basic, pro] }
      skip: { if: "${{ matrix.plan == 'pro' }}", reason: no pro yet }
      """)
    #expect(planned.map(\.skip) == [nil, "no pro yet"])
    #expect(planned[1].summary().contains("  skipped    no pro yet"))
  }

  @Test("A condition that is no truth value is refused, and what is skipped is still checked")
  func skipMistakes() throws {
    let text = """
      target: { command: [x, "${{ nothing }}"] }
      skip: { if: "${{ seed }}", reason: r }
      """
    #expect(
      try Samples.errors(text).map(\.message) == [
        "unknown name \"nothing\"", "\"if\" is a number, not true or false",
      ])
  }

  private static let marked = """
    target: { command: [x] }
    scenarios: [{ name: a }, { name: b, only: true }, { name: c, only: false }]
    """

  @Test("Only what is marked runs, and how much is left out is reported")
  func only() throws {
    let result = try Samples.plan(Self.marked)
    #expect(result.plan?.cases.map(\.name) == ["b"])
    #expect(result.diagnostics.map(\.message) == ["\"only\" skips 2 other cases"])
    #expect(result.diagnostics.map(\.severity) == [.warning])
    let chosen = try Samples.plan(Self.marked, filter: "::a$")
    #expect(chosen.plan?.cases.map(\.name) == ["a"])
    #expect(chosen.diagnostics.isEmpty)
  }

  @Test("Where leaving out is refused, it is an error also for what is not selected")
  func refusedOnly() throws {
    var options = PlannerOptions(nameFilter: "::a$", fileExists: { _ in true })
    options.only = .refused
    let result = Planner.plan(files: [try Samples.file(Self.marked)], options: options)
    #expect(result.plan == nil)
    #expect(result.diagnostics.map(\.range?.line) == [2])
    options.only = .ignored
    options.nameFilter = nil
    let ignored = Planner.plan(files: [try Samples.file(Self.marked)], options: options)
    #expect(ignored.plan?.cases.count == 3)
    #expect(ignored.diagnostics.isEmpty)
  }

  @Test("Rows sweep the points of a crash, and what is lost at each")
  func crashes() throws {
    let entry = """
      { call: fsync, when: { nth: "${{ matrix.point }}" }, \
      provide: { kill: tree, lose: unsynced, metadata: "${{ matrix.metadata }}" } }
      """
    let planned = try cases(
      "target: { command: [x] }\nmatrix: { point: [1, [2, 5]], metadata: [kept, lost] }\n"
        + "chaos: [\(entry)]\n")

    #expect(planned.map { $0.chaos[0].schedule.places } == [[1], [1], [2, 5], [2, 5]])
    #expect(
      planned.map { $0.chaos[0].crashes.map(\.names) } == [[.kept], [.lost], [.kept], [.lost]])
  }

  @Test(
    "A row that gives no point is an error where the expression stands",
    arguments: [
      ("0", "kept", "\"nth\" must be a whole number of at least 1, not 0"),
      ("[1, x]", "kept", "\"nth\" must be a whole number of at least 1, not [1,\"x\"]"),
      ("1", "gone", "\"metadata\" is \"gone\", neither \"kept\" nor \"lost\""),
    ])
  func noCrash(point: String, metadata: String, message: String) throws {
    let result = try Samples.plan(
      "target: { command: [x] }\nmatrix: { point: [\(point)], metadata: [\(metadata)] }\n"
        + "chaos: [{ call: fsync, when: { nth: '${{ matrix.point }}' },"
        + " provide: { kill: tree, lose: unsynced, metadata: '${{ matrix.metadata }}' } }]\n")

    #expect(result.diagnostics.map(\.message) == [message])
  }
}
