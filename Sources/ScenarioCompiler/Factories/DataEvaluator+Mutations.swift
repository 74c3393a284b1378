internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// The data that a rule names, changed at random places.
  mutating func mutate(
    _ rule: MutationRule, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    let value: Value
    switch evaluate(rule.source, in: place) {
    case .value(let known): value = known
    case .failed: return .failed
    case .omitted: return .omitted
    case .planned:
      diagnostics.report(
        "the value of \"$mutate\" must be known before the run", code: .notKnownHere,
        at: rule.source.range,
        help:
          "remove expressions with dir and request, and times relative to the present; objects of"
          + " \"build\" use the scenario's start")
      return .failed
    }
    let places = value.places()
    guard let only = paths(rule.only, among: places), let except = paths(rule.except, among: places)
    else { return .failed }
    var chooser = MutationChooser(places, kinds: rule.kinds, only: only, except: except)
    var chosen: [ValueMutation] = []
    var isChanged = false
    let address = DataAddress(.key("$mutate"), of: place.address)
    for index in 0..<rule.count {
      // A stream for each, so that more changes leave those before them as they are.
      var random = random(at: DataAddress(.index(index), of: address))
      guard let mutation = chooser.next(&random) else { break }
      isChanged = true
      let number = number(mutation, of: place.address, at: range)
      if keptMutations?.contains(number) ?? true { chosen.append(mutation) }
    }
    guard isChanged else {
      diagnostics.report(
        "\"$mutate\" finds no value to change", code: .noEffect, at: range,
        help: "name more \"kinds\", or fewer paths")
      return .failed
    }
    return .value(value.applying(chosen))
  }

  /// The number of a change among all of the case; one that was reported before keeps its own.
  private mutating func number(
    _ mutation: ValueMutation, of address: DataAddress, at range: SourceRange
  ) -> Int {
    let path = mutation.path.reduce(address) { DataAddress($1, of: $0) }
    explanation?.record(path, drawn: "mutation \(mutation.kind.rawValue)", at: range)
    var after: String?
    if mutation.kind == .deep {
      after = "the same within 100 lists"
    } else if case .replaced(let value) = mutation.effect {
      after = value.excerpt(limit: 60)
    }
    let planned = PlannedMutation(
      path: path.text, kind: mutation.kind, before: mutation.original.excerpt(limit: 60),
      after: after, range: range)
    if let known = mutations.firstIndex(of: planned) { return known }
    mutations.append(planned)
    return mutations.count - 1
  }

  /// Compiled paths, each of which leads somewhere.
  private mutating func paths(
    _ texts: [Located<String>], among places: [MutablePlace]
  ) -> [MutationPath]? {
    var paths: [MutationPath] = []
    for text in texts {
      let made = diagnostics.catching(as: .badPath, at: text.range) { () throws(PatternError) in
        try MutationPath(text.value)
      }
      guard let made else { return nil }
      guard places.contains(where: { made.covers($0.path) }) else {
        let known = places.dropFirst().map { JSONPath.relativeText($0.path) }
        diagnostics.report(
          "the path \"\(text.value)\" does not exist", code: .badPath, at: text.range,
          help: Suggestion.help(for: text.value, in: Array(known.prefix(20)), label: "its paths"))
        return nil
      }
      paths.append(made)
    }
    return paths
  }
}
