import Foundations
import OrderedCollections
import ProtocolBuffers
import Testing

@Suite("Messages and their JSON")
struct MessageCodecTests {
  private let text = """
    syntax = "proto3"; package t;
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/duration.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/any.proto";
    import "google/protobuf/wrappers.proto";
    import "google/protobuf/field_mask.proto";
    enum Color { NONE = 0; RED = 1; }
    message Inner { string name = 1; Inner next = 2; }
    message M {
      int32 i = 1; int64 big_number = 2; string s = 3; bytes b = 4; Color color = 5; Inner inner = 6;
      repeated int32 list = 7; map<string, int32> counts = 8; oneof choice { string a = 9; int32 c = 10; }
      google.protobuf.Timestamp at = 11; google.protobuf.Duration length = 12;
      google.protobuf.Struct data = 13; google.protobuf.Any any = 14;
      google.protobuf.Int64Value wrapped = 15; google.protobuf.FieldMask mask = 16; optional int32 maybe = 17;
      double d = 18; google.protobuf.Value value = 19; sint32 zig = 20; repeated Inner inners = 21; bool yes = 22;
    }
    """

  private static let minusOne: [UInt8] = [0x08] + ones(9) + [0x01]
  private static let largest: [UInt8] = [0x10] + ones(8) + [0x7F]

