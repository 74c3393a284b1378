@testable import Patterns
import Testing

@Suite("Names of groups")
struct GroupNameTests {
  @Test(
    "Groups with names are found, and nothing that looks like one",
    arguments: [
      (#"port (?<port>\d+)"#, ["port"]), (#"(?<a>.)(?<b>.)"#, ["a", "b"]), ("(x)", []),
      (#"\(?<no>"#, []), ("(?<=x)y(?<!z)", []), ("[(?<no>]", []), (#"\\(?<yes>.)"#, ["yes"]),
      ("(?:(?<in>.))", ["in"]), (#"\Q[\E(?<quoted>.)"#, ["quoted"]),
      (#"\Q(?<no>\E(?<yes>.)"#, ["yes"]), ("(?#(?<no>)(?<yes>.)", ["yes"]),
      ("(?x) a # (?<no>\n (?<yes>.)", ["yes"]), ("[]](?<yes>.)", ["yes"]),
      // What no linear search can do has names all the same.
      (#"(?<word>\w+) (?=x)(?<rest>.)"#, ["word", "rest"]),
    ])
  func names(text: String, names: [String]) {
    #expect(RegularExpression(text).groupNames == names)
  }

  @Test("What they match comes with their names; who takes no part is left out")
  func texts() {
    let expression = RegularExpression(#"(?<host>\w+):(?<port>\d+)(?<rest>/.*)?"#)
    let found = expression.groupMatch(in: "at localhost:8080.")?.groups

    #expect(found?.map(\.name) == ["host", "port"])
    #expect(found?.map(\.text) == ["localhost", "8080"])
    #expect(expression.groupMatch(in: "nothing") == nil)
  }
}
