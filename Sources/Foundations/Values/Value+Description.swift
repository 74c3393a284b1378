internal import OrderedCollections

extension Value {
  /// The kind of value, in the words of an author.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .number: "number"
    case .string: "text"
    case .list: "list"
    case .map: "map"
    }
  }

  /// The kind behind its article, as in "a list".
  package var kindWithArticle: String {
    switch self {
    case .null, .string: kind
    case .bool, .integer, .number, .list, .map: "a \(kind)"
    }
  }

  /// The value's form inside text; `nil` for null, lists and maps, which have no such form.
  package var textForm: String? {
    switch self {
    case .string(let string): string
    case .bool, .integer, .number: jsonText()
    case .null, .list, .map: nil
    }
  }

  /// A short form for messages: JSON on one line, cut in the middle of a long one.
  package func excerpt(limit: Int = 80) -> String {
    jsonText().excerpt(limit: limit)
  }
}

extension String {
  /// The text, or its beginning and an ellipsis, by which those who redact know that it was cut.
  ///
  /// - Parameter limit: how many scalars are kept at most.
  package func excerpt(limit: Int) -> String {
    let scalars = unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else {
      return self
    }
    return String(scalars[..<end]) + "…"
  }
}
