package import Foundations
package import Patterns
package import ScenarioModel

/// A value that is captured from the target, by name.
package struct PlannedCapture: Sendable, Hashable, Codable {
  /// The pattern that finds the value.
  package enum Pattern: Sendable, Hashable, Codable {
    /// A regular expression: its first group counts, or all that it matches.
    case expression(RegularExpression)
    /// A path that leads to one place in JSON.
    case json(path: String)
  }

  /// The name behind `capture.`.
  package var name: String
  /// The source that is searched.
  package var source: CaptureRule.Source
  /// The pattern that finds the value there.
  package var pattern: Pattern
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a capture.
  package init(
    name: String, source: CaptureRule.Source, pattern: Pattern, range: SourceRange
  ) {
    self.name = name
    self.source = source
    self.pattern = pattern
    self.range = range
  }

  /// Finds the value in a stream's output.
  package func find(in text: String) -> Finding {
    switch pattern {
    case .expression(let expression):
      return expression.firstGroup(in: text).map { .found(.string($0)) }
        ?? .missing("does not match \"\(expression.text)\"")
    case .json(let path):
      guard let query = try? JSONPathQuery(path) else { return .missing("has no place \(path)") }
      do throws(JSONParseError) {
        return Self.find(query, path, in: try Self.document(text))
      } catch {
        return .missing("is not JSON: line \(error.line), column \(error.column): \(error.message)")
      }
    }
  }

  /// Whether it was there.
  package enum Finding: Sendable {
    /// The value was found.
    case found(Value)
    /// The value was not found; what the stream does or is instead, in words that follow its name.
    case missing(String)
  }

  private static func find(_ query: JSONPathQuery, _ path: String, in value: Value) -> Finding {
    guard let found = query.values(in: value)?.first else {
      return .missing("has nothing at \(path): it is \(value.excerpt())")
    }
    return .found(found)
  }

  /// The whole as JSON; where it is none, its last line, since programs write notices first.
  private static func document(_ text: String) throws(JSONParseError) -> Value {
    do throws(JSONParseError) {
      return try JSONText.parse(text)
    } catch {
      let last = TextLines.split(text).last { !TextLines.content($0).isEmpty }
      guard let last, let value = try? JSONText.parse(TextLines.content(last)) else { throw error }
      return value
    }
  }
}
