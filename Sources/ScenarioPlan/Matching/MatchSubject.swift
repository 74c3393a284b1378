package import Foundations

/// The subject of a matcher.
package enum MatchSubject: Sendable, Hashable {
  /// Text: an output, a file, a header's value.
  case text(String)
  /// Data.
  case value(Value)
  /// A whole number: an exit code, a count.
  case integer(Int64)
  /// The text of a node of XML, which knows no kinds of values: 7 and "7" are the same.
  case node(String)
  /// The texts of several nodes.
  case nodes([String])
  /// No value: a header or a path that is not there.
  case absent

  /// Bytes read as UTF-8, what is invalid repaired.
  package static func bytes(_ bytes: some Collection<UInt8>) -> MatchSubject {
    .text(String(decoding: bytes, as: UTF8.self))
  }

  /// A short form for messages.
  package var excerpt: String {
    switch self {
    case .text(let text): Value.string(text).excerpt()
    case .value(let value): value.excerpt()
    case .integer(let integer): String(integer)
    case .node(let text): Value.string(text).excerpt()
    case .nodes: asValue?.excerpt() ?? ""
    case .absent: "nothing"
    }
  }

  /// The subject as data.
  var asValue: Value? {
    switch self {
    case .text(let text): .string(text)
    case .value(let value): value
    case .integer(let integer): .integer(integer)
    case .node(let text): .string(text)
    case .nodes(let texts): .list(texts.map { .string($0) })
    case .absent: nil
    }
  }

  /// The elements of a list; `nil` for anything else.
  var elements: [MatchSubject]? {
    switch self {
    case .value(.list(let elements)): elements.map { .value($0) }
    case .nodes(let texts): texts.map { .node($0) }
    case .text, .value, .integer, .node, .absent: nil
    }
  }

  /// The subject as text, if it has such a form.
  var asText: String? {
    asValue?.textForm
  }
}
