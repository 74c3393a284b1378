internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// A matcher that is ready; matchers nest as deep as the decoder lets an author nest them.
  mutating func planMatcher(_ matcher: Matcher, in place: EvaluationSite) -> PlannedMatcher? {
    guard let condition = planCondition(matcher.condition, at: matcher.range, in: place),
      checkBroughtMaps(of: matcher, condition)
    else { return nil }
    return PlannedMatcher(
      matcher.broughtMap == .negated ? condition.refusingMaps : condition, at: matcher.range)
  }

  /// Reports maps that expressions bring to where no map can stand, or none that may be meant as conditions: compared
  /// as values they are equal to nothing, and `not` in front of them would hold for everything.
  ///
  /// - Returns: false if there was one.
  private mutating func checkBroughtMaps(
    of matcher: Matcher, _ condition: PlannedMatcher.Condition
  ) -> Bool {
    let operands: [(DataNode, PlannedData)]
    switch (matcher.condition, condition) {
    case (.equals(let node), .equals(let data)), (.contains(let node), .contains(let data)):
      operands = [(node, data)]
    case (.oneOf(let nodes), .oneOf(let data)): operands = Array(zip(nodes, data))
    default: return true
    }
    for (node, data) in operands {
      guard let value = data.literal, node.isBrought,
        let report = BroughtMapReport(matcher.broughtMap, value, isGenerated: !node.isTemplate)
      else { continue }
      self.report(report.message, code: report.code, at: node.range, help: report.help)
      return false
    }
    return true
  }

  private mutating func planCondition(
    _ condition: Matcher.Condition, at range: SourceRange, in place: EvaluationSite
  ) -> PlannedMatcher.Condition? {
    switch condition {
    case .equals(let node): return data.data(node, in: place).map { .equals($0) }
    case .not(let matcher): return planMatcher(matcher, in: place).map { .not($0) }
    case .contains(let node): return data.data(node, in: place).map { .contains($0) }
    case .matches(let text):
      return (isInRequest ? requestExpression(text) : expression(text)).map { .matches($0) }
    case .matchesComputed(let node):
      guard let planned = data.data(node, in: place) else { return nil }
      guard let text = planned.literal?.textForm else { return .matchesComputed(planned) }
      return planCondition(.matches(Located(text, at: node.range)), at: range, in: place)
    case .startsWith(let node): return data.data(node, in: place).map { .startsWith($0) }
    case .endsWith(let node): return data.data(node, in: place).map { .endsWith($0) }
    case .exists(let isThere): return .exists(isThere)
    case .type(let types): return .type(types)
    case .length(let matcher): return planMatcher(matcher, in: place).map { .length($0) }
    case .each(let matcher): return planMatcher(matcher, in: place).map { .each($0) }
    case .any(let matcher): return planMatcher(matcher, in: place).map { .any($0) }
    case .atLeast(let node): return planBound(node, in: place).map { .atLeast($0) }
    case .atMost(let node): return planBound(node, in: place).map { .atMost($0) }
    case .near(let node, let tolerance):
      let (value, most) = (planBound(node, in: place), planBound(tolerance, in: place))
      guard let value, let most else { return nil }
      return .near(value, within: most)
    case .empty(let isEmpty): return .empty(isEmpty)
    case .lines(let matchers): return planAll(matchers, in: place).map { .lines($0) }
    case .json(.document(let node)): return data.data(node, in: place).map { .json($0) }
    case .json(.subset(let node)): return data.data(node, in: place).map { .jsonSubset($0) }
    case .json(.paths(let paths)): return planPaths(paths, in: place).map { .jsonPaths($0) }
    case .json(.schema(let source)), .schema(let source):
      return planSchema(source).map { .schema($0) }
    case .oneOf(let nodes): return planChoices(nodes, in: place).map { .oneOf($0) }
    case .lessThan(let node): return planBound(node, in: place).map { .lessThan($0) }
    case .greaterThan(let node): return planBound(node, in: place).map { .greaterThan($0) }
    case .between(let lower, let upper):
      let (low, high) = (planBound(lower, in: place), planBound(upper, in: place))
      guard let low, let high else { return nil }
      checkOrder(low, high, at: lower.range)
      return .between(low, high)
    case .allOf(let matchers): return planAll(matchers, in: place).map { .allOf($0) }
    case .anyOf(let matchers): return planAll(matchers, in: place).map { .anyOf($0) }
    case .lineCount(let matcher): return planMatcher(matcher, in: place).map { .lineCount($0) }
    case .snapshot(let name): return planSnapshot(name)
    case .yaml(let content):
      return planCondition(.json(content), at: range, in: place).map {
        .yaml(PlannedMatcher($0, at: range))
      }
    case .xml(let content): return planXML(content, in: place)
    }
  }

  private mutating func planAll(
    _ matchers: [Matcher], in place: EvaluationSite
  ) -> [PlannedMatcher]? {
    let planned = matchers.compactMap { planMatcher($0, in: place) }
    return planned.count == matchers.count ? planned : nil
  }

  private mutating func planChoices(
    _ nodes: [DataNode], in place: EvaluationSite
  ) -> [PlannedData]? {
    let planned = nodes.compactMap { data.data($0, in: place) }
    return planned.count == nodes.count ? planned : nil
  }

  private mutating func planPaths(
    _ paths: [FieldMatcher], in place: EvaluationSite
  ) -> [PlannedFieldMatcher]? {
    let planned = paths.compactMap { path -> PlannedFieldMatcher? in
      let parsed = data.diagnostics.catching(as: .badPattern, at: path.name.range) {
        () throws(PatternError) in
        try JSONPathQuery(path.name.value)
      }
      guard let matcher = planMatcher(path.matcher, in: place), parsed != nil else { return nil }
      return PlannedFieldMatcher(name: path.name.value, matcher: matcher)
    }
    return planned.count == paths.count ? planned : nil
  }

  // MARK: - Order

  private mutating func planBound(_ node: DataNode, in place: EvaluationSite) -> PlannedData? {
    guard let bound = data.data(node, in: place) else { return nil }
    if let value = bound.literal, !ValueComparison.hasMagnitude(value) {
      report(
        "cannot compare numbers or durations with \(value.excerpt())", code: .badExpectation,
        at: node.range,
        help: "write a number or a duration")
      return nil
    }
    return bound
  }

  private mutating func checkOrder(_ low: PlannedData, _ high: PlannedData, at range: SourceRange) {
    guard let lower = low.literal, let upper = high.literal else { return }
    switch ValueComparison.isLess(upper, lower) {
    case false: break
    case true:
      report(
        "the range from \(lower.excerpt()) to \(upper.excerpt()) is empty", code: .badRange,
        at: range,
        help: "write the smaller value first")
    case nil:
      report(
        "\(lower.excerpt()) and \(upper.excerpt()) cannot be compared", code: .badExpectation,
        at: range,
        help: "write two numbers or two durations")
    }
  }
}

