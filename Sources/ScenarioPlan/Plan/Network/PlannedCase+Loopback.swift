internal import ScenarioModel

extension PlannedCase {
  /// True if targets on no host bind the loopback that all processes of this machine share, and false if they have one of
  /// the case's own.
  ///
  /// Whoever is outside of the scenario's world finds a server at 127.0.0.1 only where that is shared: commands of steps,
  /// unless they ask for the address, programs that answer requests, and real hosts that the mock server asks, as any name
  /// may lead here.
  package var sharesLoopback: Bool {
    if let network {
      guard network.loopback == .open else { return true }
      guard !network.needsMockServer || !network.mayGoLive else { return true }
    }
    return asksAddresses != true && hasCommandsOutside
  }

  private var hasCommandsOutside: Bool {
    (steps + (always ?? [])).flatMap(\.flattened).contains { step in
      if case .exec(let helper) = step.action { helper.isInWorld != true } else { false }
    }
      || (network?.responses ?? []).flatMap(\.replies).contains { reply in
        if case .handler(let handler) = reply.body, case .program = handler.answerer {
          true
        } else {
          false
        }
      }
  }
}
