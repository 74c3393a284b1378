internal import Foundations
internal import ScenarioSyntax

/// A document that a client has opened.
struct Document: Sendable {
  /// The client's address for it.
  var address: String
  /// Its path as messages show it.
  var path: String
  /// The client's number of the text.
  var version: Int64
  /// The text.
  private(set) var text: DocumentText
  /// The same, cut into lines as readers of YAML do.
  private(set) var source: SourceText
  /// The names of the text as it was when it could be read last.
  private(set) var names: FileNames
  /// Whether anything is said of it.
  private(set) var kind: DocumentKind
  /// True if what is wrong with the text is not known yet.
  var isDirty = true
  /// The mistakes that were found last, those of files that it uses among them.
  var diagnostics: [Diagnostic] = []
  /// The text of each file that was read for them.
  var sources: [String: String] = [:]

  init(address: String, path: String, version: Int64, text: String) {
    self.address = address
    self.path = path
    self.version = version
    self.text = DocumentText(text)
    source = SourceText(path: path, bytes: self.text.bytes)
    names = FileNames(of: source, before: nil)
    kind = DocumentKind(of: self.text.bytes)
  }

  /// Applies changes one behind the other.
  mutating func change(_ change: (inout DocumentText) -> Void, version: Int64) {
    change(&text)
    self.version = version
    source = SourceText(path: path, bytes: text.bytes)
    names = FileNames(of: source, before: names)
    kind = DocumentKind(of: text.bytes)
    isDirty = true
  }
}
