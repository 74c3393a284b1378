import Foundations
import Testing

@Suite("Tables as CSV")
struct CSVTableTests {
  @Test(
    "Columns of JSON's numbers hold numbers, of true and false bools, and all others text",
    arguments: [
      ("a,b\n1,x\n2,y\n", #"[{"a":1,"b":"x"},{"a":2,"b":"y"}]"#),
      ("a\n007\n12\n", #"[{"a":"007"},{"a":"12"}]"#),
      ("a\n3.9\n3.10\n", #"[{"a":"3.9"},{"a":"3.10"}]"#),
      ("a\n1.5\n-2\n", #"[{"a":1.5},{"a":-2}]"#), ("a\n\"1\"\n2\n", #"[{"a":"1"},{"a":"2"}]"#),
      ("a,b\n1,\n,x\n", #"[{"a":1,"b":""},{"a":null,"b":"x"}]"#),
      ("a\ntrue\nfalse\n", #"[{"a":true},{"a":false}]"#),
      ("a\ntrue\n1\n", #"[{"a":"true"},{"a":"1"}]"#),
      ("\u{FEFF}a\r\nx\r\n\r\ny", #"[{"a":"x"},{"a":"y"}]"#),
      ("a,b\n\"x, \"\"y\"\"\nz\",1\n", #"[{"a":"x, \"y\"\nz","b":1}]"#), ("a\n", "[]"),
    ])
  func values(text: String, expected: String) throws {
    #expect(try CSVTable(text).value.jsonText() == expected)
  }

  @Test(
    "What is no table is told with its place",
    arguments: [
      ("", "1:1: the table is empty"),
      ("a,b\n1\n", "2:1: the row has 1 cell, and the first line 2"),
      ("a\n1\n1,2\n", "3:1: the row has 2 cells, and the first line 1"),
      ("a,a\n", "1:3: two columns are called \"a\""), ("a,\n", "1:3: column 2 has no name"),
      ("a\n\"x\n", "2:1: the cell has no closing quote"),
      ("a\n\"x\"y\n", "2:4: something stands behind the closing quote of a cell"),
      ("a,b\nx,y\"z\n", "2:4: a double quote stands inside a cell without quotes"),
      ("a,b\n\"1\n2\",3\n4\n", "4:1: the row has 1 cell, and the first line 2"),
    ])
  func mistakes(text: String, message: String) {
    let problem = #expect(throws: CSVTable.Problem.self) { try CSVTable(text) }
    #expect(problem.map { "\($0.line):\($0.column): \($0.message)" } == message)
  }
}
