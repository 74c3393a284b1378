import Foundations
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

/// What the book tells of expressions is true.
@Suite("The reference of expressions")
struct ExpressionReferenceTests {
  private static let functions = ExpressionFunction.all.map(\.name)
  private static let entries = ExpressionReference.roots + ExpressionReference.operators

  private func value(_ expression: String) throws -> Value {
    try Samples.data(quoted(expression), with: ExpressionReference.sample)
  }

  private func quoted(_ expression: String) -> String {
    "'${{ \(expression.replacing("'", with: "''")) }}'"
  }

  /// Says what is wrong with the example, or nothing.
  private func mistakes(_ expression: String) throws -> [String] {
    try Samples.dataErrors(quoted(expression), with: ExpressionReference.sample).map(\.message)
  }

  @Test("What a function is said to give, it gives", arguments: functions)
  func examples(name: String) throws {
    let function = try #require(ExpressionFunction.named(name))

    #expect(try value(function.example.expression).jsonText() == function.example.result)
  }

  @Test("What is said to be a mistake of a function is one", arguments: functions)
  func functionMistakes(name: String) throws {
    let mistake = try #require(ExpressionFunction.named(name)).mistake
    let messages = try mistakes(mistake.expression)

    #expect(messages.count == 1 && messages[0].hasPrefix(mistake.result), "\(messages)")
  }

  /// The places of those whose example has a result, and of those that tell of a mistake.
  private static let (withResult, withMistake) = (
    entries.indices.filter { !entries[$0].example.result.isEmpty },
    entries.indices.filter { entries[$0].mistake != nil }
  )

  @Test("Most names and operators have an example with its result, and some a mistake")
  func count() {
    #expect(Self.withResult.count * 2 > Self.entries.count && Self.withMistake.count > 5)
  }

  @Test("What names and operators are said to give, they give", arguments: withResult)
  func entryExamples(place: Int) throws {
    let entry = Self.entries[place]

    #expect(try value(entry.example.expression).jsonText() == entry.example.result)
  }

  @Test("What is said to be a mistake of names and operators is one", arguments: withMistake)
  func entryMistakes(place: Int) throws {
    let mistake = try #require(Self.entries[place].mistake)
    let messages = try mistakes(mistake.expression)

    #expect(messages.count == 1 && messages[0].hasPrefix(mistake.result), "\(messages)")
  }

  @Test("Names are found by what they are called, and were")
  func names() {
    #expect(ExpressionReference.entries(named: "length").map(\.name) == ["len"])
    #expect(ExpressionReference.entries(named: "-").count == 2)
    #expect(ExpressionReference.entries(named: "nope").isEmpty)
    #expect(Set(Self.functions).count == Self.functions.count)
  }

  // MARK: - Lambdas

  @Test(
    "A lambda sees the names of its place, and hides those that it has itself",
    arguments: [
      ("map(build.user.tags, t => build.user.name + t)", #"["Adaa","Adab"]"#),
      ("map([1, 2], seed => seed * 2)", "[2,4]"),
      ("map([[1, 2], [3]], l => sum(map(l, i => i * 10)))", "[30,30]"),
      ("filter([{'a': 1}, {'b': 2}], i => (i?.a ?? 0) == 1)", #"[{"a":1}]"#),
      ("sort([{'n': 2}, {'n': 1}], i => i.n)[0].n", "1"),
      ("sum([1, 2, 3], i => case(i > 1, i, 0))", "5"),
      ("any([], i => i.nothing == 1)", "false"), ("all([], i => false)", "true"),
      ("len(dir) + sum([1, 2], i => i + len(dir))", "18"),
      ("map([1], i => dir)", #"["/case"]"#), ("map([dir], i => i + '/x')", #"["/case/x"]"#),
      ("map([1, 2], (i) => i)", "[1,2]"), ("join(map([1, 2], i => string(i)), '+')", #""1+2""#),
    ])
  func lambdas(expression: String, expected: String) throws {
    #expect(try value(expression).jsonText() == expected)
  }

  @Test(
    "A lambda that cannot work is told",
    arguments: [
      ("map([1], i => j)", "unknown name \"j\""),
      ("map([1], i => i.x)", "\"i\" is a number, which has no key \"x\""),
      ("map([1], (a, b) => a)", "map() needs a lambda of one name here"),
      ("lower(i => i)", "lower() cannot take a lambda here"),
      ("filter([1], i => i)", "filter() needs true or false of its lambda, not a number"),
      (
        "map([1], i => uuid())",
        "uuid() draws when the scenario is planned, but a lambda is evaluated for every element"
      ),
      ("map([1], i => lower(3))", "lower() cannot take a number"),
      ("sort([null])", "sort() cannot take the list: its element 0 is null"),
    ])
  func badLambdas(expression: String, message: String) throws {
    #expect(try mistakes(expression) == [message])
  }

  @Test(
    "A lambda that cannot be read is told",
    arguments: [
      ("i => i", "unexpected \"=>\" in an expression"),
      ("map(a, true => 1)", "\"true\" cannot be a parameter of a lambda"),
      ("map(a, (i, i) => 1)", "duplicate parameter \"i\" of a lambda"),
    ])
  func unreadable(expression: String, message: String) {
    let text = "version: 1\nbuild:\n  a: \"${{ \(expression) }}\"\n"
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics
    #expect(found.map(\.message) == [message])
  }

  // MARK: - Chance

  @Test("What is drawn follows from the seed and the place, and differs from call to call")
  func chance() throws {
    let sample = ExpressionReference.sample
    func list() throws -> Value {
      try Samples.data(
        "['${{ uuid() }}', '${{ uuid() }}${{ uuid() }}', '${{ random(1, 1000000) }}']", with: sample
      )
    }
    let first = try list()

    #expect(try list() == first)
    guard case .list(let values) = first, case .string(let one) = values[0],
      case .string(let two) = values[1]
    else {
      Issue.record("no list")
      return
    }
    #expect(one.count == 36 && Array(one)[14] == "4")
    #expect(two.prefix(36) != two.suffix(36) && two.prefix(36) != one)
    let other = try Samples.data(
      "['${{ uuid() }}']", with: sample.replacing("seed: 42", with: "seed: 43"))
    #expect(other[0] != values[0])
  }

  @Test(
    "Division gives what is left as a fraction, and div() whole numbers",
    arguments: [
      ("6 / 2", "3"), ("7 / 2", "3.5"), ("-7 / 2", "-3.5"), ("div(-7, 2)", "-3"), ("-7 % 2", "-1"),
      ("1 / 3.0", "0.3333333333333333"), ("build.user.tags[4 / 2 - 1]", #""b""#),
    ])
  func division(expression: String, expected: String) throws {
    #expect(try value(expression).jsonText() == expected)
  }

  @Test(
    "Tokens and codes are those of their standards",
    arguments: [
      (
        "jwt({'sub': '1234567890', 'name': 'John Doe', 'iat': 1516239022}, 'your-256-bit-secret')",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
      ),
      ("hash('sha1', 'abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      ("hmac('md5', 'Jefe', 'what do ya want for nothing?')", "750c783e6ab0b503eaa86e310a5db738"),
    ])
  func standards(expression: String, expected: String) throws {
    #expect(try value(expression) == .string(expected))
  }
}
