internal import Foundations
internal import ScenarioModel

extension ScenarioBody {
  /// The body with what it does not say taken from the file's top; its own entries come first.
  ///
  /// Objects of `build:` keep the file's order, so that what a scenario adds draws from sequences
  /// last.
  func over(_ top: ScenarioBody) -> ScenarioBody {
    let defaults = top.without(override)
    var merged = self
    merged.target = target?.over(defaults.target) ?? defaults.target
    merged.targets = targets.over(defaults.targets)
    merged.clock = clock?.over(defaults.clock) ?? defaults.clock
    merged.files = files?.over(defaults.files) ?? defaults.files
    merged.seed = seed ?? defaults.seed
    merged.entropy = entropy ?? defaults.entropy
    merged.order = order ?? defaults.order
    merged.timeout = timeout ?? defaults.timeout
    merged.network = network?.over(defaults.network) ?? defaults.network
    merged.steps = steps ?? defaults.steps
    merged.cleanup = cleanup.isEmpty ? defaults.cleanup : cleanup
    merged.explore = explore?.over(defaults.explore) ?? defaults.explore
    merged.matrix = matrix ?? defaults.matrix
    merged.skip = skip ?? defaults.skip
    merged.only = only ?? defaults.only
    merged.execution = execution.over(defaults.execution)
    merged.variables = variables.over(defaults.variables)
    merged.tags += defaults.tags.filter { tag in !tags.contains { $0.value == tag.value } }
    merged.factories = factories.followed(by: defaults.factories) { factory in
      !factories.contains { $0.name.value == factory.name.value }
    }
    merged.allowsReadonly = allowsReadonly ?? defaults.allowsReadonly
    merged.sequences = sequences.followed(by: defaults.sequences) { sequence in
      !sequences.contains { $0.name.value == sequence.name.value }
    }
    let inherited = defaults.builds.map { field in
      builds.first { $0.key.value == field.key.value } ?? field
    }
    merged.builds =
      inherited
      + builds.filter { field in !inherited.contains { $0.key.value == field.key.value } }
    merged.state = state.over(defaults.state)
    merged.responses = responses.followed(by: defaults.responses)
    merged.chaos = chaos.followed(by: defaults.chaos)
    merged.expect =
      addsExpectations
      ? (expect ?? defaults.expect).map { own in
        ExpectationBlock(
          entries: own.entries + (expect == nil ? [] : defaults.expect?.entries ?? []))
      } : expect?.over(defaults.expect) ?? defaults.expect
    // What the file's top refuses of others is refused for all of its scenarios.
    merged.override = override + top.override
    return merged
  }

  /// The body with what other files bring as a fallback.
  func over(_ shared: SharedParts) -> ScenarioBody {
    guard !shared.files.isEmpty else { return self }
    let shared = shared.without(override)
    var merged = self
    merged.target = target?.over(shared.target) ?? shared.target
    merged.targets = targets.over(shared.targets)
    merged.variables = variables.over(shared.variables)
    merged.factories = factories.followed(by: shared.factories) { factory in
      !factories.contains { $0.name.value == factory.name.value }
    }
    merged.sequences = sequences.followed(by: shared.sequences) { sequence in
      !sequences.contains { $0.name.value == sequence.name.value }
    }
    merged.responses = responses.followed(by: shared.responses)
    merged.chaos += shared.chaos.filter { entry in
      !entry.isNamed || !chaos.contains { $0.isNamed && $0.name.value == entry.name.value }
    }
    return merged
  }
}

extension Array {
  /// These elements with some of others behind them.
  ///
  /// The values of a file's top are kept once and not for each scenario, of which a file may have tens of
  /// thousands.
  fileprivate func followed(
    by others: [Element], where isTaken: (Element) -> Bool = { _ in true }
  ) -> [Element] {
    isEmpty ? others : self + others.filter(isTaken)
  }
}
