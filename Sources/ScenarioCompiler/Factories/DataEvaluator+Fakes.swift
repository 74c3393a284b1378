internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// The number of times that a value which must be new is drawn again.
  private static let drawLimit = 10_000

  /// A value that looks like those of real life.
  mutating func fake(
    _ request: FakeRequest, _ random: inout SplitMix64, at range: SourceRange,
    in place: EvaluationSite
  ) -> DataOutcome {
    guard let fake = FakeValue(rawValue: request.name.value) else {
      diagnostics.report(FakeValue.unknown(request.name))
      return .failed
    }
    if let mistake = fake.mistake(in: request) {
      diagnostics.report(mistake)
      return .failed
    }
    guard request.isUnique else { return .value(fake.value(for: request, &random)) }
    let address = SequenceAddress(owner: place.owner, range: range)
    for _ in 0..<Self.drawLimit {
      let value = fake.value(for: request, &random)
      if usedFakes[address, default: []].insert(value).inserted { return .value(value) }
    }
    let count = usedFakes[address]?.count ?? 0
    diagnostics.report(
      "the fake \"\(fake.rawValue)\" has no more than the \(count == 1 ? "1 value" : "\(count) values") drawn here",
      code: .exhausted, at: range, help: "remove unique, or generate the values with $seq")
    return .failed
  }

  /// Picks one element of a list that an expression gives.
  mutating func pick(from node: DataNode, in place: EvaluationSite) -> DataOutcome {
    let source = evaluate(node, in: place.part(.key("$from")))
    guard let data = source.data else { return .failed }
    guard let elements = data.listElements, !elements.isEmpty else {
      let kind =
        data.listElements == nil
        ? data.literal == nil ? "known only while the scenario runs" : data.kindWithArticle
        : "an empty list"
      diagnostics.report(
        "\"$pick\" cannot pick from a value that is \(kind)", code: .misusedGenerator,
        at: node.range,
        help: "name a list, as in $pick: \"${{ build.users }}\"")
      return .failed
    }
    var random = random(at: place.address)
    if explanation != nil {
      var copy = random
      explanation?.record(
        place.address,
        drawn: "value \(copy.next(below: UInt64(elements.count)) + 1) of \(elements.count)",
        at: node.range)
    }
    return DataOutcome(elements[Int(random.next(below: UInt64(elements.count)))])
  }
}
