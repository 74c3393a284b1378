internal import ScenarioSyntax

/// The context of a place in a text, whether the text can be read or not.
///
/// A file that is being written is broken most of the time, so that lists and maps are recognized
/// by their indentation and braces alone. The meaning of a file is never decided by this.
struct CursorContext {
  /// A step from the file's top towards the place.
  enum Step: Equatable {
    /// The value of a key, with all keys of its map.
    case key(String, beside: Set<String>)
    /// An entry of a list.
    case entry
  }

  /// The steps to the map, list or value that contains the place.
  var path: [Step] = []
  /// The keys of the map that contains the place.
  var siblings: Set<String> = []
  /// The words behind keys of that map and of those around it.
  var values: [String: String] = [:]
  /// True if a key may begin there.
  var mayBeKey = false
  /// True if a value may begin there.
  var mayBeValue = false
  /// True if the place is within quotes.
  var isQuoted = false
  /// The column in which keys of the map begin, from 0; `nil` between braces.
  var column: Int?
  /// The offsets of what has been written of the key or value in front of the place.
  var word: Range<Int>
  /// The offsets of what has been written of an expression, from behind its opening.
  var expression: Range<Int>?

  /// The place in the language.
  var place: LanguagePlace {
    path.reduce(.file) { place, step in
      switch step {
      case .key(let key, let beside): place.value(of: key, beside: beside)
      case .entry: place.entry
      }
    }
  }
}

extension CursorContext {
  /// Determines the context of an offset.
  init(of bytes: [UInt8], at offset: Int) {
    var scanner = OutlineScanner(bytes, end: offset)
    self = scanner.scan()
    expression = Self.expression(in: bytes, before: offset)
  }

  /// An expression reaches no further back than this.
  private static let expressionLimit = 4096

  private static func expression(in bytes: [UInt8], before end: Int) -> Range<Int>? {
    var offset = end
    let limit = max(0, end - expressionLimit)
    while offset > limit {
      offset -= 1
      let byte = bytes[offset]
      if byte == UInt8(ascii: "}"), offset > 0, bytes[offset - 1] == UInt8(ascii: "}") {
        return nil
      }
      guard byte == UInt8(ascii: "$"), offset + 2 < end, bytes[offset + 1] == UInt8(ascii: "{"),
        bytes[offset + 2] == UInt8(ascii: "{")
      else { continue }
      let isEscaped = offset > 0 && bytes[offset - 1] == UInt8(ascii: "$")
      return isEscaped ? nil : (offset + 3)..<end
    }
    return nil
  }
}
