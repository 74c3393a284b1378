import Dispatch
import Foundations
import MockServer
import Synchronization

/// A scenario's surroundings under the test's own hand: time moves when the test says so.
final class ManualWorld: Sendable {
  private struct Timer {
    var deadline: Nanoseconds
    var work: @Sendable () -> Void
  }

  private struct State {
    var elapsed = Nanoseconds.zero
    var timers: [Timer] = []
    var events: [MockServerEvent] = []
    var connections: [Bool] = []
    var waitingForRest: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private let start: WallInstant

  private let restsWhenTold: Bool

  /// - Parameter restsWhenTold: whether those who ask at one instant wait for `rest()`.
  init(
    start: WallInstant = WallInstant(seconds: 784_111_777), restsWhenTold: Bool = false
  ) {
    self.start = start
    self.restsWhenTold = restsWhenTold
  }

  var environment: MockServerEnvironment {
    var environment = openEnvironment
    guard restsWhenTold else { return environment }
    environment.rest = QuiescenceSignal(
      isLone: { false },
      whenReached: { body in self.state.withLock { $0.waitingForRest.append(body) } })
    return environment
  }

  /// Everybody has come to rest.
  func rest() {
    let waiting = state.withLock { state in
      defer { state.waitingForRest = [] }
      return state.waitingForRest
    }
    for body in waiting { body() }
  }

  private var openEnvironment: MockServerEnvironment {
    MockServerEnvironment(
      now: { self.start + self.elapsed },
      elapsed: { self.elapsed },
      schedule: { delay, work in
        self.state.withLock { state in
          state.timers.append(Timer(deadline: state.elapsed + delay, work: work))
        }
        self.news.signal()
      },
      record: { event in
        self.state.withLock { state in
          // Connections come with whatever a test is about.
          if case .connected(_, let hasSpoken) = event {
            state.connections.append(hasSpoken)
          } else {
            state.events.append(event)
          }
        }
        self.news.signal()
      },
      directory: "/case")
  }

  var elapsed: Nanoseconds {
    state.withLock { $0.elapsed }
  }

  /// Whether clients had spoken, each time that one connected or began to.
  var connections: [Bool] {
    state.withLock { $0.connections }
  }

  var events: [MockServerEvent] {
    state.withLock { $0.events }
  }

  var timerCount: Int {
    state.withLock { $0.timers.count }
  }

  /// Lets virtual time pass and fires what is due, in order.
  func advance(by length: Nanoseconds) {
    let due = state.withLock { state in
      state.elapsed += length
      let due = state.timers.filter { $0.deadline <= state.elapsed }
      state.timers.removeAll { $0.deadline <= state.elapsed }
      return due.sorted { $0.deadline < $1.deadline }
    }
    for timer in due { timer.work() }
  }

  /// Waits until something is so, looking again at each piece of news.
  func wait(until condition: (ManualWorld) -> Bool) -> Bool {
    while !condition(self) {
      guard news.wait(timeout: .now() + .seconds(20)) == .success else { return condition(self) }
    }
    return true
  }
}
