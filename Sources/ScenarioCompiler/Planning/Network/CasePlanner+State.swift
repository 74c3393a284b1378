internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// State that responses share, and stores.
extension CasePlanner {
  /// The entries without stores that entries before them replace: what a scenario says stands over its file's top.
  ///
  /// - Parameter later: The entries that steps bring, which replace none.
  mutating func withoutReplacedStores(
    _ entries: [ResponseEntry], beside later: [ResponseEntry]
  ) -> [ResponseEntry] {
    var stores: [String: (range: SourceRange, isLater: Bool)] = [:]
    var kept: [ResponseEntry] = []
    for (index, entry) in (later + entries).enumerated() {
      let isLater = index < later.count
      if case .store(let store) = entry.match {
        let (name, range) = (store.name.value, store.name.range)
        if let first = stores[name] {
          if !first.isLater, isOwn(first.range), !isOwn(range) { continue }
          data.diagnostics.report(
            Diagnostic(
              "duplicate store \"\(name)\"", code: .duplicateName, at: range,
              help: "give each of them its own name",
              notes: [Diagnostic.Note("the other one is here", at: first.range)]))
        } else {
          stores[name] = (range, isLater)
        }
      }
      if !isLater { kept.append(entry) }
    }
    return kept
  }

  /// The state that an entry needs and changes; `nil` if it does neither.
  mutating func planState(of entry: ResponseEntry, in place: EvaluationSite) -> PlannedStateUse? {
    guard !entry.conditions.isEmpty || !entry.changes.isEmpty else { return nil }
    isInRequest = true
    let conditions = entry.conditions.compactMap { condition in
      planMatcher(condition.matcher, in: .scenario).map {
        PlannedFieldMatcher(name: condition.name.value, matcher: $0)
      }
    }
    isInRequest = false
    let changes = entry.changes.compactMap { change in
      data.data(change.value, in: place.at("responses.\(entry.name).set.\(change.key.value)")).map {
        PlannedStateChange(name: change.key.value, value: $0)
      }
    }
    return PlannedStateUse(conditions: conditions, changes: changes)
  }

  /// A store, ready to be asked; `nil` with a report if it never can be.
  mutating func planStore(_ store: StorePattern, of entry: ResponseEntry) -> PlannedResponse? {
    var captures: [String] = []
    guard let url = planURL(store.url, &captures) else { return nil }
    guard captures.isEmpty, !url.path.contains("*"), url.query.isEmpty else {
      report(
        "the URL \"\(store.url.value)\" of a store must have only a host and a plain path",
        code: .badAddress, at: store.url.range,
        help:
          "write the URL of the collection, such as https://api.example.com/todos; the URLs of items are below it"
      )
      return nil
    }
    let identifier = store.identifier?.value ?? "id"
    guard let items = planItems(of: store, identifier) else { return nil }
    var pattern = url
    pattern.path += url.path.hasSuffix("/") ? "**" : "/**"
    var collection = url
    if collection.path.count > 1, collection.path.hasSuffix("/") { collection.path.removeLast() }
    let reply = PlannedReply(
      status: 200, headers: [], body: .empty, delay: .zero, times: 1, range: entry.range)
    var response = PlannedResponse(
      name: entry.name, match: .http(PlannedRequest(url: pattern)), replies: [reply],
      repeats: true, range: entry.range)
    response.store = PlannedStore(
      name: store.name.value, url: collection, identifier: identifier, items: items,
      seed: Int64(bitPattern: StreamKey(seed: seed, entry: "store \(store.name.value)").value))
    if !isOwn(entry.range) { response.isFallback = true }
    return response
  }

  /// The items of a store, each with an identifier; those without one get the numbers behind the largest.
  private mutating func planItems(of store: StorePattern, _ identifier: String) -> [Value]? {
    guard let node = store.items else { return [] }
    guard
      let planned = data.data(node, in: EvaluationSite.build.at("store.\(store.name.value)"))
    else { return nil }
    guard case .list(let values)? = planned.literal else {
      report(
        "the items of \"\(store.name.value)\" must be a list", code: .wrongType, at: node.range,
        help: "write [{ \(identifier): 1, … }], or { $build: FACTORY, count: 3 }")
      return nil
    }
    var known: Set<String> = []
    var last: Int64 = 0
    var items: [OrderedDictionary<String, Value>] = []
    for (index, value) in values.enumerated() {
      guard case .map(let item) = value else {
        report(
          "element \(index) of \"\(store.name.value)\" is \(value.kindWithArticle), but an item must be a map",
          code: .wrongType, at: node.range, help: "write { \(identifier): \(index + 1), … }")
        return nil
      }
      items.append(item)
      guard let own = item[identifier] else { continue }
      guard let text = own.textForm, !text.isEmpty, known.insert(text).inserted else {
        report(
          own.textForm == nil
            ? "\"\(identifier)\" of element \(index) of \"\(store.name.value)\" is \(own.kindWithArticle),"
              + " which cannot identify an item"
            : "two items of \"\(store.name.value)\" have the \(identifier) \(own.excerpt())",
          code: .duplicateName, at: node.range,
          help: "give each item a unique number or text")
        return nil
      }
      if let number = Int64(text) { last = max(last, number) }
    }
    return items.map { item in
      guard item[identifier] == nil else { return .map(item) }
      last &+= 1
      var named: OrderedDictionary<String, Value> = [identifier: .integer(last)]
      named.merge(item) { own, _ in own }
      return .map(named)
    }
  }

