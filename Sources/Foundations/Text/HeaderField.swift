/// The characters of header fields (RFC 9110, section 5).
package enum HeaderField {
  private static let marks = Set("!#$%&'*+-.^_`|~".utf8)

  /// Returns whether a text is a field's name: a token (section 5.1).
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: marks.contains(byte)
        }
      }
  }

  /// Returns whether a text is a field's value: it holds no control character but tabs (section 5.5).
  package static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}
