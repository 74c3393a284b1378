internal import Foundations
internal import ScenarioPlan

/// A provider with a place for each thing that it remembers.
indirect enum CompiledProvider: Sendable {
  /// A provider that remembers nothing and asks nothing.
  case plain(PlannedProvider)
  /// Providers one after the other; `counter` is the index of the number of draws.
  case sequence([CompiledProvider], counter: Int)
  /// The first that matches.
  case match([(conditions: CompiledConditions, provider: CompiledProvider)], CompiledProvider)
  /// A delay before another action.
  case delay(from: Nanoseconds, to: Nanoseconds, CompiledProvider)
  /// A signal as well.
  case signal(Int32, isAfter: Bool, CompiledProvider)

  /// - Parameter counters: how many counters there are; grows.
  init(_ planned: PlannedProvider, directory: String?, counters: inout Int) {
    switch planned {
    case .sequence(let providers):
      let counter = counters
      counters += 1
      self = .sequence(
        providers.map { CompiledProvider($0, directory: directory, counters: &counters) },
        counter: counter)
    case .match(let branches, let otherwise):
      let compiled = branches.map { branch in
        (
          conditions: CompiledConditions(branch.conditions, directory: directory),
          provider: CompiledProvider(branch.provider, directory: directory, counters: &counters)
        )
      }
      self = .match(
        compiled, CompiledProvider(otherwise, directory: directory, counters: &counters))
    case .delay(let shortest, let longest, let then):
      self = .delay(
        from: shortest, to: longest,
        CompiledProvider(then, directory: directory, counters: &counters))
    case .signal(let number, let isAfter, let then):
      self = .signal(
        number, isAfter: isAfter,
        CompiledProvider(then, directory: directory, counters: &counters))
    default:
      self = .plain(planned)
    }
  }

  /// Adds what it gives to `action`.
  func provide(
    for facts: inout some ChaosFacts, call: String, _ traits: SystemCallTraits,
    counters: inout [Int], into action: inout ChaosAction
  ) {
    switch self {
    case .plain(.randomDocumented(let lists)):
      var errors = lists[call] ?? []
      if traits.transfer != nil, let kind = facts.descriptorKind() {
        errors.removeAll { !kind.canMeet($0) }
      }
      guard !errors.isEmpty else { return }
      action.deed = .fail(errors[Int(action.random.next(below: UInt64(errors.count)))])
    case .plain(let planned):
      Self.provide(planned, call: call, traits, into: &action)
    case .sequence(let providers, let counter):
      let place = min(counters[counter], providers.count - 1)
      counters[counter] += 1
      providers[place].provide(
        for: &facts, call: call, traits, counters: &counters, into: &action)
    case .match(let branches, let otherwise):
      let branch = branches.first { $0.conditions.hold(for: &facts, traits) }
      (branch?.provider ?? otherwise).provide(
        for: &facts, call: call, traits, counters: &counters, into: &action)
    case .delay(let shortest, let longest, let then):
      let length =
        shortest == longest
        ? shortest : Nanoseconds(action.random.next(in: shortest.count...longest.count))
      action.delay += length
      then.provide(for: &facts, call: call, traits, counters: &counters, into: &action)
    case .signal(let number, let isAfter, let then):
      if isAfter { action.signalsAfter.append(number) } else { action.signalsBefore.append(number) }
      then.provide(for: &facts, call: call, traits, counters: &counters, into: &action)
    }
  }

  private static func provide(
    _ planned: PlannedProvider, call: String, _ traits: SystemCallTraits,
    into action: inout ChaosAction
  ) {
    switch planned {
    case .result(let result): action.deed = .result(result)
    case .failure(let result, let error): action.deed = .failure(result, error)
    case .fraction(let number): action.deed = .fraction(number)
    case .text(let text): action.deed = .text(text)
    case .error(let error): action.deed = .fail(error)
    case .compute(let computation): action.deed = .compute(computation)
    case .execute(let command, let isAfter):
      action.deed = .execute(command, isAfter: isAfter)
    case .randomNumber(let lower, let upper):
      action.deed = .result(action.random.next(in: lower...max(lower, upper)))
    case .randomError(let lists):
      let errors = lists[call] ?? lists["*"] ?? []
      guard !errors.isEmpty else { return }
      action.deed = .fail(errors[Int(action.random.next(below: UInt64(errors.count)))])
    case .exit(let code): action.deed = .exit(code)
    case .kill(let scope): action.deed = .kill(scope)
    case .hang: action.deed = .hang
    case .short(let amount) where traits.canBeShortened: action.deed = .short(amount)
    case .corrupt(let corruption) where traits.canBeCorrupted:
      action.deed = .corrupt(corruption)
    case .lie where traits.canBePretended: action.deed = .lie
    case .crash(let crash): action.deed = .crash(crash)
    // A call of the family that cannot be given such a thing is made as it is.
    case .short, .corrupt, .lie: break
    case .original, .sequence, .match, .delay, .signal, .disk, .randomDocumented: break
    case .link(let faults): action.deed = .link(faults)
    case .stop(let length): action.deed = .stop(length)
    case .restart(let delay): action.deed = .restart(delay)
    }
  }
}
