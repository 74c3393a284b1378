internal import Foundations

/// A completion at a place.
struct Completion {
  /// The numbers of LSP 3.17, `CompletionItemKind`.
  enum Kind: Int {
    case function = 3
    case variable = 6
    case property = 10
    case value = 12
    case snippet = 15
    case file = 17
    case reference = 18
    case word = 20
  }

  /// The label that the client shows.
  var label: String
  /// The kind of the completion.
  var kind: Kind
  /// A few words beside the label.
  var detail: String?
  /// The documentation, in Markdown.
  var documentation: String?
  /// The text that is inserted.
  var text: String
  /// True if the text has places to fill in.
  var isSnippet = false
  /// The rank in the list; smaller numbers are further up.
  var rank = 1

  init(
    _ label: String, _ kind: Kind, detail: String? = nil, documentation: String? = nil,
    text: String? = nil, isSnippet: Bool = false, rank: Int = 1
  ) {
    self.label = label
    self.kind = kind
    self.detail = detail
    self.documentation = documentation
    self.text = text ?? label
    self.isSnippet = isSnippet
    self.rank = rank
  }

  /// Returns the item of a message, which replaces a stretch of the document.
  func item(replacing range: EditorRange) -> Value {
    .object([
      "label": .string(label), "kind": .int(kind.rawValue), "detail": detail.map { .string($0) },
      "documentation": documentation.map {
        .object(["kind": .string("markdown"), "value": .string($0)])
      },
      "sortText": .string("\(rank)\(label)"), "filterText": .string(label),
      "insertTextFormat": isSnippet ? .int(2) : nil,
      "textEdit": .object(["range": range.value, "newText": .string(text)]),
    ])
  }
}
