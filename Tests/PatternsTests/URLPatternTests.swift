import Patterns
import Testing

@Suite("URL patterns")
struct URLPatternTests {
  private func target(_ url: String) throws -> RequestTarget {
    try RequestTarget(scheme: "https", authority: "unused", target: url)
  }

  @Test(
    "A pattern has one spelling",
    arguments: [
      ("https://API.Example.com:443/a", "https://api.example.com/a"),
      ("http://h:80", "http://h/"), ("http://h:8080/", "http://h:8080/"),
      ("https://h/%7euser/%c3%a4", "https://h/~user/%C3%A4"),
      ("https://h/ä b", "https://h/%C3%A4%20b"),
      ("https://h/a%2fb", "https://h/a%2Fb"), ("https://h/o/{id}/*", "https://h/o/{id}/*"),
      ("*://h/a", "*://h/a"), ("https://[::1]:8443/", "https://[::1]:8443/"),
      ("https://h/?q=a+b&x", "https://h/?q=a%20b&x="),
    ])
  func canonical(text: String, expected: String) throws {
    #expect(try URLPattern(parsing: text).text == expected)
  }

  @Test(
    "A malformed pattern is refused",
    arguments: [
      "", "/path", "h/path", "ftp://h/", "https:///a", "https://h:0/", "https://h:99999/",
      "https://h:x/", "https://user@h/", "https://h/#top", "https://h/%zz", "https://h/{id",
      "https://h/{a}{b}", "https://h/{}", "https://h/a**", "https://h/{a}/{a}", "https://h/?q={x}",
      "https://h/?q=*", "https://ä.de/", "https://h/{a}*",
    ])
  func malformed(text: String) {
    #expect(throws: PatternError.self) { try URLPattern(parsing: text) }
  }

  @Test(
    "A request matches and its templates are captured",
    arguments: [
      ("https://h/o/{id}", "https://h/o/7", ["id": "7"]),
      ("https://h/o/{id}", "https://h/o/a%20b%2Fc", ["id": "a b/c"]),
      ("https://h/{a}/x/{b}.json", "https://h/1/x/2.json", ["a": "1", "b": "2"]),
      ("https://h/**/{last}", "https://h/a/b/c", ["last": "c"]),
      ("https://h/**", "https://h/", [:]), ("https://h/a/**", "https://h/a", [:]),
      ("https://h/*.json", "https://h/x.json", [:]), ("*://h:8080/", "http://h:8080/", [:]),
      ("https://*.example.com/", "https://a.b.example.com/", [:]),
      ("https://h/?a=1&b=2", "https://h/?x=0&b=2&a=1", [:]),
      ("https://h/?q=a%20b", "https://h/?q=a+b", [:]),
      ("https://h/%7Eu", "https://H:443/~u", [:]),
    ])
  func match(pattern: String, url: String, captures: [String: String]) throws {
    #expect(try URLPattern(parsing: pattern).match(target(url)) == captures)
  }

  @Test(
    "A request does not match",
    arguments: [
      ("https://h/o/{id}", "https://h/o/"), ("https://h/o/{id}", "https://h/o/1/2"),
      ("https://h/o", "https://h/o/"), ("https://h/o", "http://h/o"),
      ("https://h/o", "https://i/o"),
      ("https://h/o", "https://h:8443/o"), ("https://h/?a=1", "https://h/?a=2"),
      ("https://h/?a=1", "https://h/"), ("https://h/*", "https://h/a/b"),
      ("https://h/a%2Fb", "https://h/a/b"), ("https://h/A", "https://h/a"),
      ("https://h/a?b", "https://h/axb"), ("https://h/{x}.json", "https://h/.json"),
    ])
  func noMatch(pattern: String, url: String) throws {
    #expect(try URLPattern(parsing: pattern).match(target(url)) == nil)
  }

  @Test("A request line may leave out method and host")
  func requestLine() throws {
    let full = try URLPattern.parseRequestLine("POST https://h/orders")
    let path = try URLPattern.parseRequestLine("GET /orders/{id}")
    let alone = try URLPattern.parseRequestLine("/orders")

    #expect(full.method == "POST" && full.url.host == "h")
    #expect(path.url.match(try target("https://any:99/orders/3")) == ["id": "3"])
    #expect(alone.method == nil && alone.url.path == "/orders")
  }

  @Test(
    "A request line that says something else is refused",
    arguments: [
      "get /orders", "GET orders", "GET /a b", "", "GET",
    ])
  func malformedRequestLine(text: String) {
    #expect(throws: PatternError.self) { try URLPattern.parseRequestLine(text) }
  }

  @Test("A target is read from Host and origin form")
  func originForm() throws {
    let target = try RequestTarget(
      scheme: "http", authority: "Api.Test:8080", target: "/a%7e/b?x=1&x=2&y")

    #expect(target.text == "http://api.test:8080/a~/b?x=1&x=2&y=")
    #expect(target.port == 8080)
    #expect(throws: PatternError.self) {
      try RequestTarget(scheme: "http", authority: "a b", target: "/")
    }
  }

  @Test(
    "A star that is percent-encoded in a pattern is the letter, however a request spells it",
    arguments: [
      ("/a%2Ab", true), ("/a*b", true), ("/a%2ab", true), ("/axb", false), ("/ab", false),
    ])
  func literalStar(path: String, isMatch: Bool) throws {
    let pattern = try URLPattern(parsing: "https://h/a%2Ab")

    #expect((try pattern.match(target("https://h" + path)) != nil) == isMatch)
    #expect(try pattern.match(target("https://h" + path + "/c")) == nil)
  }

  @Test(
    "A letter beside a template is the letter, too",
    arguments: [("/a%2Ab-*", "/a*b-c"), ("/a%2A{x}", "/a*c"), ("/a%2Ab-*", "/a%2Ab-c")])
  func literalStarBesideTemplates(pattern: String, path: String) throws {
    let pattern = try URLPattern(parsing: "https://h" + pattern)

    #expect(try pattern.match(target("https://h" + path)) != nil)
    #expect(try pattern.match(target("https://h" + path.replacing("a", with: "b"))) == nil)
  }

  @Test("Many double stars that do not match are at an end")
  func manyStars() throws {
    let pattern = "https://h/" + String(repeating: "**/a/", count: 30) + "b"
    let url = "https://h/" + String(repeating: "a/", count: 2_000)

    #expect(try URLPattern(parsing: pattern).match(target(url)) == nil)
  }
}
