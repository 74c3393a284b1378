internal import Foundations
internal import Patterns
internal import ScenarioModel

extension PlannedMatcher {
  /// The condition in a few words, as in `contains "welcome"`.
  package var summary: String {
    switch condition {
    case .equals(let data): "equals \(data.sourceText.excerpt(limit: 80))"
    case .not(let matcher): "not \(matcher.summary)"
    case .contains(let data): "contains \(data.sourceText.excerpt(limit: 80))"
    case .startsWith(let data): "starts with \(data.sourceText.excerpt(limit: 80))"
    case .endsWith(let data): "ends with \(data.sourceText.excerpt(limit: 80))"
    case .matchesComputed(let data): "matches /\(data.sourceText.excerpt(limit: 80))/"
    case .exists(let isThere): isThere ? "exists" : "is absent"
    case .type(let types): "is of type \(types.map(\.rawValue).joined(separator: " or "))"
    case .length(let matcher): "has a length that \(matcher.summary)"
    case .atLeast(let bound): "is at least \(bound.sourceText)"
    case .atMost(let bound): "is at most \(bound.sourceText)"
    case .near(let data, let tolerance):
      "is \(data.sourceText) within \(tolerance.sourceText)"
    case .each(let matcher): "has elements each of which \(matcher.summary)"
    case .any(let matcher): "has an element that \(matcher.summary)"
    case .matches(let expression): "matches /\(expression.text)/"
    case .empty(let isEmpty): isEmpty ? "is empty" : "is not empty"
    case .lines(let matchers): "has \(matchers.count) lines"
    case .json(let data): "is JSON equal to \(data.sourceText.excerpt(limit: 80))"
    case .jsonSubset(let data): "is JSON that contains \(data.sourceText.excerpt(limit: 80))"
    case .jsonPaths(let paths):
      paths.map { "\($0.name) \($0.matcher.summary)" }.joined(separator: ", ")
    case .schema(let schema): "is valid against the schema \(schema.source.excerpt())"
    case .oneOf(let choices): "is one of \(choices.map(\.sourceText).joined(separator: ", "))"
    case .lessThan(let bound): "is less than \(bound.sourceText)"
    case .greaterThan(let bound): "is greater than \(bound.sourceText)"
    case .between(let lower, let upper):
      "is between \(lower.sourceText) and \(upper.sourceText)"
    case .allOf(let matchers): matchers.map(\.summary).joined(separator: " and ")
    case .anyOf(let matchers): matchers.map(\.summary).joined(separator: " or ")
    case .lineCount(let matcher): "has a number of lines that \(matcher.summary)"
    case .yaml(let matcher): "is YAML that \(matcher.summary)"
    case .xml(let data): "is XML equal to \(data.sourceText.excerpt(limit: 80))"
    case .xmlPaths(let paths, _):
      paths.map { "\($0.name) \($0.matcher.summary)" }.joined(separator: ", ")
    case .snapshot(let snapshot): "is the snapshot \"\(snapshot.name)\""
    }
  }
}
