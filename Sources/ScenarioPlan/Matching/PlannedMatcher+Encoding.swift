internal import Foundations

/// Texts in place of bytes that are not UTF-8 (`RunScope.isRepaired`).
extension PlannedMatcher {
  /// Returns the mismatch of such a text with a condition on JSON or YAML, or on a text that holds U+FFFD, which stands for
  /// those bytes; `nil` for other conditions, and for what was UTF-8.
  func misencoding(
    of subject: MatchSubject, _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    guard scope.isRepaired, case .text = subject else { return nil }
    switch condition {
    case .json, .jsonSubset, .jsonPaths, .schema:
      return unfit("expected JSON, which is UTF-8", subject)
    case .yaml: return unfit("expected YAML, which is UTF-8", subject)
    case .xml, .xmlPaths: return unfit("expected XML, and these bytes are not UTF-8", subject)
    case .equals(let data), .contains(let data), .startsWith(let data), .endsWith(let data):
      return try misencoding(of: subject, [data], scope)
    case .oneOf(let choices): return try misencoding(of: subject, choices, scope)
    default: return nil
    }
  }

  private func misencoding(
    of subject: MatchSubject, _ choices: [PlannedData], _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    for choice in choices {
      let expected = try choice.resolve(in: scope)
      guard expected.textForm?.unicodeScalars.contains("\u{fffd}") ?? false else { continue }
      return unfit("expected \(expected.excerpt()), and these bytes are not UTF-8", subject)
    }
    return nil
  }
}
