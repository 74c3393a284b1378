import Foundations
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

  @Test("Traits to which many ways lead apply once")
  func manyWays() throws {
    let traits = (0..<90).map {
      "t\($0): { traits: [t\($0 + 1), t\($0 + 2)], fields: { x: \($0), f\($0): 0 } }"
    }
    let object = try Samples.data(
      "{ $build: a, traits: [t0] }",
      with: "factories: { a: { fields: { x: own }, traits: { \(traits.joined(separator: ", ")), "
        + "t90: { fields: { x: 90 } }, t91: { fields: { x: 91 } } } } }")

    #expect(object["x"] == .integer(0))
    #expect(object["f89"] == .integer(0))
    #expect(object.jsonText().hasPrefix(#"{"x":0,"f1":0,"f3":0,"f5":0,"#))
    #expect(object.jsonText().hasSuffix(#""f4":0,"f2":0,"f0":0}"#))
  }

  @Test(
    "A chain of traits is followed as far as it may be, and a longer one is refused",
    arguments: [(100, true), (101, false), (20_000, false)])
  func longChain(count: Int, isValid: Bool) throws {
    let traits = (1..<count).map { "t\($0): { traits: [t\($0 + 1)] }" }
    let factories =
      "factories: { a: { fields: { x: own }, traits: { \(traits.joined(separator: ", ")), "
      + "t\(count): { fields: { x: last } } } } }"
    guard !isValid else {
      #expect(
        try Samples.data("{ $build: a, traits: [t1] }", with: factories)["x"] == .string("last"))
      return
    }
    let errors = try Samples.dataErrors("{ $build: a, traits: [t1] }", with: factories)

    #expect(errors.allSatisfy { $0.code == .tooLarge })
    #expect(errors.first?.message == "traits of \"a\" use each other deeper than 100")
  }

  @Test(
    "A trait that a list of a factory names twice is reported, and one that two lists name is not",
    arguments: [
      ("a: { fields: { x: 1 }, traits: { t: {} }, default_traits: [t, t] }", 1),
      ("a: { fields: { x: 1 }, traits: { t: {}, s: { traits: [t, t] } }, default_traits: [s] }", 1),
      ("a: { fields: { x: 1 }, traits: { t: {}, s: { traits: [t] } }, default_traits: [s, t] }", 0),
    ])
  func repeated(factory: String, count: Int) throws {
    let (_, diagnostics) = try Samples.plan(
      "target: { command: [x] }\nbuild: { a: { $build: a } }\nfactories: { \(factory) }")

    #expect(diagnostics.map(\.code) == Array(repeating: .repeatedTrait, count: count))
  }

  @Test(
    "A key of a trait that looks like a path into a field is refused, a field of that name is not",
    arguments: [
      ("x: { k: 1 }", "x.k", true), ("x: { k: 1 }, x.k: 0", "x.k", false), ("y: 1", "x.k", false),
      ("x: [1]", "\"x[0]\"", true),
    ])
  func paths(fields: String, key: String, isRefused: Bool) throws {
    let (_, diagnostics) = try Samples.plan(
      "target: { command: [x] }\nbuild: { a: { $build: a, traits: t } }\n"
        + "factories: { a: { fields: { \(fields) }, traits: { t: { fields: { \(key): 2 } } } } }")

    #expect(diagnostics.map(\.code) == (isRefused ? [.badPath] : []))
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
