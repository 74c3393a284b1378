import Foundations
import ScenarioPlan
import Testing

@Suite("Expressions")
struct ExpressionTests {
  private let builds = """
    build:
      o: { text: "  Ada  ", whole: 3, half: 1.5, one: 1.0, yes: true, none: null, list: [a, b], map: { k: v } }
    """

  @Test(
    "A lone expression keeps its type",
    arguments: [
      ("build.o.whole", "3"), ("build.o.half", "1.5"), ("build.o.yes", "true"),
      ("build.o.none", "null"), ("build.o.list", #"["a","b"]"#), ("build.o.map", #"{"k":"v"}"#),
      ("build.o.list[1]", #""b""#), ("length(build.o.list)", "2"), ("length('abc')", "3"),
      ("trim(build.o.text)", #""Ada""#),
      ("upper(trim(build.o.text))", #""ADA""#), ("lower('ÄB')", #""äb""#),
      ("len(build.o.list)", "2"), ("len(build.o.map)", "1"), ("len('abc')", "3"),
      ("seed", "0"),
    ])
  func types(expression: String, expected: String) throws {
    let value = try Samples.data("\"${{ \(expression) }}\"", with: builds)

    #expect(value.jsonText() == expected)
  }

  @Test("In text, numbers and bools stand in their JSON form")
  func joined() throws {
    let value = try Samples.data(
      "'${{ build.o.whole }}|${{ build.o.half }}|${{ build.o.one }}|${{ build.o.yes }}'",
      with: builds)

    #expect(value == .string("3|1.5|1.0|true"))
  }

  @Test("What has no form as text cannot stand in text", arguments: ["none", "list", "map"])
  func noText(name: String) throws {
    let errors = try Samples.dataErrors("'a ${{ build.o.\(name) }}'", with: builds)

    #expect(errors.count == 1)
    #expect(errors.first?.message.contains("which cannot be part of a text") == true)
  }

  @Test(
    "A path that ends too early tells the last step that there was",
    arguments: [
      ("build.o.map.x", "\"build.o.map\" has no key \"x\""),
      ("build.o.list[2]", "\"build.o.list\" has no element 2"),
      ("build.o.whole.x", "\"build.o.whole\" is a number, which has no key \"x\""),
      ("build.o.txt", "\"build.o\" has no key \"txt\""),
      ("build.p", "\"build\" has no object \"p\""),
      ("bild.o", "unknown name \"bild\""),
      ("request.path.id", "\"request\" is known only in replies"),
      ("lowr('A')", "unknown function \"lowr\""),
      ("lower(3)", "lower() cannot take a number"),
      ("lower('a', 'b')", "lower() takes one argument, not 2"),
    ])
  func missing(expression: String, message: String) throws {
    let errors = try Samples.dataErrors("\"${{ \(expression) }}\"", with: builds)

    #expect(errors.map(\.message) == [message])
    #expect(errors.first?.range != nil)
  }

  @Test("The seed of the options wins over the file's")
  func seed() throws {
    let yaml = "seed: 42\ntarget: { command: [echo, '${{ seed }}'] }"

    let own = try Samples.plan(yaml).plan?.cases.first
    let other = try Samples.plan(yaml, seed: 7).plan?.cases.first

    #expect(own?.target.command[1].literal == "42")
    #expect(other?.target.command[1].literal == "7")
    #expect(other?.seed == 7)
  }

  @Test("The case's directory is filled in by the run")
  func directory() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [cat, '${{ dir }}/a.txt'], env: { HOME: '${{ dir }}' } }")

    #expect(planned.target.command[1].literal == nil)
    let text = try planned.target.command[1].resolve(in: CaseScope(directory: "/tmp/x"))
    #expect(text == "/tmp/x/a.txt")
    #expect(
      try planned.target.environment[0].value.resolve(in: CaseScope(directory: "/h")) == "/h")
  }

  @Test("An object cannot wait for the run")
  func directoryInObject() throws {
    let errors = try Samples.dataErrors("1", with: "build: { a: { path: '${{ dir }}' } }")

    #expect(errors.first?.message.contains("known only while the scenario runs") == true)
  }

  @Test("What only the run knows can be computed with, and what cannot be is found before")
  func functionOfRun() throws {
    #expect(try Samples.data("'${{ upper(dir) + \"/x\" }}'") == .string("/CASE/x"))
    #expect(try Samples.data("'in ${{ len(dir) * 2 }}'") == .string("in 10"))
    #expect(
      try Samples.data("'${{ case(dir == \"/case\", [dir], null) }}'").jsonText() == #"["/case"]"#)

    let errors = try Samples.dataErrors("'${{ dir * 2 }}'")

    #expect(errors.map(\.message) == ["\"*\" is not defined for text and a number"])
  }

  @Test("Names that nobody knows are found in factories that nobody builds")
  func unusedFactory() throws {
    let errors = try Samples.dataErrors(
      "1",
      with: """
        factories:
          a: { fields: { x: "${{ nope }}", y: { $build: bb }, z: "${{ lwer(x) }}" } }
          b: { fields: { x: "${{ build.gone }}" } }
        """)

    #expect(
      Set(errors.map(\.message)) == [
        "unknown name \"nope\"", "unknown factory \"bb\"", "unknown function \"lwer\"",
        "\"build\" has no object \"gone\"",
      ])
  }

  @Test("A list or null cannot be an argument of the command")
  func textPosition() throws {
    let errors = try Samples.errors(
      "target: { command: [echo, '${{ build.l }}', '${{ build.n }}'] }\nbuild: { l: [1], n: null }")

    #expect(
      errors.map(\.message) == [
        "a list cannot be used as text", "null cannot be used as text",
      ])
  }
}
