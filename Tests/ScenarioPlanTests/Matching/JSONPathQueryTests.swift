import Foundations
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("JSON paths")
struct JSONPathQueryTests {
  /// The example of RFC 9535, section 1.5.
  private static let store = """
    {"store": {
      "book": [
        {"category": "reference", "author": "Rees", "title": "Sayings", "price": 8.95},
        {"category": "fiction", "author": "Waugh", "title": "Sword", "price": 12.99},
        {"category": "fiction", "author": "Melville", "title": "Moby", "isbn": "0-553", "price": 8},
        {"category": "fiction", "author": "Tolkien", "title": "Rings", "isbn": "0-395", "price": 22.99}
      ],
      "bicycle": {"color": "red", "price": 399}
    }, "a.b": {"it's": 1}, "order-id": 7, "list": [0, 1, 2, 3, 4, 5, 6], "none": null}
    """

  @Test(
    "Paths lead where RFC 9535 says",
    arguments: [
      ("$.store.book[*].author", #"["Rees","Waugh","Melville","Tolkien"]"#),
      ("$..author", #"["Rees","Waugh","Melville","Tolkien"]"#),
      ("$.store..price", "[8.95,12.99,8,22.99,399]"),
      ("$..book[2].title", #"["Moby"]"#),
      ("$..book[-1].title", #"["Rings"]"#),
      ("$..book[0,1].title", #"["Sayings","Sword"]"#),
      ("$..book[:2].title", #"["Sayings","Sword"]"#),
      ("$..book[?@.isbn].title", #"["Moby","Rings"]"#),
      ("$..book[?(@.price<10)].title", #"["Sayings","Moby"]"#),
      ("$..book[?@.price < 10 && @.isbn].title", #"["Moby"]"#),
      ("$..book[?@.category=='reference' || @.price>20].title", #"["Sayings","Rings"]"#),
      ("$..book[?!@.isbn].title", #"["Sayings","Sword"]"#),
      ("$..book[?@.price <= $.store.book[0].price].title", #"["Sayings","Moby"]"#),
      ("$..book[?@.nothing == @.absent].price", "[8.95,12.99,8,22.99]"),
      (
        "$..book[?@.title != 'Rings' && (@.price > 12 || @.price < 8.5)].title",
        #"["Sword","Moby"]"#
      ),
      ("$.store.*.color", #"["red"]"#), ("$['store']['bicycle'][\"color\"]", #"["red"]"#),
      (#"$['a.b']['it\'s']"#, "[1]"), ("$.order-id", "[7]"), ("$.none", "[null]"),
      ("$.list[1:3]", "[1,2]"), ("$.list[5:]", "[5,6]"), ("$.list[-2:]", "[5,6]"),
      ("$.list[::2]", "[0,2,4,6]"), ("$.list[::-2]", "[6,4,2,0]"), ("$.list[3::-1]", "[3,2,1,0]"),
      ("$.list[:-5:-1]", "[6,5,4,3]"), ("$.list[4:1]", "[]"), ("$.list[0:0]", "[]"),
      ("$.list[::0]", "[]"), ("$.list[-100:100]", "[0,1,2,3,4,5,6]"), ("$.list[100]", "[]"),
      ("$.list[-8]", "[]"), ("$.list[?@ > 4]", "[5,6]"), ("$.list[ 0 , -1 ]", "[0,6]"),
      ("$.list[::9223372036854775807]", "[0]"), ("$.list[-9223372036854775808:2]", "[0,1]"),
      ("$.list.length", "[]"), ("$.nothing[*]", "[]"), ("$..*.price", "[399,8.95,12.99,8,22.99]"),
    ])
  func values(path: String, expected: String) throws {
    let root = try JSONText.parse(Self.store)

    let found = try JSONPathQuery(path).values(in: root)

    #expect(found.map { Value.list($0).jsonText() } == expected)
  }

  @Test("The root is a path, and the rest of the document is below it")
  func root() throws {
    let root = try JSONText.parse(Self.store)

    #expect(try JSONPathQuery("$").values(in: root) == [root])
    #expect(try JSONPathQuery("$..*").values(in: root)?.count == 39)
  }

  @Test(
    "What is no path is reported with the column",
    arguments: [
      ("store", "\"store\" is not a JSON path"),
      ("$store", "expected \".\" or \"[\" at its column 2, found \"s\""),
      ("$.", "expected a key, or \"*\" at its column 3, found the end"),
      ("$.a.length()", "\"$.a.length()\" calls \"length()\", and paths have no functions"),
      ("$.a..", "expected a key, or \"*\" at its column 6, found the end"),
      ("$.a[", "expected an index, a key in quotes, \"*\", a slice or a filter at its column 5"),
      ("$.a[x]", "expected an index, a key in quotes, \"*\", a slice or a filter at its column 5"),
      ("$.a[1", "expected \"]\" at its column 6, found the end"),
      ("$.a['b]", "expected a closing quote at its column 8"),
      ("$.a[1]b", "expected \".\" or \"[\" at its column 7"),
      ("$.a[?@.b == ]", "expected @, $ or a value at its column 13"),
      ("$.a[?1]", "expected a comparison at its column 7"),
      ("$.a[?@.b == 1 & 2]", "expected \"]\" at its column 15"),
      ("$.a[?(@.b == 1]", "expected \")\" at its column 15"),
      ("$.a[?length(@) > 1]", "calls \"length\", and paths have no functions here"),
      ("$.a[?@..b == 1]", "compares what may be several values"),
      ("$.a[99999999999999999999]", "expected an index"),
    ])
  func mistakes(path: String, expected: String) {
    let error = #expect(throws: PatternError.self) { try JSONPathQuery(path) }

    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "-")")
  }

  @Test("Nesting without end, and places without end, are refused and not followed")
  func limits() throws {
    let deep = "$" + String(repeating: "[?(", count: 100_000)
    let many = Value.list(
      .init(repeating: .list(.init(repeating: .integer(1), count: 100)), count: 100))

    #expect(throws: PatternError.self) { try JSONPathQuery(deep) }
    #expect(throws: PatternError.self) {
      try JSONPathQuery("$[?" + String(repeating: "!", count: 100_000) + "@.a]")
    }
    #expect(try JSONPathQuery("$..[*]").values(in: many)?.count == 10_100)
    #expect(try JSONPathQuery("$[?$..[?$..*]]").values(in: many) == nil)
  }

  private func check(_ path: String, _ matcher: PlannedMatcher.Condition) throws -> Bool {
    let matcher = PlannedMatcher(matcher, at: SourceRange(file: "f", line: 1, column: 1))
    let paths = PlannedMatcher(
      .jsonPaths([PlannedFieldMatcher(name: path, matcher: matcher)]), at: matcher.range)
    return paths.check(.text(Self.store), scope: EmptyScope()) == nil
  }

  private struct EmptyScope: RunScope {
    func value(of root: String) -> Value? { nil }
  }

  @Test("A condition holds for the list that a path leads to, or for one of its elements")
  func conditions() throws {
    #expect(try check("$..author", .contains(.value(.string("Waugh")))))
    #expect(try check("$..author", .equals(.value(.string("Waugh")))))
    #expect(try !check("$..author", .equals(.value(.string("Nobody")))))
    #expect(try check("$.list[1:3]", .equals(.value(.list([.integer(1), .integer(2)])))))
    #expect(try !check("$.list[1:3]", .equals(.value(.list([.integer(2), .integer(1)])))))
    #expect(try check("$..price", .greaterThan(.value(.integer(300)))))
    #expect(try !check("$..price", .greaterThan(.value(.integer(400)))))
    #expect(try check("$.list[-1]", .equals(.value(.integer(6)))))
    #expect(try !check("$.list[-8]", .equals(.value(.integer(6)))))
  }
}
