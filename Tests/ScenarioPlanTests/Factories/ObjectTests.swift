import Foundations
import ScenarioPlan
import Testing

@Suite("Objects of factories")
struct ObjectTests {
  @Test("An object has its factory's fields in order, siblings filled in")
  func plain() throws {
    let user = try Samples.data("{ $build: user }", with: userFactories)

    #expect(
      user.jsonText()
        == #"{"id":1,"first_name":"Bob","email":"bob.1@example.com","#
        + #""address":{"city":"Oslo","zip":150,"line":"150 Oslo"}}"#)
  }

  @Test("What with sets wins, and dependent fields follow")
  func overrides() throws {
    let user = try Samples.data(
      "{ $build: user, with: { first_name: Brian, address: null } }", with: userFactories)

    #expect(
      user.jsonText()
        == #"{"id":1,"first_name":"Brian","email":"brian.1@example.com","address":null}"#)
  }

  @Test("An overridden sequence is not drawn, one that stands is")
  func sequences() throws {
    let list = try Samples.data(
      "[{ $build: user, with: { id: 99 } }, { $build: user }, { $build: user }]",
      with: userFactories)

    #expect(list[0]?["id"] == .integer(99))
    #expect(list[1]?["id"] == .integer(1))
    #expect(list[2]?["id"] == .integer(2))
  }

  @Test("A sequence begins anew in each scenario")
  func sequencesByScenario() throws {
    let result = try Samples.plan(
      """
      \(userFactories)
      target: { command: [echo, "${{ build.bob.id }}"] }
      build: { bob: { $build: user } }
      scenarios:
        - { name: one }
        - { name: two, build: { ann: { $build: user } } }
      """)

    let commands = try #require(result.plan).cases.map { $0.target.command[1].literal }
    #expect(commands == ["1", "1"])
  }

  @Test("Scenarios share a factory with traits, whether they build from it or not")
  func shared() throws {
    let result = try Samples.plan(
      """
      \(userFactories)
      target: { command: [echo, "${{ build.one.email }}"] }
      build: { one: { $build: user, traits: [staff], with: { first_name: Eve } } }
      scenarios: [{ name: a }, { name: b }, { name: c }]
      """)

    let commands = try #require(result.plan).cases.map { $0.target.command[1].literal }
    #expect(commands == Array(repeating: "eve.1@example.com", count: 3))
  }

  @Test("A sequence can start and step anywhere")
  func sequenceSteps() throws {
    let factories = "factories: { a: { fields: { n: { $seq: { start: 10, step: -5 } } } } }"
    let list = try Samples.data(
      "[{ $build: a }, { $build: a }, { $build: a }]", with: factories)

    #expect(list.jsonText() == #"[{"n":10},{"n":5},{"n":0}]"#)
  }

  @Test("A field is evaluated once, however often it is used")
  func once() throws {
    let factories = """
      factories:
        a: { fields: { copy: "${{ n }}-${{ n }}", n: { $seq: 1 }, again: "${{ n }}" } }
      """
    let object = try Samples.data("{ $build: a }", with: factories)

    #expect(object.jsonText() == #"{"copy":"1-1","n":1,"again":1}"#)
  }

  @Test("An overridden association is never built")
  func overriddenAssociation() throws {
    let factories = """
      factories:
        a: { fields: { child: { $build: b }, other: { $build: b } } }
        b: { fields: { n: { $seq: 1 } } }
      """
    let object = try Samples.data("{ $build: a, with: { child: 0 } }", with: factories)

    #expect(object.jsonText() == #"{"child":0,"other":{"n":1}}"#)
  }

  @Test("Two sequences of one factory count on their own")
  func twoSequences() throws {
    let factories = "factories: { a: { fields: { m: { $seq: 1 }, n: { $seq: 1 } } } }"
    let list = try Samples.data("[{ $build: a }, { $build: a }]", with: factories)

    #expect(list.jsonText() == #"[{"m":1,"n":1},{"m":2,"n":2}]"#)
  }

  @Test("A sequence that leaves the numbers is an error")
  func sequenceOverflow() throws {
    let factories = "factories: { a: { fields: { n: { $seq: 9223372036854775807 } } } }"
    let errors = try Samples.dataErrors("[{ $build: a }, { $build: a }]", with: factories)

    #expect(errors.map(\.message).first?.contains("exceeds the range of whole numbers") == true)
  }

  @Test("An unknown factory is an error with a suggestion")
  func unknownFactory() throws {
    let errors = try Samples.dataErrors("{ $build: usr }", with: userFactories)

    #expect(errors.map(\.message) == ["unknown factory \"usr\""])
    #expect(
      errors.first?.help == "did you mean \"user\"? known factories: address, user")
  }

  @Test("A field that the factory does not have is an error with a suggestion")
  func unknownField() throws {
    let errors = try Samples.dataErrors(
      "{ $build: user, with: { firstname: Brian } }", with: userFactories)

    #expect(errors.map(\.message) == ["the factory \"user\" has no field \"firstname\""])
    #expect(errors.first?.help?.hasPrefix("did you mean \"first_name\"?") == true)
  }

  @Test("A field that only a trait brings in needs the trait")
  func traitField() throws {
    let errors = try Samples.dataErrors(
      "{ $build: user, with: { role: x } }", with: userFactories)
    let built = try Samples.data(
      "{ $build: user, traits: [admin], with: { role: x } }", with: userFactories)

    #expect(errors.first?.help?.contains("write traits: [admin]") == true)
    #expect(built["role"] == .string("x"))
  }

  @Test("All mistakes of one object are reported at once")
  func allMistakes() throws {
    let errors = try Samples.dataErrors(
      "{ $build: user, with: { a: 1, b: 2 } }", with: userFactories)

    #expect(errors.count == 2)
  }

  @Test("A scenario's own factory wins over the file's")
  func ownFactory() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [echo, "${{ build.a.n }}"] }
      factories: { a: { fields: { n: file } } }
      build: { a: { $build: a } }
      scenarios:
        - name: own
          factories: { a: { fields: { n: own } } }
      """)

    #expect(planned.target.command[1].literal == "own")
  }
}
