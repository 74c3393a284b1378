import ScenarioModel
import Testing

@Suite("Ends of links")
struct LinkEndsTests {
  @Test(
    "An end is a name, a pattern, or several in brackets",
    arguments: [
      ("n1 <-> n2", ["n1"], ["n2"], true), ("n1->n2", ["n1"], ["n2"], false),
      ("n* -> [db, api.example.com:443]", ["n*"], ["db", "api.example.com:443"], false),
      ("n1 <-> [2001:db8::1]:443", ["n1"], ["[2001:db8::1]:443"], true),
      ("[::1] -> [n1, n2]", ["[::1]"], ["n1", "n2"], false),
      ("[a, [::1]:80] -> n1", ["a", "[::1]:80"], ["n1"], false),
      ("[ab:80] -> n1", ["ab:80"], ["n1"], false),
      ("[ n-1 ,n_2 ]  <->\tn3", ["n-1", "n_2"], ["n3"], true),
    ])
  func forms(text: String, from: [String], to: [String], isTwoWay: Bool) throws {
    let ends = try #require(LinkEnds(text))
    #expect(ends == LinkEnds(from: from, to: to, isTwoWay: isTwoWay))
    #expect(LinkEnds(ends.text) == ends)
  }

  @Test(
    "Other texts are none, and what they may mean is found",
    arguments: [
      ("n1 => n2", "n1 -> n2"), ("n1 <=> n2", "n1 <-> n2"), ("n1 <- n2", "n2 -> n1"),
      ("n1 --> n2", "n1 -> n2"), ("n1, n2 <-> n3", "[n1, n2] <-> n3"), ("n1 to n2", "n1 -> n2"),
      ("n1 → n2", "n1 -> n2"), ("n1 -- n2", "n1 <-> n2"), ("n1 ->", nil), ("-> n1", nil),
      ("[] -> n1", nil), ("n1 -> n2 -> n3", nil), ("api.example.com", nil), ("", nil),
      ("[n1 -> n2", nil), ("n1 -> [::g]:80", nil), ("n1 -> [::1]80", nil), ("n1 n2 -> n3", nil),
    ] as [(String, String?)])
  func others(text: String, meant: String?) {
    #expect(LinkEnds(text) == nil)
    #expect(LinkEnds.meant(by: text)?.text == meant)
  }

  @Test("Bytes go the ways of an arrow")
  func ways() throws {
    let oneWay = try #require(LinkEnds("[a, b] -> c"))
    #expect(oneWay.carries(from: "b", to: "c") && !oneWay.carries(from: "c", to: "b"))
    #expect(!oneWay.carries(from: "a", to: "b"))
    let twoWay = try #require(LinkEnds("[a, b] <-> c"))
    #expect(twoWay.carries(from: "c", to: "a") && twoWay.carries(from: "a", to: "c"))
    let turned = try #require(LinkEnds("c <-> b"))
    let part = try #require(LinkEnds("a -> c"))
    #expect(twoWay.contain(turned) && !turned.contain(twoWay) && !twoWay.contain(oneWay))
    #expect(oneWay.contain(part) && !oneWay.contain(twoWay))
  }
}
