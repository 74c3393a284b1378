internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// Builds one object, or a list of them where the request counts.
  ///
  /// In a reply its fields may ask for the request, so that the object is finished when one comes.
  mutating func build(
    _ request: BuildRequest, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    guard let counted = request.count else {
      return build(request, variant: nil, at: range, in: place)
    }
    guard let count = number(of: counted, in: place) else { return .failed }
    guard count >= request.each.count else {
      diagnostics.report(
        "\"each\" has \(request.each.count) entries for \(count) objects", code: .misusedGenerator,
        at: counted.range,
        help: "remove \"count\", or write at least \(request.each.count)")
      return .failed
    }
    guard countElements(count, at: counted.range) else { return .failed }
    return list(of: count, in: place) { evaluator, index, place in
      evaluator.build(
        request, variant: index < request.each.count ? index : nil, at: range, in: place)
    }
  }

  /// A list whose elements know their place in it.
  mutating func list(
    of count: Int, in place: EvaluationSite,
    _ element: (inout DataEvaluator, Int, EvaluationSite) -> DataOutcome
  ) -> DataOutcome {
    var elements: [PlannedData] = []
    elements.reserveCapacity(min(count, Self.objectLimit))
    for index in 0..<count {
      guard !isAborted else { return .failed }
      var inner = place.part(.index(index))
      inner.index = index
      inner.count = count
      switch element(&self, index, inner) {
      case .value(let value): elements.append(.value(value))
      case .planned(let data): elements.append(data)
      case .omitted: break
      // All elements are alike: so are their mistakes.
      case .failed: return .failed
      }
    }
    return DataOutcome(.folding(elements))
  }

  private mutating func build(
    _ request: BuildRequest, variant: Int?, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    guard associationDepth < Self.associationLimit else {
      reportEndlessAssociation(at: range)
      return .failed
    }
    guard objectCount < objectLimit else {
      abort(
        "the scenario builds more than \(objectLimit) objects", code: .tooLarge, at: range)
      return .failed
    }
    guard let plan = plan(request, variant: variant, at: range, in: place) else { return .failed }
    associationDepth += 1
    objectCount += 1
    defer { associationDepth -= 1 }
    let frame = ObjectFrame(plan: plan, parent: place.frame, place: place)
    return finish(frame)
  }

  /// Evaluates all fields of an object.
  private mutating func finish(_ frame: ObjectFrame) -> DataOutcome {
    let plan = frame.plan
    for slot in plan.arguments { _ = field(slot, of: frame, usedAt: plan.definitions[slot].range) }
    var members = plan.template
    var planned: OrderedDictionary<String, PlannedData> = [:]
    var omitted: [String] = []
    var isComplete = true
    for (position, slot) in plan.order.enumerated() {
      switch field(slot, of: frame, usedAt: plan.definitions[slot].range) {
      case .value(let value): members.values[position] = value
      case .planned(let data): planned[plan.names[slot]] = data
      case .omitted: omitted.append(plan.names[slot])
      case .failed: isComplete = false
      }
    }
    guard isComplete else { return .failed }
    if !plan.after.isEmpty, !apply(plan.after, to: &members, planned, frame) { return .failed }
    for name in omitted { members.removeValue(forKey: name) }
    guard planned.isEmpty else {
      var all = members.mapValues(PlannedData.value)
      for (name, data) in planned { all[name] = data }
      if let schema = plan.schema, case .value(let value) = atBeginning(.planned(.map(all))),
        !check(value, against: schema, frame)
      {
        return .failed
      }
      return .planned(.map(all))
    }
    if let schema = plan.schema, !check(.map(members), against: schema, frame) { return .failed }
    return .value(.map(members))
  }

  /// The value of a field, evaluated when it is first asked for.
  mutating func field(
    _ slot: Int, of frame: ObjectFrame, usedAt range: SourceRange
  ) -> DataOutcome {
    switch frame.slots[slot] {
    case .done(let value): return value
    case .running:
      reportCycle(frame.plan.label(slot), frame, slot, at: range)
      return .failed
    case .untouched: break
    }
    let definition = frame.plan.definitions[slot]
    if case .literal(let value) = definition.node.content, definition.kind == nil,
      explanation == nil
    {
      frame.slots[slot] = .done(.value(value))
      return .value(value)
    }
    frame.slots[slot] = .running
    frames.append(Frame(object: frame, slot: slot, range: definition.node.range))
    var place = frame.place
    place.frame = frame
    place.slot = slot
    place.owner = definition.owner
    place.address = DataAddress(.key(frame.plan.names[slot]), of: frame.place.address)
    if explanation != nil { explain(definition, &place) }
    var value = evaluate(definition.node, in: place)
    if let kind = definition.kind, !check(&value, kind, frame.plan.label(slot), definition) {
      value = .failed
    }
    frames.removeLast()
    frame.slots[slot] = .done(value)
    return value
  }

  /// The value of an object of `build:`, built when it is first asked for.
  mutating func buildValue(_ name: String, usedAt range: SourceRange) -> Value? {
    switch buildSlots[name] {
    case .done(let value): return value.literal
    case .failed: return nil
    case .running:
      reportCycle("build.\(name)", nil, -1, at: range)
      return nil
    case nil: break
    }
    guard let definition = builds[name] else { return nil }
    buildSlots[name] = .running
    frames.append(Frame(name: "build.\(name)", range: definition.key.range))
    explanation?.record(
      DataAddress(root: "build.\(name)"), .base("build"), at: definition.key.range)
    let value = evaluate(definition.value, in: EvaluationSite.build.at("build.\(name)")).data?
      .literal
    frames.removeLast()
    buildSlots[name] = value.map { .done(.value($0)) } ?? .failed
    return value
  }

  // MARK: - Circles

  mutating func reportCycle(
    _ label: String, _ object: ObjectFrame?, _ slot: Int, at range: SourceRange
  ) {
    let start =
      frames.lastIndex { $0.object === object && $0.slot == slot && $0.label == label }
      ?? frames.startIndex
    let circle = frames[start...]
    let names = circle.map(\.label) + [label]
    diagnostics.report(
      Diagnostic(
        "\"\(label)\" depends on itself: \(names.joined(separator: " → "))", code: .dependencyCycle,
        at: range,
        help: "write a value for one of them that does not use the next",
        notes: circle.map { .init("\"\($0.label)\" is defined here", at: $0.range) }))
  }

  private mutating func reportEndlessAssociation(at range: SourceRange) {
    var labels: OrderedSet<String> = []
    var notes: [Diagnostic.Note] = []
    for frame in frames.reversed() {
      guard labels.append(frame.label).inserted else { break }
      notes.append(.init("\"\(frame.label)\" builds the next object here", at: frame.range))
    }
    let chain = Array(labels.reversed()) + (labels.last.map { [$0] } ?? [])
    // The innermost field is the one that builds; others of the circle may only name it.
    let field = labels.first.map { $0.split(separator: ".").last ?? "" } ?? ""
    abort(
      "objects nest deeper than \(Self.associationLimit): \(chain.joined(separator: " → "))",
      code: .factoryCycle, at: range,
      help: "break the cycle where the object is built, as in with: { \(field): null }, "
        + "or refer to the outer object with \"parent\"",
      notes: notes.reversed())
  }
}
