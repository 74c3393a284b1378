import Foundations
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Fakes with wishes, choices from lists, and traits that check")
struct FakeArgumentTests {
  @Test("Words of another language come from its lists, and the same each time")
  func locale() throws {
    let data =
      "[{ $fake: { name: city, locale: de } }, { $fake: { name: weekday, locale: fr } }, { $fake: { name: phone, locale: de } }]"
    let value = try Samples.data(data)

    #expect(try Samples.data(data) == value)
    guard case .list(let values) = value, case .string(let city) = values[0],
      case .string(let day) = values[1], case .string(let phone) = values[2]
    else {
      Issue.record("no list")
      return
    }
    #expect(FakeLocale.german.cities.contains(city))
    #expect(FakeLocale.french.weekdays.contains(day))
    #expect(phone.hasPrefix("+49 30 23125") && phone.count == 15)
  }

  @Test("A name alone gives what it always gave")
  func plain() throws {
    #expect(
      try Samples.data("[{ $fake: city }]") == Samples.data("[{ $fake: { name: city } }]"))
  }

  @Test("Unique values differ as long as there are some, and then it is an error")
  func unique() throws {
    let value = try Samples.data(
      "{ $list: { count: 7, of: { $fake: { name: weekday, unique: true } } } }")
    guard case .list(let days) = value else {
      Issue.record("no list")
      return
    }
    #expect(Set(days).count == 7)

    let errors = try Samples.dataErrors(
      "{ $list: { count: 8, of: { $fake: { name: weekday, unique: true } } } }")
    #expect(
      errors.map(\.message) == [
        "the fake \"weekday\" has no more than the 7 values drawn here"
      ])
  }

  @Test("Bounds and lengths hold")
  func bounds() throws {
    let value = try Samples.data(
      "[{ $fake: { name: price, min: 5, max: 6 } }, { $fake: { name: password, length: 4 } }, { $fake: { name: words, count: 2 } }]"
    )
    guard case .list(let values) = value, case .number(let price) = values[0],
      case .string(let password) = values[1], case .string(let words) = values[2]
    else {
      Issue.record("no list")
      return
    }
    #expect((5...6).contains(price) && password.count == 4)
    #expect(words.split(separator: " ").count == 2)
  }

  @Test(
    "A wish that a fake cannot follow is refused",
    arguments: [
      ("{ $fake: { name: city, count: 3 } }", "the fake \"city\" has no argument \"count\""),
      (
        "{ $fake: { name: price, min: 3, max: 1 } }",
        "the fake \"price\" has a min, 3.0, above its max, 1.0"
      ),
      ("{ $fake: { name: citi } }", "unknown fake \"citi\""),
    ])
  func mistakes(data: String, message: String) throws {
    #expect(try Samples.dataErrors(data).map(\.message) == [message])
  }

  @Test("$pick takes a list that is built, by the seed")
  func pick() throws {
    let builds = userFactories + "\nbuild: { users: { $build: user, count: 3 }, none: [] }"
    let value = try Samples.data("{ $pick: \"${{ build.users }}\" }", with: builds)

    #expect(value["first_name"] == .string("Bob"))
    #expect(try Samples.data("{ $pick: \"${{ build.users }}\" }", with: builds) == value)
    #expect(
      try Samples.dataErrors("{ $pick: \"${{ build.none }}\" }", with: builds).map(\.message) == [
        "\"$pick\" cannot pick from a value that is an empty list"
      ])
    #expect(
      try Samples.dataErrors("{ $pick: \"${{ seed }}\" }").map(\.message) == [
        "\"$pick\" cannot pick from a value that is a number"
      ])
  }

  private static let checked = """
    factories:
      user:
        fields: { id: { $seq: 1 }, role: plain }
        construct: { args: [role, id] }
        after_build: [{ set: { note: base } }]
        traits:
          admin: { fields: { role: admin }, after_build: [{ set: { note: "${{ role }}" } }] }
          never: { after_build: [{ assert: "${{ id > 99 }}" }] }
        enums: { state: [on, off] }
    """

  @Test("What a trait sets and asserts comes behind what its factory does")
  func traits() throws {
    #expect(try Samples.data("{ $build: user }", with: Self.checked)["note"] == .string("base"))
    #expect(
      try Samples.data("{ $build: user, traits: admin }", with: Self.checked)["note"]
        == .string("admin"))
    #expect(
      try Samples.dataErrors("{ $build: user, traits: never }", with: Self.checked).map(\.code)
        == [.failedAssertion])
  }

  @Test("Lint builds every factory with each of its traits, and tells which fail")
  func lint() throws {
    let file = try Samples.file(Self.checked + "\ntarget: { command: [x] }")
    let (variants, diagnostics) = FactoryLint.lint(
      file, options: PlannerOptions(fileExists: { _ in true }))

    #expect(Set(variants.map(\.trait)) == [nil, "admin", "never", "on", "off"])
    #expect(variants.filter { !$0.isWell }.map(\.trait) == ["never"])
    #expect(diagnostics.map(\.code) == [.failedAssertion])
  }

  @Test("The arguments of construct are told in their order")
  func arguments() throws {
    let file = try Samples.file(Self.checked + "\ntarget: { command: [x] }")
    let (model, _) = ModelBuilder.build(
      "user", of: file, explains: true, options: PlannerOptions(fileExists: { _ in true }))

    #expect(model?.arguments.map(\.field) == ["role", "id"])
    #expect(model?.leaves.first { $0.path == "role" }?.setter == "base user, argument 1")
  }
}
