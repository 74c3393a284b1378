/// A token of a document (specification of October 2021, section 2.1.6).
struct GraphQLToken: Hashable {
  enum Content: Hashable {
    case punctuator(UInt8)
    case spread
    case name(String)
    case integer(String)
    case float(String)
    case string(String, isBlock: Bool)
    case end
  }

  var content: Content
  var location: GraphQLLocation

  /// The token in messages.
  var text: String {
    switch content {
    case .punctuator(let byte): "\"\(Character(Unicode.Scalar(byte)))\""
    case .spread: "\"...\""
    case .name(let name): "\"\(name.prefix(60))\""
    case .integer(let text), .float(let text): "the number \(text.prefix(60))"
    case .string(let text, _): "the text \"\(text.prefix(60))\""
    case .end: "the end of the document"
    }
  }
}
