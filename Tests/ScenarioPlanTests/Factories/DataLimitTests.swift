import Foundations
import Testing

@Suite("Data that asks for too much")
struct DataLimitTests {
  // MARK: - Schemas

  @Test(
    "A schema that demands more than anybody could hold is refused, at its place",
    arguments: [
      "{ type: array, minItems: 9007199254740991 }",
      "{ type: array, minItems: 2000000 }",
      "{ type: string, minLength: 9007199254740991 }",
      "{ type: object, minProperties: 9007199254740991 }",
      "{ $ref: '#/$defs/n', $defs: { n: { allOf: [{ $ref: '#/$defs/n' }, { $ref: '#/$defs/n' }] } } }",
      """
      { $ref: '#/$defs/n', $defs: { n: { type: array, minItems: 4, items: { $ref: '#/$defs/n' } } } }
      """,
    ])
  func schemas(schema: String) throws {
    let errors = try Samples.dataErrors("{ $schema: \(schema) }")

    #expect(errors.count == 1)
    #expect(errors.first?.message.hasPrefix("the schema needs too large a value") == true)
    #expect(errors.first?.range != nil)
  }

  @Test("One that demands much gets it")
  func largeSchema() throws {
    let data = try Samples.data(
      "{ $schema: { type: array, minItems: 5000, items: { type: string, minLength: 40 } } }")

    guard case .list(let elements) = data else {
      Issue.record("no list")
      return
    }
    #expect(elements.count >= 5_000)
  }

  // MARK: - Lists

  @Test(
    "Lists within lists are refused before they are made",
    arguments: [
      "{ $list: { count: 100000, of: { $list: { count: 100000, of: 1 } } } }",
      "{ $list: { count: 1000, of: { $list: { count: 1000, of: { $list: { count: 1000, of: 1 } } } } } }",
    ])
  func lists(list: String) throws {
    let errors = try Samples.dataErrors(list)

    #expect(errors.map(\.message) == ["lists of the scenario have more than 2000000 elements"])
  }

  @Test("A list may be long")
  func longList() throws {
    guard case .list(let list) = try Samples.data("{ $list: { count: 100000, of: 1 } }") else {
      Issue.record("no list")
      return
    }
    #expect(list.count == 100_000)
  }

  // MARK: - Regular expressions

  @Test(
    "Nothing that is repeated stays nothing, and ends",
    arguments: ["(){1000000}", "((){1000000}){1000000}x", "(((((\\b)*)*)*)*)*", "(^)*$"])
  func nothing(pattern: String) throws {
    let text = try Samples.data("{ $match: '\(pattern)' }")

    #expect(text == .string(pattern.hasSuffix("x") ? "x" : ""))
  }

  @Test("What repeats what may be nothing gives a text or says that it cannot")
  func nested() throws {
    let easy = try Samples.data("{ $match: '(a*)*b' }")
    guard case .string(let text) = easy else {
      Issue.record("no text")
      return
    }
    #expect(text.hasSuffix("b") && text.dropLast().allSatisfy { $0 == "a" })

    let deep = String(repeating: "(", count: 40) + "a?" + String(repeating: ")*", count: 40)
    let errors = try Samples.dataErrors("{ $match: '\(deep){8}' }".replacing(")*{8}", with: "){8}"))
    #expect(errors.allSatisfy { $0.message.hasPrefix("found no text that") })
  }

  // MARK: - Expressions

  /// A text of 2 to the power of `doublings` letters, by so many objects.
  private func doubled(_ doublings: Int) -> String {
    (1...doublings).reduce("build:\n  t0: { t: a }\n") { text, index in
      let before = "build.t\(index - 1).t"
      return text + "  t\(index): { t: '${{ \(before) + \(before) }}' }\n"
    }
  }

  @Test(
    "Texts that expressions make have one limit, whoever makes them",
    arguments: [
      ("build.t19.t + build.t19.t", "\"+\" makes"),
      ("replace(build.t10.t, 'a', build.t10.t)", "replace() makes"),
      ("join([build.t19.t, build.t19.t], '')", "join() makes"),
      ("join(split(build.t10.t, ''), build.t10.t)", "join() makes"),
      ("format('{0}{0}', build.t19.t)", "format() makes"),
      ("pad('a', 1000001)", "pad() makes"), ("pad('a', -600000, 'é')", "pad() makes"),
      ("hex(build.t19.t)", "hex() makes"), ("json([build.t19.t, build.t19.t])", "json() makes"),
      ("url_encode(replace(build.t19.t, 'a', ' '))", "url_encode() makes"),
    ])
  func texts(expression: String, message: String) throws {
    let quoted = expression.replacing("'", with: "''")
    let errors = try Samples.dataErrors("'${{ \(quoted) }}'", with: doubled(19))

    #expect(errors.count == 1)
    #expect(errors.first?.message == message + " more than 1000000 bytes of text")
    #expect(errors.first?.range != nil)
  }

  @Test("A template has the same limit")
  func templates() throws {
    let errors = try Samples.dataErrors(
      "'${{ build.t19.t }}-${{ build.t19.t }}'", with: doubled(19))

    #expect(
      errors.first?.message
        == "the text with its expressions makes more than 1000000 bytes of text")
  }

  @Test("Texts below the limit are made")
  func shortTexts() throws {
    let value = try Samples.data("'${{ len(build.t18.t + build.t18.t) }}'", with: doubled(18))

    #expect(value == .integer(524_288))
  }

  @Test("All texts of a scenario together have a limit as well")
  func sum() throws {
    let elements = (0..<250).map { _ in "'${{ build.t18.t + build.t18.t }}'" }
    let errors = try Samples.dataErrors(
      "[\(elements.joined(separator: ", "))]", with: doubled(18))

    #expect(errors.count == 1)
    #expect(
      errors.first?.message
        == "expressions of the scenario make more than 100000000 bytes of text")
  }
}
