/// A finding about a file for its author: the mistake, its place, and the fix.
package struct Diagnostic: Error, Hashable, Sendable {
  /// The severity.
  package enum Severity: String, Hashable, Sendable {
    /// An error: nothing runs while there is one.
    case error
    /// The file runs all the same.
    case warning
  }

  /// A second place that explains the first.
  package struct Note: Hashable, Sendable {
    /// Lower case, no full stop.
    package var message: String
    /// The place, if the note has one.
    package var range: SourceRange?

    /// Creates a note.
    package init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// The code of the mistake; its first letter gives the severity.
  package var code: DiagnosticCode
  /// The message: lower case, no full stop, the offending value in quotes.
  package var message: String
  /// The place; `nil` only if no file is to blame.
  package var range: SourceRange?
  /// The exact fix, shown behind `help:`.
  package var help: String?
  /// The change that `help` proposes, for a machine, and how sure it is.
  package var fix: DiagnosticFix?
  /// Other places that belong to the matter.
  package var notes: [Note]

  /// The severity.
  package var severity: Severity { code.severity }

  /// Creates a diagnostic.
  package init(
    _ message: String, code: DiagnosticCode, at range: SourceRange?, help: String? = nil,
    fix: DiagnosticFix? = nil, notes: [Note] = []
  ) {
    self.code = code
    self.message = message
    self.range = range
    self.help = help
    self.fix = fix
    self.notes = notes
  }
}
