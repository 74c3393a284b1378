@testable import Patterns
import Testing

@Suite("IPv6 addresses as text")
struct IPv6LiteralTests {
  @Test(
    "Texts of one address are equal",
    arguments: [
      ("2001:db8::9", "[2001:DB8:0:0::0009]"), ("::", "0:0:0:0:0:0:0:0"),
      ("::1", "0:0:0:0:0:0:0:1"), ("1::", "1:0:0:0:0:0:0:0"), ("::ffff:10.0.0.1", "::ffff:a00:1"),
      ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:7.8.9.10", "1:2:3:4:5:6:708:90a"),
    ])
  func equal(one: String, other: String) throws {
    let literal = try #require(IPv6Literal(one))

    #expect(literal == IPv6Literal(other))
    #expect(literal != IPv6Literal("2001:db8::8"))
  }

  @Test(
    "Other texts are none",
    arguments: [
      "", "example.com", "192.0.2.1", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7:8::", "12345::", "+1::", "g::", "[::1", "*::", "1.2.3.4::", "::1.2.3.4:5",
      "::1.2.3", "::1.2.3.256",
      "::01.2.3.4", "::-0.2.3.4", "1:2:3:4:5:6:7:1.2.3.4",
    ])
  func others(text: String) {
    #expect(IPv6Literal(text) == nil)
  }
}
