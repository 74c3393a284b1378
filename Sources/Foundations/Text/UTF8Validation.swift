/// Finds where bytes stop being UTF-8.
package enum UTF8Validation {
  /// The place of the first byte that no valid UTF-8 text could have there; `nil` if all is well.
  package static func firstInvalid(in bytes: [UInt8]) -> TextPosition? {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let encoded): offset += encoded.count
      case .emptyInput: return nil
      case .error: return TextPosition(of: offset, in: bytes)
      }
    }
  }
}
