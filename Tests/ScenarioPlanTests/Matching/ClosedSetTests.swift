import Foundations
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

/// The one set of conditions, as files write them, below paths and on texts, numbers and lengths of time.
@Suite("The conditions of the language")
struct ClosedSetTests {
  /// Whether output of a program meets what a file says of it.
  private func meets(_ matcher: String, _ output: String) throws -> Bool {
    let planned = try Samples.onlyCase(
      "target: { command: [x] }\nseed: 7\nexpect: { stdout: \(matcher) }")
    guard case .standardOutput(let matcher)? = planned.expect.first?.subject else {
      Issue.record("no condition")
      return false
    }
    var scope = CaseScope(directory: "/case")
    scope.isExpectation = true
    return matcher.check(.text(output), scope: scope) == nil
  }

  @Test(
    "Conditions below a path hold, and their twins do not",
    arguments: [
      ("{ exists: true }", "{ \"a\": null }", "{}"),
      ("{ absent: true }", "{}", "{ \"a\": null }"),
      ("{ exists: false }", "{}", "{ \"a\": 1 }"),
      ("{ type: array }", "{ \"a\": [] }", "{ \"a\": {} }"),
      ("{ type: object }", "{ \"a\": {} }", "{ \"a\": [] }"),
      ("{ type: integer }", "{ \"a\": 1 }", "{ \"a\": 1.5 }"),
      ("{ type: number }", "{ \"a\": 1.5 }", "{ \"a\": \"1.5\" }"),
      ("{ type: [string, \"null\"] }", "{ \"a\": null }", "{ \"a\": 1 }"),
      ("{ type: boolean }", "{ \"a\": true }", "{}"),
      ("{ length: 2 }", "{ \"a\": [1, 2] }", "{ \"a\": [1] }"),
      ("{ length: { at_least: 3 } }", "{ \"a\": \"äöü\" }", "{ \"a\": \"äö\" }"),
      ("{ at_least: 3 }", "{ \"a\": 3 }", "{ \"a\": 2.9 }"),
      ("{ at_most: 3 }", "{ \"a\": 3 }", "{ \"a\": 3.1 }"),
      ("{ equals: 0.3, within: 0.01 }", "{ \"a\": 0.305 }", "{ \"a\": 0.32 }"),
      ("{ within: 1, equals: 10 }", "{ \"a\": 9 }", "{ \"a\": 8 }"),
      ("{ starts_with: ab }", "{ \"a\": \"abc\" }", "{ \"a\": \"cab\" }"),
      ("{ ends_with: bc }", "{ \"a\": \"abc\" }", "{ \"a\": \"abcd\" }"),
      ("{ in: [1, 2] }", "{ \"a\": 2 }", "{ \"a\": 3 }"),
      ("{ each: { at_least: 1 } }", "{ \"a\": [1, 2] }", "{ \"a\": [1, 0] }"),
      ("{ any: { starts_with: x } }", "{ \"a\": [\"a\", \"xy\"] }", "{ \"a\": [\"a\"] }"),
      ("{ contains: [1, 2] }", "{ \"a\": [2, 3, 1] }", "{ \"a\": [1, 3] }"),
      ("{ not: { type: string } }", "{ \"a\": 1 }", "{ \"a\": \"1\" }"),
      ("{ matches: \"^x-${{ seed }}$\" }", "{ \"a\": \"x-7\" }", "{ \"a\": \"x-8\" }"),
    ])
  func paths(condition: String, good: String, bad: String) throws {
    let matcher = "{ json: { $.a: \(condition) } }"

    #expect(try meets(matcher, good))
    #expect(try !meets(matcher, bad))
  }

  @Test("Paths with wildcards and filters lead to lists")
  func wildcards() throws {
    let items = "{ \"items\": [{ \"id\": 1, \"price\": 5 }, { \"id\": 2, \"price\": 20 }] }"

    #expect(try meets("{ json: { \"$.items[?(@.price > 10)].id\": { equals: [2] } } }", items))
    #expect(try !meets("{ json: { \"$.items[?(@.price > 30)].id\": { length: 1 } } }", items))
    #expect(try meets("{ json: { \"$.items[*].price\": { each: { at_least: 5 } } } }", items))
    #expect(try !meets("{ json: { \"$.items[*].price\": { each: { at_least: 6 } } } }", items))
  }

