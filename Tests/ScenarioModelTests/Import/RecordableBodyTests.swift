@testable import Foundations
import Testing

@Suite("Bodies as the language writes them")
struct RecordableBodyTests {
  @Test(
    "JSON that writing anew would change stays text",
    arguments: [
      (#"{"a": 1.5}"#, true), (#"{"a": 1.10}"#, false), (#"{"a": 1, "a": 2}"#, false),
      ("123456789012345678901234567890", false), (#"["\u00e9\/"]"#, true),
      (#"{"$build": 1}"#, false), (#"{"a": [true, null, {}]}"#, true),
    ])
  func faithfulness(text: String, isJSON: Bool) {
    let body = RecordableBody(Array(text.utf8), mediaType: "application/json")

    if case .json = body { #expect(isJSON) } else { #expect(!isJSON && body == .text(text)) }
  }

  @Test("Text of another type stays text, bytes stay bytes, nothing is nothing")
  func kinds() {
    #expect(RecordableBody(Array("{}".utf8), mediaType: "text/plain") == .text("{}"))
    #expect(RecordableBody([0xFF, 0], mediaType: nil) == .bytes([0xFF, 0]))
    #expect(RecordableBody([7], mediaType: "text/plain") == .bytes([7]))
    let lines = "a\u{85}b\u{2028}c\u{2029}d"
    #expect(RecordableBody(Array(lines.utf8), mediaType: nil) == .text(lines))
    #expect(RecordableBody(Array("a\u{84}".utf8), mediaType: nil) == .bytes([0x61, 0xC2, 0x84]))
    #expect(RecordableBody([], mediaType: "application/json") == .empty)
  }

  @Test("Base64 comes back as it was, and what is none is refused", arguments: 0..<66)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }

    #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
    #expect(Base64.decoded("a") == nil)
    #expect(Base64.decoded("a%b=") == nil)
    #expect(Base64.decoded("YQ=b") == nil)
  }
}