  private static func ones(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xFF, count: count) }

  private static let written: [(String, [UInt8])] = [
    (#"{"i": 150}"#, [0x08, 0x96, 0x01]),
    (#"{"i": -1}"#, minusOne),
    (#"{"s": "testing"}"#, [0x1A, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67]),
    (#"{"list": [3, 270, 86942]}"#, [0x3A, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05]),
    (#"{"zig": -2}"#, [0xA0, 0x01, 0x03]),
    (#"{"i": 0, "s": "", "list": []}"#, []),
    (#"{"maybe": 0}"#, [0x88, 0x01, 0x00]),
    (#"{"inner": {}}"#, [0x32, 0x00]),
    (#"{"counts": {"a": 1}}"#, [0x42, 0x05, 0x0A, 0x01, 0x61, 0x10, 0x01]),
    (#"{"color": "RED"}"#, [0x28, 0x01]), (#"{"color": 7}"#, [0x28, 0x07]),
    (
      #"{"bigNumber": "9223372036854775807"}"#,
      largest
    ),
  ]

  @Test("A message is written as other writers do", arguments: written)
  func bytes(json: String, bytes: [UInt8]) throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.M")
    let value = try JSONText.parse(json)

    #expect(try codec.encode(value, as: type) == bytes)
  }

  @Test(
    "A message is read in the canonical form, whatever form it was written in",
    arguments: [
      (#"{"big_number": 5}"#, #"{"bigNumber":"5"}"#),
      (#"{"bigNumber": "1e3"}"#, #"{"bigNumber":"1000"}"#),
      (#"{"b": "-_8"}"#, #"{"b":"+/8="}"#), (#"{"color": 1}"#, #"{"color":"RED"}"#),
      (#"{"at": "2026-03-01T10:00:00.5+01:00"}"#, #"{"at":"2026-03-01T09:00:00.500Z"}"#),
      (#"{"length": "-1.5s"}"#, #"{"length":"-1.500s"}"#),
      (#"{"data": {"a": [1, null, {"b": "c"}]}}"#, #"{"data":{"a":[1,null,{"b":"c"}]}}"#),
      (#"{"wrapped": 0}"#, #"{"wrapped":"0"}"#), (#"{"mask": "a,bC.dE"}"#, #"{"mask":"a,bC.dE"}"#),
      (
        #"{"any": {"@type": "x/t.Inner", "name": "q"}}"#,
        #"{"any":{"@type":"x/t.Inner","name":"q"}}"#
      ),
      (
        #"{"any": {"@type": "x/google.protobuf.Duration", "value": "3s"}}"#,
        #"{"any":{"@type":"x/google.protobuf.Duration","value":"3s"}}"#
      ),
      (#"{"d": "NaN"}"#, #"{"d":"NaN"}"#), (#"{"d": 1e2}"#, #"{"d":100}"#),
      (#"{"value": null}"#, #"{"value":null}"#),
      (#"{"inner": null, "s": "x"}"#, #"{"s":"x"}"#),
    ])
  func forms(json: String, canonical: String) throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.M")

    let bytes = try codec.encode(try JSONText.parse(json), as: type)

    #expect(try codec.decode(bytes, as: type, showsDefaults: false).jsonText() == canonical)
  }

  @Test("What a client leaves out has its default, unless its absence can be told")
  func defaults() throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.M")
    let value = try codec.decode([], as: type)

    #expect(value.member("i") == .integer(0))
    #expect(value.member("bigNumber") == .string("0"))
    #expect(value.member("color") == .string("NONE"))
    #expect(value.member("list") == .list([]))
    #expect(value.member("counts") == .map([:]))
    #expect(value.member("maybe") == nil)
    #expect(value.member("inner") == nil)
    #expect(value.member("a") == nil)
  }

  @Test(
    "A value that describes no message is refused at its place",
    arguments: [
      (#"{"ii": 1}"#, ".ii", "t.M has no field \"ii\""),
      (#"{"inner": {"nmae": "x"}}"#, ".inner.nmae", "t.Inner has no field \"nmae\""),
      (#"{"i": 2147483648}"#, ".i", "expected a whole number (int32), got 2147483648"),
      (#"{"i": 1.5}"#, ".i", "expected a whole number (int32), got 1.5"),
      (#"{"s": 1}"#, ".s", "expected text (string), got 1"),
      (#"{"yes": "true"}"#, ".yes", "expected true or false, got \"true\""),
      (#"{"b": "*"}"#, ".b", "expected bytes in Base64, got \"*\""),
      (#"{"color": "REED"}"#, ".color", "t.Color has no value \"REED\""),
      (#"{"a": "x", "c": 1}"#, ".c", "\"c\" cannot stand beside \"a\": both belong to \"choice\""),
      (
        #"{"bigNumber": 1, "big_number": 2}"#, ".big_number",
        "\"big_number\" and \"bigNumber\" are one field"
      ),
      (#"{"list": [1, "x"]}"#, ".list[1]", "expected a whole number (int32), got \"x\""),
      (#"{"list": 1}"#, ".list", "expected a list, got 1"),
      (#"{"counts": [1]}"#, ".counts", "expected a map, got [1]"),
      (#"{"inners": [null]}"#, ".inners[0]", "null cannot be an element"),
      (#"{"at": "tomorrow"}"#, ".at", "expected a timestamp, got \"tomorrow\""),
      (#"{"length": "5"}"#, ".length", "expected a duration, got \"5\""),
      (#"{"any": {"name": "x"}}"#, ".any", "the message has no \"@type\""),
      (
        #"{"any": {"@type": "x/t.Iner"}}"#, ".any['@type']",
        "\"x/t.Iner\" names no message of the files"
      ),
    ])
  func mistakes(json: String, place: String, message: String) throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.M")
    let value = try JSONText.parse(json)

    let problem = #expect(throws: MessageProblem.self) { try codec.encode(value, as: type) }

    #expect(problem?.message == message)
    #expect(problem?.path.map(\.text).joined() == place)
  }

  private static let endless: [UInt8] = [0x08] + [UInt8](repeating: 0x80, count: 11)

  private static let broken: [([UInt8], String)] = [
    ([0x08], "t.M, field \"i\" (1), byte 1: the message ends within a number"),
    ([0x1A, 0x05, 0x41], "t.M, field \"s\" (3), byte 1: the length is 5, but 1 bytes are left"),
    ([0x1A, 0x01, 0xFF], "t.M, field \"s\" (3), byte 2: the text is not UTF-8"),
    (
      [0x0A, 0x00],
      "t.M, field \"i\" (1), byte 0: the field is a varint on the wire, but a length and bytes came"
    ),
    (
      [0x32, 0x02, 0x0A, 0x07],
      "t.Inner, field \"name\" (1), byte 3: the length is 7, but 0 bytes are left"
    ),
    ([0x07], "t.M, byte 0: 7 is no tag of a field"),
    ([0x00], "t.M, byte 0: 0 is no tag of a field"),
    (
      endless,
      "t.M, field \"i\" (1), byte 1: a number has more than 10 bytes"
    ),
  ]

  @Test("Bytes that are no message are refused with message, field and offset", arguments: broken)
  func malformed(bytes: [UInt8], text expected: String) throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.M")

    let problem = #expect(throws: WireProblem.self) { try codec.decode(bytes, as: type) }

    #expect(problem?.text == expected)
  }

  @Test("Fields that a message does not have are passed over, and pieces of a message are one")
  func merging() throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.M")
    let bytes: [UInt8] = [
      0xF8, 0x3F, 0x05, 0x32, 0x03, 0x0A, 0x01, 0x61, 0x32, 0x05, 0x12, 0x03, 0x0A, 0x01, 0x62,
      0x38, 0x05, 0x3A, 0x01,
      0x06,
    ]

    let value = try codec.decode(bytes, as: type, showsDefaults: false)

    #expect(value.jsonText() == #"{"inner":{"name":"a","next":{"name":"b"}},"list":[5,6]}"#)
  }

  @Test("A list of many messages is read in time that grows with it")
  func longList() throws {
    let (codec, type) = try ProtoFiles.codec(
      "syntax = \"proto3\"; message L { repeated L all = 1; }", "L")
    let count = 100_000
    let bytes = (0..<count).flatMap { _ in [0x0A, 0x00] as [UInt8] }

    guard case .list(let elements)? = try codec.decode(bytes, as: type).member("all") else {
      Issue.record("no list")
      return
    }
    #expect(elements.count == count)
  }

  @Test("Messages are nested a hundred deep, and no deeper")
  func depth() throws {
    let (codec, type) = try ProtoFiles.codec(text, "t.Inner")
    var bytes: [UInt8] = []
    for _ in 0..<99 { bytes = [0x12] + length(bytes.count) + bytes }
    #expect(throws: Never.self) { try codec.decode(bytes, as: type) }

    for _ in 0..<20_000 { bytes = [0x12] + length(bytes.count) + bytes }
    let problem = #expect(throws: WireProblem.self) { try codec.decode(bytes, as: type) }
    #expect(problem?.reason == "messages are nested more than 100 deep")
  }

  private func length(_ count: Int) -> [UInt8] {
    var rest = count
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
