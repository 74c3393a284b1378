/// The successive waits of one thread, from which it is decided whether it polls without effect.
struct PollRecord: Equatable {
  /// The place of a wait in the program.
  struct Place: Equatable {
    /// The address behind the call.
    var address: UInt64
    /// The call.
    var systemCall: Int
  }

  /// The observation of a thread from the end of a wait to its next one.
  enum Period: Equatable {
    /// The period was not observed.
    case unseen
    /// All calls of the period are seen.
    case seen
    /// One of the calls had an effect.
    case effective
  }

  /// After how many waits in a row that have timed out, with nothing done behind them, a thread is taken for one that
  /// polls.
  static let patience = 16
  /// The number of periods of which one is observed from then on.
  static let sample = 8

  private var place: Place
  private var idlePeriods = 0
  private var unseenPeriods = 0
  private(set) var period: Period?

  /// - Parameter place: where the first wait is made.
  init(place: Place) { self.place = place }

  /// True if nothing has come of its polls for long.
  var isIdle: Bool { idlePeriods >= Self.patience }

  /// A wait begins.
  mutating func begin(at place: Place) {
    if place != self.place || period == nil || period == .effective {
      self = PollRecord(place: place)
    } else {
      idlePeriods += 1
      period = nil
    }
  }

  /// Records that the wait has timed out; returns whether the thread is to be examined.
  mutating func expire() -> Bool {
    unseenPeriods += 1
    guard !isIdle || unseenPeriods >= Self.sample else {
      period = .unseen
      return false
    }
    unseenPeriods = 0
    period = .seen
    return true
  }

  /// The thread has done something behind the wait that others may see, or it has not timed out.
  mutating func recordEffect() { period = .effective }
}
