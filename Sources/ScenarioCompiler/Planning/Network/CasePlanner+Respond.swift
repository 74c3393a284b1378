internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// The stubs of the `responses:` steps, step by step, in file order.
  var responsesOfSteps: [[ResponseEntry]] {
    Self.responses(of: (body.steps ?? []) + body.cleanup)
  }

  private static func responses(of steps: [Step]) -> [[ResponseEntry]] {
    steps.flatMap { step -> [[ResponseEntry]] in
      switch step.action {
      case .respond(let entries): [entries]
      case .block(_, let during): responses(of: during)
      default: []
      }
    }
  }

  /// The responses of all `responses:` steps; the latest step's come first, since what it says is to hold from
  /// there on, whatever answered before.
  mutating func planResponsesOfSteps() -> [PlannedResponse] {
    var planned: [PlannedResponse] = []
    for (number, entries) in responsesOfSteps.enumerated().reversed() {
      for entry in entries {
        if case .host = entry.match {
          report(
            "a step cannot break connections, but \"\(entry.name)\" does",
            code: .misplaced, at: entry.range,
            help: "move it to \"responses\"; a step adds only replies to requests")
          continue
        }
        if case .conversation = entry.match {
          report(
            "a step cannot add connections, but \"\(entry.name)\" does", code: .misplaced,
            at: entry.range,
            help: "move it to \"responses\"; a step adds only replies to requests")
          continue
        }
        guard var response = planResponse(entry) else { continue }
        response.step = number
        planned.append(response)
      }
    }
    return planned
  }
}
