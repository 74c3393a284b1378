internal import ScenarioPlan

extension PlannedCase {
  /// True if it lets somebody outside of the tree act on its targets, who may go on doing so later: a command beside
  /// them, one that answers requests, or who is there while it pauses.
  var letsOthersAct: Bool {
    (network?.responses ?? []).flatMap(\.replies).contains { reply in
      if case .handler(let handler) = reply.body { handler.isProgram } else { false }
    }
      || (steps + (always ?? [])).flatMap(\.flattened).contains { step in
        switch step.action {
        case .exec(let helper): helper.isInWorld != true
        case .pause: true
        default: false
        }
      }
  }

  /// True if `tolerated:` is expected anywhere.
  var expectsTolerated: Bool {
    (steps.flatMap(\.expect) + expect).contains { expectation in
      if case .tolerated = expectation.subject { true } else { false }
    }
  }
}
