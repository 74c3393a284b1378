import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Traits")
struct TraitTests {
  private let factories = """
    factories:
      a:
        fields: { x: own, y: own }
        traits:
          one: { fields: { x: one, added: one } }
          two: { fields: { x: two } }
          both: { traits: [one, two], fields: { y: both } }
          left: { traits: [right] }
          right: { traits: [left] }
    """

  @Test("A trait wins over the factory's own fields, and its new keys come last")
  func trait() throws {
    let object = try Samples.data("{ $build: a, traits: [one] }", with: validFactories)

    #expect(object.jsonText() == #"{"x":"one","y":"own","added":"one"}"#)
  }

  @Test(
    "The order of the request decides between traits",
    arguments: [
      ("[one, two]", "two"), ("[two, one]", "one"),
    ])
  func order(traits: String, expected: String) throws {
    let object = try Samples.data("{ $build: a, traits: \(traits) }", with: validFactories)

    #expect(object["x"] == .string(expected))
  }

  @Test("A trait's own traits apply first, depth first")
  func nested() throws {
    let object = try Samples.data("{ $build: a, traits: [both] }", with: validFactories)

    #expect(object.jsonText() == #"{"x":"two","y":"both","added":"one"}"#)
  }

  @Test("With wins over every trait")
  func with() throws {
    let object = try Samples.data(
      "{ $build: a, traits: [both], with: { y: mine } }", with: validFactories)

    #expect(object["y"] == .string("mine"))
  }

  @Test("A trait named twice applies at its last place, with a warning")
  func twice() throws {
    let result = try Samples.plan(
      """
      \(validFactories)
      target: { command: [echo, "${{ build.a.x }}"] }
      build: { a: { $build: a, traits: [one, two, one] } }
      """)

    #expect(result.plan?.cases.first?.target.command[1].literal == "one")
    #expect(result.diagnostics.map(\.severity) == [.warning])
  }

  @Test("Traits that name each other are an error, even if nobody asks for them")
  func circle() throws {
    let errors = try Samples.dataErrors("1", with: factories)

    #expect(errors.contains { $0.message.contains("left → right → left") })
  }

  @Test("An unknown trait is an error with a suggestion")
  func unknown() throws {
    let errors = try Samples.dataErrors("{ $build: a, traits: [won] }", with: validFactories)

    #expect(errors.map(\.message) == ["the factory \"a\" has no trait \"won\""])
    #expect(errors.first?.help?.hasPrefix("did you mean \"one\"?") == true)
  }

  private var validFactories: String {
    factories.split(separator: "\n").filter { !$0.contains("left") }.joined(separator: "\n")
  }
}
