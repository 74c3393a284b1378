internal import ScenarioPlan

extension PlannedProvider {
  /// True if a call that is given this is never made.
  package var replacesCall: Bool {
    switch self {
    case .result, .failure, .fraction, .text, .error, .randomNumber, .randomError,
      .randomDocumented, .exit,
      .kill, .hang, .lie, .crash, .restart:
      true
    case .compute(let computation): !computation.callsThrough
    case .sequence(let providers): providers.allSatisfy(\.replacesCall)
    case .match(let branches, let otherwise):
      otherwise.replacesCall && branches.allSatisfy(\.provider.replacesCall)
    case .delay(_, _, let then), .signal(_, _, let then): then.replacesCall
    case .original, .execute, .short, .corrupt, .link, .disk, .stop: false
    }
  }

  /// True if a process that is given this is no more, and does not come again.
  package var endsProcess: Bool {
    switch self {
    case .kill, .crash: true
    case .signal(number: 9, _, _): true
    case .sequence(let providers): providers.allSatisfy(\.endsProcess)
    case .signal(_, _, let then): then.endsProcess
    default: false
    }
  }

  /// True if the target is started again however often it was before.
  package var restartsWithoutEnd: Bool {
    switch self {
    case .restart: true
    case .sequence(let providers): providers.last?.restartsWithoutEnd ?? false
    case .match(let branches, let otherwise):
      otherwise.restartsWithoutEnd && branches.allSatisfy(\.provider.restartsWithoutEnd)
    case .delay(_, _, let then), .signal(_, _, let then): then.restartsWithoutEnd
    default: false
    }
  }
}
