/// A token of a .proto file.
struct ProtoToken: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// A name or a keyword: which of both, only the grammar knows.
    case word(String)
    /// A whole number without a sign, as written: decimal, octal or hexadecimal.
    case integer(String)
    /// A decimal number.
    case float(String)
    /// The bytes of a string, escapes resolved.
    case string([UInt8])
    /// A single sign.
    case sign(UInt8)
    /// The end of the file.
    case end
  }

  var content: Content
  var location: ProtoLocation

  /// The token as messages show it.
  var text: String {
    switch content {
    case .word(let word): "\"\(word)\""
    case .integer(let digits), .float(let digits): "\"\(digits)\""
    case .string: "a string"
    case .sign(let sign): sign == UInt8(ascii: "\"") ? "'\"'" : "\"\(Character(.init(sign)))\""
    case .end: "the end of the file"
    }
  }
}
