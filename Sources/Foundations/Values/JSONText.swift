/// Reading of JSON as RFC 8259 defines it, with nothing added.
package enum JSONText {
  /// The greatest depth to which lists and maps may nest.
  package static let maximumDepth = 512

  /// Reads one JSON text.
  ///
  /// A key that a map repeats keeps the place of its first and the value of its last occurrence. A
  /// whole number beyond 64 bits becomes a `number`.
  package static func parse(_ text: String) throws(JSONParseError) -> Value {
    try parse(text, refusesRepetition: false)
  }

  /// Reads one JSON text.
  ///
  /// - Parameter refusesRepetition: Whether a key that a map repeats is a mistake, as in what an author writes: readers
  ///   differ on which of the two counts.
  package static func parse(
    _ text: String, refusesRepetition: Bool
  ) throws(JSONParseError) -> Value {
    var parser = JSONParser(bytes: Array(text.utf8), refusesRepetition: refusesRepetition)
    return try parser.parseDocument()
  }

  /// Reads one JSON text from bytes, which must be UTF-8.
  package static func parse(utf8 bytes: [UInt8]) throws(JSONParseError) -> Value {
    try parse(utf8: bytes, refusesRepetition: false)
  }

  /// Reads one JSON text from bytes, which must be UTF-8.
  ///
  /// - Parameter refusesRepetition: Whether a key that a map repeats is a mistake.
  package static func parse(
    utf8 bytes: [UInt8], refusesRepetition: Bool
  ) throws(JSONParseError) -> Value {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let place = UTF8Validation.firstInvalid(in: bytes)
      throw JSONParseError(
        "the bytes are not valid UTF-8", line: place?.line ?? 1, column: place?.column ?? 1)
    }
    return try parse(text, refusesRepetition: refusesRepetition)
  }
}

/// The reason why a text is not JSON.
package struct JSONParseError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1 in Unicode scalars.
  package var column: Int

  /// Creates an error.
  package init(_ message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}
