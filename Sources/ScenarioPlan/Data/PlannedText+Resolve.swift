internal import Foundations
internal import Patterns

extension PlannedText {
  /// The text with everything filled in.
  ///
  /// - Throws: `RunScopeError` if an expression has no value, or one without a form as text.
  package func resolve(in scope: some RunScope) throws(RunScopeError) -> String {
    var result = ""
    for segment in segments {
      switch segment {
      case .literal(let text): result += text
      case .run(let expression):
        let value = try expression.resolve(in: scope)
        guard let text = value.textForm else {
          throw RunScopeError(
            "\"\(expression.text)\" is \(value.kindWithArticle), which cannot be part of a text",
            at: expression.range)
        }
        result += text
        guard result.utf8.count <= ExpressionText.limit else {
          let error = ExpressionText.tooLong("the text with its expressions")
          throw RunScopeError(error.message, at: expression.range, help: error.help)
        }
      }
    }
    return result
  }

  /// The text if it needs nothing from the run.
  package var literal: String? {
    var result = ""
    for segment in segments {
      guard case .literal(let text) = segment else { return nil }
      result += text
    }
    return result
  }

  /// The text as an author would write it, expressions in their brackets.
  package var sourceText: String {
    segments.map { segment in
      switch segment {
      case .literal(let text): text
      case .run(let expression): "${{ \(expression.text) }}"
      }
    }.joined()
  }
}
