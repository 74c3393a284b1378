extension Base64 {
  /// The text of bytes in the letters that URLs take, without padding (RFC 4648, section 5).
  package static func encodedForURL(_ bytes: [UInt8]) -> String {
    String(
      decoding: encoded(bytes).utf8.compactMap { letter -> UInt8? in
        switch letter {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: letter
        }
      }, as: UTF8.self)
  }

  /// The bytes of such a text; `nil` if it is none.
  package static func decodedFromURL(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else {
      return nil
    }
    return decoded(text.replacing("-", with: "+").replacing("_", with: "/"))
  }
}
