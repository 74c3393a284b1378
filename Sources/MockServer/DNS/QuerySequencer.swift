internal import ScenarioModel
import Synchronization

/// The DNS queries that wait for their turn to be decided about by fault rules.
///
/// Of several clients that ask at one instant, real time decides which is heard first. Their queries wait here until
/// no client can ask anything more at that instant, and then go in causal order, which is the same in each run.
final class QuerySequencer: Sendable {
  private struct Waiting: Sendable {
    var question: DNSQuery
    var completion: @Sendable (LinkFault.NameAnswer?) -> Void
  }

  private struct State {
    var waiting: [Waiting] = []
    var awaitsQuiescence = false
    var rounds = 0
  }

  private let faults: any DNSFaultSource
  private let quiescence: QuiescenceSignal?
  private let eventLoop: EventLoopHandle
  private let upstreamCalls: PendingUpstreamCalls
  private let clients: DNSClients
  private let reporter: EventReporter
  private let state = Mutex(State())

  init(
    faults: any DNSFaultSource, quiescence: QuiescenceSignal?, eventLoop: EventLoopHandle,
    upstreamCalls: PendingUpstreamCalls, clients: DNSClients, reporter: EventReporter
  ) {
    self.faults = faults
    self.quiescence = quiescence
    self.eventLoop = eventLoop
    self.upstreamCalls = upstreamCalls
    self.clients = clients
    self.reporter = reporter
  }

  /// Decides about a query, now or in its turn; called on the event loop.
  ///
  /// - Parameters:
  ///   - ports: where it came from; `nil` if that is not known.
  ///   - completion: called once on the event loop, unless the mock server closes before; with `nil` for the
  ///     answer that the question would have had.
  func enqueue(
    _ question: DNSQuestion, from ports: DNSPorts?, isStream: Bool,
    _ completion: @escaping @Sendable (LinkFault.NameAnswer?) -> Void
  ) {
    let asked = DNSQuery(
      name: question.name, type: question.type, isStream: isStream,
      searchesRoot: question.isOfGNU, client: ports.flatMap { clients.client(at: $0) })
    let waiting = Waiting(question: asked, completion: completion)
    guard let quiescence, asked.client != nil, faults.concerns(asked) else {
      return decide([waiting], round: nil)
    }
    // While an answer of a real host is pending, the target is not quiescent.
    guard !upstreamCalls.hasAnyToHosts else {
      admitAll()
      return decide([waiting], round: nil)
    }
    // Single-threaded clients have one query in flight.
    guard !quiescence.isLone() else {
      admitAll()
      return decide([waiting], round: nextRound())
    }
    let isFirst = state.withLock { state in
      state.waiting.append(waiting)
      defer { state.awaitsQuiescence = true }
      return !state.awaitsQuiescence
    }
    guard isFirst else { return }
    quiescence.whenReached { [self] in
      eventLoop.execute { [self] in
        state.withLock { $0.awaitsQuiescence = false }
        admitAll()
      }
    }
  }

  /// Decides about all that wait; called on the event loop.
  func admitAll() {
    var waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    guard !waiting.isEmpty else { return }
    // Sorting keeps the order of equals: of one socket, that of arrival.
    waiting.sort { one, other in
      guard let place = one.question.client?.place, let otherPlace = other.question.client?.place
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
      let (answer, fault) = faults.answer(to: one.question, round: round)
      if let fault { reporter.report(.linkFault(fault)) }
      one.completion(answer)
    }
  }
}

extension DNSQuestion {
  /// True if the resolver of the GNU C library asks, as far as can be seen.
  ///
  /// The sign is how long answers may be that it takes. With a search list of the root it asks twice for a
  /// name that does not exist (resolver(3)).
  fileprivate var isOfGNU: Bool {
    // resolv/res_mkquery.c, __res_nopt: the room for the answer, 1200 at most; before 2.24, that room.
    guard let answerRoom else { return false }
    return answerRoom <= 1_200 || answerRoom == 2_048
  }
}
