package import Foundations

/// A part of a file with expressions where the language has a form of its own, such as a duration:
/// it is read again once they have values.
package struct LateReading: Sendable {
  /// Returns the value of a text with expressions, or reports why it has none.
  package typealias Evaluation = (Template, SourceRange) -> Value?

  /// The result of reading the part.
  package struct Result: Sendable {
    /// `name:`.
    package var name: Located<String>?
    /// The settings of the scenario.
    package var body: ScenarioBody
    /// The mistakes in it, as far as they were not reported when the file was read.
    package var diagnostics: [Diagnostic]

    /// Creates a result.
    package init(name: Located<String>?, body: ScenarioBody, diagnostics: [Diagnostic]) {
      self.name = name
      self.body = body
      self.diagnostics = diagnostics
    }
  }

  /// True if the row of the matrix decides about any of the values.
  package var namesRow: Bool
  /// True if it decides about the scenario's name.
  package var namesRowInName: Bool
  /// Reads the part.
  package var read: @Sendable (Evaluation) -> Result

  /// Creates a reading.
  package init(
    namesRow: Bool, namesRowInName: Bool, read: @escaping @Sendable (Evaluation) -> Result
  ) {
    self.namesRow = namesRow
    self.namesRowInName = namesRowInName
    self.read = read
  }
}
