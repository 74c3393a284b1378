internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// Returns the arguments that a node holds: one, or those of `construct`, or the elements of a
  /// list.
  mutating func arguments(_ node: DataNode, in place: EvaluationSite) -> [PlannedText] {
    isAborted = false
    switch node.content {
    case .build(let request) where request.count == nil:
      return arguments(of: request, node, in: place)
    case .build, .generator(.list):
      guard let elements = evaluate(node, in: place).data?.listElements else { return [] }
      return elements.compactMap { text($0, at: node.range) }
    default: return text(node, in: place).map { [$0] } ?? []
    }
  }

  private mutating func arguments(
    of request: BuildRequest, _ node: DataNode, in place: EvaluationSite
  ) -> [PlannedText] {
    guard let plan = plan(request, variant: nil, at: node.range, in: place) else { return [] }
    guard !plan.arguments.isEmpty else {
      diagnostics.report(
        "the factory \"\(plan.factory)\" does not define the order of its fields as arguments",
        code: .badConstruct, at: node.range,
        help: "add construct: { args: [FIELD, …] }, or write { $json: { $build: … } }")
      return []
    }
    guard let members = evaluate(node, in: place).data?.mapMembers else { return [] }
    var texts: [PlannedText] = []
    for slot in plan.arguments {
      let name = plan.names[slot]
      // What is left out is no argument.
      guard let member = members[name] else { continue }
      guard let text = text(member, at: plan.definitions[slot].range) else { continue }
      texts.append(text)
    }
    return texts
  }

  private mutating func text(_ data: PlannedData, at range: SourceRange) -> PlannedText? {
    if case .text(let text) = data { return text }
    guard case .value(let value) = data, let text = value.textForm else {
      reportNoText(data.kindWithArticle, at: range)
      return nil
    }
    guard !text.unicodeScalars.contains("\0") else {
      diagnostics.report(
        "an argument contains a NUL character", code: .badCharacter, at: range,
        help: "remove it: the kernel ends arguments at a NUL")
      return nil
    }
    return PlannedText(text)
  }
}