/// The report on a map that an expression or a generator brings to a condition.
private struct BroughtMapReport {
  var message: String
  var code: DiagnosticCode
  var help: String

  /// `nil` for a map that may stand there, and for what is none.
  ///
  /// - Parameter isGenerated: whether a generator (`$build`) makes it, which makes documents.
  init?(_ meaning: Matcher.BroughtMap, _ value: Value, isGenerated: Bool) {
    if meaning == .negated {
      guard let map = NegatedMap(value), !isGenerated || Self.saysOnlyConditions(map.keys) else {
        return nil
      }
      (message, code, help) = (map.message, .conditionOrDocument, NegatedMap.help)
      return
    }
    guard case .map(let members) = value else { return nil }
    let keys = Array(members.keys)
    let named = keys.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    let namesCondition = keys.count == 1 || keys.contains { ConditionWord($0) != nil }
    switch meaning {
    case .mistake:
      message = "this is a map (\(named)), which cannot be compared with any value here"
      code = .badExpectation
      help =
        "conditions cannot come from an expression: write the conditions, with the expression as their operand"
    case .undecided where Self.saysOnlyConditions(keys) || !isGenerated && namesCondition:
      message = "this is a map (\(named)) that is either a document or conditions"
      code = .conditionOrDocument
      help = NegatedMap.help
    case .operand where Self.saysOnlyConditions(keys):
      message = "this is a map of conditions (\(named)), but is read as data here"
      code = .conditionOrDocument
      help = NegatedMap.help
    case .document, .undecided, .negated, .operand: return nil
    }
  }

  private static func saysOnlyConditions(_ keys: [String]) -> Bool {
    !keys.isEmpty && keys.allSatisfy { ConditionWord($0)?.isClearOnData ?? false }
  }
}

extension PlannedMatcher.Condition {
  /// The same, but that a map which the run brings is an error.
  fileprivate var refusingMaps: PlannedMatcher.Condition {
    guard case .equals(.text(var text)) = self, text.segments.count == 1,
      case .run(var expression) = text.segments[0]
    else { return self }
    expression.refusesMaps = true
    text.segments = [.run(expression)]
    return .equals(.text(text))
  }
}

extension DataNode {
  /// True if the value is an expression.
  fileprivate var isTemplate: Bool {
    if case .template = content { true } else { false }
  }

  /// True if the value is not written by the author, but made by an expression or a generator.
  fileprivate var isBrought: Bool {
    switch content {
    case .template, .generator, .build: true
    case .literal, .list, .map, .sequence: false
    }
  }
}
