/// Something that an author should know about a file: what is wrong, where, and what to do.
public struct Diagnostic: Error, Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// Nothing runs while one of these stands.
    case error
    /// The file runs all the same.
    case warning
  }

  /// A second place that explains the first.
  public struct Note: Hashable, Sendable {
    /// Lower case, no full stop.
    public var message: String
    /// Where, if the note has a place.
    public var range: SourceRange?

    /// Creates a note.
    public init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// Which kind of mistake it is; its first letter says how bad.
  public var code: DiagnosticCode
  /// What is wrong: lower case, no full stop, the offending value in quotes.
  public var message: String
  /// Where; `nil` only if no file is to blame.
  public var range: SourceRange?
  /// The exact fix, shown behind `help:`.
  public var help: String?
  /// The change that `help` proposes, for a machine, and how sure it is.
  public var fix: DiagnosticFix?
  /// Other places that belong to the matter.
  public var notes: [Note]

  /// How bad it is.
  public var severity: Severity { code.severity }

  /// Creates a diagnostic.
  public init(
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
