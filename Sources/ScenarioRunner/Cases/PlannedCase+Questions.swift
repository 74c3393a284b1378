internal import ScenarioPlan

extension PlannedCase {
  /// True if it lets somebody outside of the tree act on its targets, who may go on doing so later: a command beside
  /// them, one that answers requests, or who is there while it pauses.
  var letsOthersAct: Bool {
    let acts = (steps + (always ?? [])).flatMap(\.flattened).contains { step in
      switch step.action {
      case .exec(let helper): helper.isInWorld != true
      case .pause: true
      default: false
      }
    }
    return acts || network?.asksPrograms ?? false
  }

  /// True if `tolerated:` is expected anywhere.
  var expectsTolerated: Bool {
    (steps.flatMap(\.expect) + expect).contains { expectation in
      if case .tolerated = expectation.subject { true } else { false }
    }
  }
}

extension PlannedNetwork {
  /// True if programs outside of the case's targets may answer requests.
  fileprivate var asksPrograms: Bool {
    var replies = responses.flatMap(\.replies)
    if case .reply(let reply) = unmatched { replies.append(reply) }
    return replies.contains { reply in
      if case .handler(let handler) = reply.body { handler.isProgram } else { false }
    }
  }
}
