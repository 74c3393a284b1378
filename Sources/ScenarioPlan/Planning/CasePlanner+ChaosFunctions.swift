internal import ScenarioModel

extension PlannedFunctions {
  /// What `function:` and `in:` say.
  init(_ names: [Located<String>], in place: Located<String>?) {
    var own: [String] = []
    for name in names where !own.contains(name.value) { own.append(name.value) }
    self.init(names: own)
    if let place { self.place = place.value == "exe" ? .program : .library(place.value) }
  }
}

extension CasePlanner {
  /// A target keeps a counter for each entry that names functions, of which there are so many.
  mutating func checkCount(of planned: [PlannedChaos], with chaos: PlannedChaos) {
    guard chaos.functions != nil,
      planned.count(where: { $0.functions != nil }) == PlannedFunctions.entryLimit
    else { return }
    report(
      "more than \(PlannedFunctions.entryLimit) chaos entries name functions", at: chaos.range,
      help: "give several functions to one entry: function: [malloc, calloc]")
  }

  /// Of a function nothing is known but its arguments.
  mutating func checkFunctionSubjects(_ conditions: ChaosConditions, of scope: ChaosScope) {
    let places: [(key: String, range: SourceRange?)] = [
      ("path", conditions.path?.range), ("fd", conditions.kinds.first?.range),
      ("host", conditions.host?.range), ("port", conditions.port?.range),
      ("size", conditions.size?.range), ("offset", conditions.offset?.range),
      ("flags", conditions.flags.first?.range),
    ]
    for (key, range) in places {
      guard let range else { continue }
      report(
        "\"\(key)\" cannot be told of the function \"\(scope.word)\"", at: range,
        help: "match by \"args\", \"caller\", \"process\" or \"thread\", as in"
          + " where: { args: { 0: { greater_than: 4096 } } }")
    }
  }

  /// A constant that a function returns.
  mutating func planFunctionConstant(
    _ constant: ChaosProvider.Constant, errno: Located<String>?, at range: SourceRange,
    of scope: ChaosScope
  ) -> PlannedProvider? {
    switch constant {
    case .text(let text):
      guard errno == nil else {
        report(
          "\"errno\" does not go with a text", at: errno?.range ?? range,
          help: "write { constant: 0, errno: EIO } for NULL and an errno")
        return nil
      }
      return .text(text)
    case .number(let number):
      guard let errno else { return .result(number) }
      return error(errno, of: scope).map { .failure(number, $0) }
    }
  }

  /// Refuses what no function can be given; true if all is well.
  mutating func checkFunctionProvider(_ provider: ChaosProvider, of scope: ChaosScope) -> Bool {
    guard scope.functions != nil else { return true }
    switch provider.content {
    case .short, .corrupt, .lie:
      report(
        "the function \"\(scope.word)\" cannot be made short, corrupt or a lie",
        at: provider.range,
        help: "write { constant: N }, or { compute: result / 2 } for a result of your own")
      return false
    case .signal(_, isAfter: true, _):
      report(
        "a signal cannot come after the function \"\(scope.word)\"", at: provider.range,
        help: "write { signal: TERM }, which comes before it")
      return false
    default:
      return true
    }
  }
}