  @Test(
    "A path of which nothing is there satisfies only what asks for that, its opposite included",
    arguments: [
      // Path and condition, a document that meets them, and one that does not.
      ("\"$..id\": { exists: true }", #"{"a":{"id":1}}"#, #"{"a":1}"#),
      ("\"$..id\": { absent: true }", #"{"a":1}"#, #"{"a":{"id":null}}"#),
      ("\"$.a[*].id\": { exists: true }", #"{"a":[{"id":1}]}"#, #"{"a":[{}]}"#),
      ("\"$.a[*].id\": { not: { exists: true } }", #"{"a":[]}"#, #"{"a":[{"id":1}]}"#),
      ("\"$.a[?@.b].id\": { absent: true }", #"{"a":[{"id":1}]}"#, #"{"a":[{"b":1,"id":1}]}"#),
      ("\"$.a[*].id\": { each: 1 }", #"{"a":[{"id":1}]}"#, #"{"a":[{"ib":1}]}"#),
      ("\"$.a[*].id\": { each: 1 }", #"{"a":[]}"#, #"{"b":[]}"#),
      ("\"$.a[*]\": { length: 0 }", #"{"a":[]}"#, "{}"),
      ("\"$.a[*]\": { length: 0 }", #"{"a":{}}"#, #"{"a":1}"#),
      ("\"$.a[?@.b].id\": { each: 1 }", #"{"a":[]}"#, #"{"a":[{"b":1}]}"#),
      ("\"$.a[?@.b].id\": { each: 1 }", #"{"a":[{"b":1,"id":1}]}"#, #"{"a":[{"id":1}]}"#),
      ("\"$.a[1:]\": { each: 1 }", #"{"a":[2,1]}"#, #"{"a":[1]}"#),
      (
        "\"$.a[?@.b == 'x'].n\": { not: 2 }", #"{"a":[{"b":"x","n":1}]}"#,
        #"{"a":[{"c":"x","n":1}]}"#
      ),
      ("\"$.a[1:]\": { not: 2 }", #"{"a":[1,1]}"#, #"{"a":[1]}"#),
      ("\"$.a[*]\": { not: { contains: x } }", #"{"a":["y"]}"#, #"{"a":[]}"#),
      ("\"$.a[?@.b].n\": { not: { any: 2 } }", #"{"a":[{"b":1,"n":3}]}"#, #"{"a":[{"n":3}]}"#),
      (
        "\"$.a[?@.b].n\": { any_of: [{ absent: true }, { not: 2 }] }", #"{"a":[{"n":2}]}"#,
        #"{"a":[{"b":1,"n":2}]}"#
      ),
      (
        "\"$.a[?@.b].n\": { any_of: [{ length: 0 }, { not: 2 }] }", #"{"a":[{"n":2}]}"#,
        #"{"a":[{"b":1,"n":2}]}"#
      ),
      (
        "\"$.a[?@.b].n\": { not: { length: { at_least: 1 } } }", #"{"a":[{"n":2}]}"#,
        #"{"a":[{"b":1,"n":2}]}"#
      ),
      ("\"$.a[?@.b]\": { equals: [] }", #"{"a":[{"n":2}]}"#, #"{"a":[{"b":2}]}"#),
      ("\"$..id\": { each: 1 }", #"{"a":{"id":1}}"#, #"{"a":[]}"#),
      ("\"$.a[*].b[*].c\": { each: 1 }", #"{"a":[{"b":[]}]}"#, #"{"a":[{"d":[]}]}"#),
      ("\"$.a[*].id\": { not: 2 }", #"{"a":[{"id":1}]}"#, #"{"a":[{"ib":1}]}"#),
      ("$.a: { not: 2 }", #"{"a":1}"#, #"{"b":1}"#),
      ("\"$.a[-1]\": { not: 2 }", #"{"a":[1]}"#, #"{"a":[]}"#),
      ("$.a: { any_of: [{ absent: true }, { not: 2 }] }", #"{"b":1}"#, #"{"a":2}"#),
    ])
  func nothing(path: String, good: String, bad: String) throws {
    #expect(try meets("{ json: { \(path) } }", good))
    #expect(try !meets("{ json: { \(path) } }", bad))
  }

  @Test(
    "The opposite of what says nothing of a kind of value does not hold of it",
    arguments: [
      ("{ not: { at_least: 3 } }", "2\n", "hi\n"),
      ("{ not: { json: { $.n: 2 } } }", #"{"n":1}"#, "hi"),
      ("{ json: { $.n: { not: { length: 2 } } } }", #"{"n":"a"}"#, #"{"n":1}"#),
      (
        "{ json: { $.n: { not: { any_of: [{ at_least: 3 }, { at_most: 1 }] } } } }", #"{"n":2}"#,
        #"{"n":"a"}"#
      ),
      ("{ json: { \"$.n[*]\": { not: { at_least: 3 } } } }", #"{"n":[1,2]}"#, #"{"n":["a"]}"#),
      ("{ json: { \"$.n[*]\": { not: { length: 3 } } } }", #"{"n":[1,2]}"#, #"{"n":[1,2,3]}"#),
    ])
  func otherKinds(condition: String, good: String, bad: String) throws {
    #expect(try meets(condition, good))
    #expect(try !meets(condition, bad))
  }

  @Test("A whole document takes the conditions, too")
  func whole() throws {
    #expect(try meets("{ json: { length: 2, contains: [1] } }", "[1, 2]"))
    #expect(try !meets("{ json: { length: 2, contains: [1] } }", "[1]"))
  }

  @Test("Texts take those that texts can meet")
  func texts() throws {
    #expect(try meets("{ contains: [a, b] }", "bca"))
    #expect(try !meets("{ contains: [a, d] }", "bca"))
    #expect(try meets("{ starts_with: b, ends_with: a }", "bca\n"))
    #expect(try !meets("{ ends_with: c }", "bca\n"))
    #expect(try meets("{ length: 3 }", "bca"))
    #expect(try !meets("{ length: 2 }", "bca"))
    #expect(try meets("{ at_least: 5, at_most: 7 }", "6"))
    #expect(try !meets("{ at_least: 5, at_most: 7 }", "8"))
  }

  @Test("Long texts are judged as short ones are")
  func long() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [x] }\nexpect: { stdout: { starts_with: ab, ends_with: yz } }")
    guard case .standardOutput(let matcher)? = planned.expect.first?.subject else {
      Issue.record("nothing is expected of standard output")
      return
    }
    let scope = CaseScope(directory: "/case")

    #expect(try matcher.check(long: TextInMemory("ab…yz\n"), scope: scope) == nil)
    #expect(try matcher.check(long: TextInMemory("ab…y"), scope: scope) != nil)
    #expect(try matcher.check(long: TextInMemory("b…yz"), scope: scope) != nil)
  }

  @Test(
    "Conditions that a kind of value does not take are refused",
    arguments: [
      ("exit: { contains: 1 }", "unknown key \"contains\""),
      ("duration: { each: 1s }", "unknown key \"each\""),
      ("stdout: { type: string }", "unknown key \"type\""),
      ("stdout: { json: { $.a: { type: text } } }", "unknown value \"text\""),
      ("stdout: { json: { $.a: { within: 1 } } }", "\"within\" is the tolerance"),
    ])
  func refused(expectation: String, message: String) {
    let read = ScenarioFile.parse(
      text: "version: 2\ntarget: { command: [x] }\nexpect: { \(expectation) }\n", path: "f")

    #expect(
      read.diagnostics.contains { $0.message.hasPrefix(message) },
      "\(read.diagnostics.map(\.message))")
  }

  @Test("A document that has a condition's word among its keys is a document")
  func documents() throws {
    let item = "{ \"item\": { \"type\": \"book\", \"price\": 3 } }"

    #expect(try meets("{ json: { $.item: { equals: { type: book, price: 3 } } } }", item))
    #expect(try meets("{ json: { item: { type: book, price: 3 } } }", item))
    #expect(try !meets("{ json: { item: { type: film, price: 3 } } }", item))
  }
}