  // MARK: - State that no request sets

  /// What the steps set, in file order.
  var stateSteps: [DataField] { Self.state(of: (body.steps ?? []) + body.cleanup) }

  private static func state(of steps: [Step]) -> [DataField] {
    steps.flatMap { step -> [DataField] in
      switch step.action {
      case .set(let fields): fields
      case .block(_, let during): state(of: during)
      default: []
      }
    }
  }

  /// The values of `state:`, all of which are known before the run.
  mutating func planInitialState() -> [PlannedStateChange] {
    body.state.compactMap { field in
      let place = EvaluationSite.build.at("state.\(field.key.value)")
      return data.data(field.value, in: place).map {
        PlannedStateChange(name: field.key.value, value: $0)
      }
    }
  }

  /// A step that sets values; `nil` if one of them was reported.
  mutating func planStateStep(_ fields: [DataField]) -> PlannedStep.Action? {
    let changes = fields.compactMap { field -> PlannedStateChange? in
      var place = EvaluationSite.scenario.at("steps.set.\(field.key.value)")
      place.seesState = true
      return data.data(field.value, in: place).map {
        PlannedStateChange(name: field.key.value, value: $0)
      }
    }
    return changes.count == fields.count ? .set(changes) : nil
  }

  // MARK: - Names and values

  /// Reports conditions on state that nothing sets, and state that is a store's.
  ///
  /// - Parameters:
  ///   - given: the state that the scenario and its steps set.
  ///   - initial: that of the scenario, planned.
  mutating func checkState(
    of entries: [ResponseEntry], _ responses: [PlannedResponse], beside given: [DataField],
    _ initial: [PlannedStateChange]
  ) {
    let stores = Set(
      entries.compactMap { entry in
        if case .store(let store) = entry.match { store.name.value } else { nil }
      })
    for entry in entries {
      for condition in entry.conditions { checkStateName(condition.name) }
      for change in entry.changes where stores.contains(change.key.value) {
        reportStore(change.key, help: "give the state another name")
      }
    }
    for change in given where stores.contains(change.key.value) {
      reportStore(
        change.key,
        help:
          "write what it holds at the beginning as \"items\" of the store, or give the state another name"
      )
    }
    checkStateValues(responses, stores, initial)
  }

  private mutating func reportStore(_ name: Located<String>, help: String) {
    report(
      "\"\(name.value)\" is a store, which only requests change", code: .contradictory,
      at: name.range, help: help)
  }

  /// Reports a name of state that nothing sets.
  mutating func checkStateName(_ name: Located<String>) {
    guard !data.stateNames.contains(name.value) else { return }
    report(
      "nothing sets the state \"\(name.value)\"", code: .unknownState, at: name.range,
      help: data.stateNames.isEmpty
        ? "add \"set: { \(name.value): … }\" to the entry of the requests that set it, or \"state\" to the scenario"
        : Suggestion.help(for: name.value, in: data.stateNames, label: "names that are set"))
  }

  /// Reports values that no entry sets, as far as all that is set can be known before.
  private mutating func checkStateValues(
    _ responses: [PlannedResponse], _ stores: Set<String>, _ initial: [PlannedStateChange]
  ) {
    var values: [String: [Value?]] = [:]
    for change in initial { values[change.name, default: []].append(change.value.literal) }
    // What steps set is planned with them, and may be anything here unless it is written out.
    for field in stateSteps {
      let literal: Value? = if case .literal(let value) = field.value.content { value } else { nil }
      values[field.key.value, default: []].append(literal)
    }
    for change in responses.flatMap({ $0.state?.changes ?? [] }) {
      values[change.name, default: []].append(change.value.literal)
    }
    for response in responses where response.range.file == file {
      for condition in response.state?.conditions ?? [] where !stores.contains(condition.name) {
        let known = values[condition.name, default: []]
        guard case .equals(let data) = condition.matcher.condition, let wanted = data.literal,
          !known.isEmpty, known.allSatisfy({ $0.map { !$0.isEqual(to: wanted) } ?? false })
        else { continue }
        let texts = known.compactMap { $0?.textForm ?? $0?.excerpt() }
        report(
          "nothing sets the state \"\(condition.name)\" to \(wanted.excerpt())",
          code: .unknownState, at: condition.matcher.range,
          help: Suggestion.help(
            for: wanted.textForm ?? wanted.excerpt(), in: OrderedSet(texts).elements,
            label: "values that are set"))
      }
    }
  }
}
