package import Foundations

/// The subject of a matcher.
package enum MatchSubject: Sendable, Hashable {
  /// Text: an output, a file, a header's value.
  case text(String)
  /// Data.
  case value(Value)
  /// A whole number: an exit code, a count.
  case integer(Int64)
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
    case .absent: "nothing"
    }
  }

  /// The subject as data.
  var asValue: Value? {
    switch self {
    case .text(let text): .string(text)
    case .value(let value): value
    case .integer(let integer): .integer(integer)
    case .absent: nil
    }
  }

  /// The subject as text, if it has such a form.
  var asText: String? {
    asValue?.textForm
  }
}
