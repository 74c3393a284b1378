import Foundations
import ProtocolBuffers
import Testing

/// Mistakes in .proto files, each with its place.
@Suite("Mistakes in .proto files")
struct ProtoSyntaxTests {
  private func problems(_ text: String, _ more: [String: String] = [:]) -> [String] {
    let (_, problems) = ProtoLoader.load(["a.proto"]) { path in
      path == "a.proto" ? Array(text.utf8) : more[path].map { Array($0.utf8) }
    }
    return problems.map { problem in
      let place = problem.location.map { ":\($0.line):\($0.column)+\($0.length)" } ?? ""
      return "\(problem.file)\(place): \(problem.message)"
    }
  }

  @Test(
    "A mistake is found at its line and column",
    arguments: [
      ("message A { strin a = 1; }", "1:13+5", "a type \"strin\" is not defined"),
      ("message A { string a = ; }", "1:24+1", "expected a field's number, found \";\""),
      (
        "message A {\n  string a = 1\n}", "3:1+1",
        "expected \";\" behind the field \"a\", found \"}\""
      ),
      ("message A { string a = 0; }", "1:24+1", "0 is out of range for a field's number"),
      ("message A { string a = 19000; }", "1:24+5", "the numbers from 19000 to 19999 are reserved"),
      ("message A { string a = 1; int32 b = 1; }", "1:37+1", "the number 1 of \"A\" is used twice"),
      ("message A { string a = 1; int32 a = 2; }", "1:33+1", "\"A.a\" is defined twice"),
      ("message A {} message A {}", "1:22+1", "\"A\" is defined twice"),
      (
        "message A { reserved 1 to 3; int32 b = 2; }", "1:40+1", "the number 2 is reserved in \"A\""
      ),
      (
        "message A { reserved \"b\"; int32 b = 2; }", "1:33+1",
        "the name \"b\" is reserved in \"A\""
      ),
      ("message A { required int32 b = 2; }", "1:13+8", "proto3 has no required fields"),
      ("enum E { ONE = 1; }", "1:16+1", "the first value of \"E\" is not 0"),
      ("enum E { A = 0; B = 0; }", "1:21+1", "the number 0 of \"E\" is used twice"),
      ("enum E { }", "1:6+1", "the enum \"E\" has no value"),
      ("message A { map<float, int32> a = 1; }", "1:17+5", "expected the type of a map's keys"),
      ("message A { oneof x { } }", "1:19+1", "the oneof \"x\" has no field"),
      ("message A { int32 a_b = 1; int32 aB = 2; }", "1:34+2", "have the same name in JSON"),
      ("service S { rpc Get (A) returns (B); }", "1:22+1", "a message \"A\" is not defined"),
      ("service S { rpc Get (A) return (A); } message A {}", "1:25+6", "expected \"returns\""),
      ("message A { string a = 1 [deprecate = true]; }", "1:27+9", "unknown option \"deprecate\""),
      ("message A { string a = 1 [deprecated = 7]; }", "1:27+10", "expected true or false, got 7"),
      ("import \"b.proto\";", "1:8+9", "\"b.proto\" is imported, and cannot be found"),
      ("message A { string a = 1; ", "1:11+1", "the message \"A\" does not end"),
      ("message A { string a = 09; }", "1:24+2", "\"09\" is not a number"),
      ("option java_package = \"x", "1:23+1", "the string does not end"),
      ("/* message A {}", "1:1+1", "the comment does not end"),
      ("message Ä {}", "1:9+1", "unexpected \"Ä\""),
      ("extend A { int32 x = 100; } message A {}", "1:22+3", "does not declare 100 as the number"),
    ])
  func place(text: String, place: String, message: String) {
    let found = problems("syntax = \"proto3\"; " + "\n" + text)
    let line = place.split(separator: ":")
    let expected = "a.proto:\((Int(line[0]) ?? 0) + 1):\(line[1]): "
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
    #expect(found.first?.contains(message) == true, "\(found)")
  }

  @Test("An option's name has few parts")
  func longOption() {
    let name = (["(a)"] + [String](repeating: "b", count: 20_000)).joined(separator: ".")
    let found = problems("syntax = \"proto3\"; option \(name) = 1;")
    #expect(found.count == 1)
    #expect(found.first?.contains("the option's name has more than 32 parts") == true, "\(found)")
  }

  @Test("A file of the author's own under a name that is built in needs the same fields")
  func ownWrapper() {
    func found(_ fields: String) -> [String] {
      problems(
        "syntax = \"proto3\"; import \"google/protobuf/wrappers.proto\"; message A { google.protobuf.StringValue a = 1; }",
        [
          "google/protobuf/wrappers.proto":
            "syntax = \"proto3\"; package google.protobuf; message StringValue { \(fields) }"
        ])
    }
    #expect(found("string value = 1;").isEmpty)
    for fields in ["", "bytes value = 1;", "string value = 2;", "repeated string value = 1;"] {
      #expect(
        found(fields).first?.contains(
          "\"google.protobuf.StringValue\" has other fields than Protocol Buffers define for it")
          == true)
    }
  }

  @Test(
    "A descriptor set with a number or a oneof that no field can have is refused",
    arguments: [
      // number: -1, 0 and 2^29; oneof_index: 0, without a oneof.
      (
        [0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        "has the number -1, which no field can"
      ),
      ([0x18, 0x00], "has the number 0, which no field can have"),
      ([0x18, 0x80, 0x80, 0x80, 0x80, 0x02], "has the number 536870912, which no field can have"),
      ([0x18, 0x01, 0x48, 0x00], "belongs to a oneof that \"M\" does not have"),
    ] as [([UInt8], String)])
  func set(members: [UInt8], message: String) {
    func member(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(bytes.count)] + bytes
    }
    // A singular int32 named "f" in a message "M" (descriptor.proto).
    let field = member(1, Array("f".utf8)) + [0x20, 1, 0x28, 5] + members
    let type = member(1, Array("M".utf8)) + member(2, field)
    let file = member(1, Array("a.proto".utf8)) + member(4, type)
    let (_, problems) = ProtoLoader.load(["a.binpb"]) { _ in member(1, file) }
    #expect(problems.first?.message.contains(message) == true, "\(problems.map(\.message))")
    #expect(problems.first?.help == "write the descriptor set with protoc again")
  }
}
