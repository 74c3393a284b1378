internal import ScenarioModel
internal import ScenarioPlan
import Synchronization

/// The questions for names that wait for their turn to be decided about by chaos entries.
///
/// Which of several that ask at one instant is heard first is a matter of real time. Their questions wait here until
/// nobody can ask anything more at that instant, and then go in the order of the tree, which is the same in
/// each run.
final class QuerySequencer: Sendable {
  private struct Waiting: Sendable {
    var question: DNSQuery
    var completion: @Sendable (LinkFault.NameAnswer?) -> Void
  }

  private struct State {
    var waiting: [Waiting] = []
    var isExpectingRest = false
    var rounds = 0
  }

  private let desk: LinkFaults
  private let rest: QuiescenceSignal?
  private let gate: EventLoopHandle
  private let questions: PendingUpstreamCalls
  private let askers: DNSClients
  private let record: @Sendable (StandInEvent) -> Void
  private let state = Mutex(State())

  /// Creates an empty line; `nil` if no entry is about a link.
  init?(
    _ environment: StandInEnvironment, gate: EventLoopHandle, questions: PendingUpstreamCalls,
    askers: DNSClients
  ) {
    guard let desk = environment.links else { return nil }
    self.desk = desk
    rest = environment.rest
    self.gate = gate
    self.questions = questions
    self.askers = askers
    record = environment.record
  }

  /// Decides about a question, now or in its turn; called on the event loop.
  ///
  /// - Parameters:
  ///   - ports: where it came from; `nil` if nobody knows.
  ///   - completion: called once on the event loop, unless the stand-in closes before; with `nil` for the
  ///     answer that the question would have had.
  func enter(
    _ question: DNSQuestion, from ports: DNSPorts?, isStream: Bool,
    _ completion: @escaping @Sendable (LinkFault.NameAnswer?) -> Void
  ) {
    let asked = DNSQuery(
      name: question.name, type: question.type, isStream: isStream,
      searchesRoot: question.isOfGNU, asker: ports.flatMap { askers.asker(at: $0) })
    let waiting = Waiting(question: asked, completion: completion)
    guard let rest, asked.asker != nil, desk.concerns(asked) else {
      return decide([waiting], round: nil)
    }
    // Before anything has come from a real host, the tree does not rest.
    guard !questions.hasAny else {
      admit()
      return decide([waiting], round: nil)
    }
    // Who has one thread cannot ask while it waits for an answer.
    guard !rest.isLone() else {
      admit()
      return decide([waiting], round: nextRound())
    }
    let isFirst = state.withLock { state in
      state.waiting.append(waiting)
      defer { state.isExpectingRest = true }
      return !state.isExpectingRest
    }
    guard isFirst else { return }
    rest.whenReached { [self] in
      gate.execute { [self] in
        state.withLock { $0.isExpectingRest = false }
        admit()
      }
    }
  }

  /// Decides about all that wait; called on the event loop.
  func admit() {
    var waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    guard !waiting.isEmpty else { return }
    // Sorting keeps the order of equals: of one socket, that of arrival.
    waiting.sort { one, other in
      guard let place = one.question.asker?.place, let otherPlace = other.question.asker?.place
      else { return false }
      return place < otherPlace
    }
    decide(waiting, round: nextRound())
  }

  private func nextRound() -> Int {
    state.withLock { state in
      state.rounds += 1
      return state.rounds
    }
  }

  private func decide(_ waiting: [Waiting], round: Int?) {
    for one in waiting {
      let (answer, fault) = desk.answer(to: one.question, round: round)
      if let fault { record(.linkFault(fault)) }
      one.completion(answer)
    }
  }
}

extension DNSQuestion {
  /// Whether the resolver of the GNU C library asks, as far as that shows.
  ///
  /// It tells by how long answers may be that it takes. With a search list of the root it asks twice for a
  /// name that does not exist (resolver(3)).
  fileprivate var isOfGNU: Bool {
    // resolv/res_mkquery.c, __res_nopt: the room for the answer, 1200 at most; before 2.24, that room.
    guard let answerRoom else { return false }
    return answerRoom <= 1_200 || answerRoom == 2_048
  }
}
