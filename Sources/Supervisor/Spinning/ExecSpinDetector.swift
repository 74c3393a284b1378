internal import Foundations

/// Detects a tree that starts one program after the other, each of which only reads the clock: a
/// shell that waits for a time to come, as in `while [ $(date +%s) -lt 4711 ]; do :; done`.
///
/// Such a tree never sleeps, and none of its threads spins. As reads make time pass where one
/// thread makes a great many (`SpinRecord`), so do programs, if there are a great many and they do
/// nothing else.
struct ExecSpinDetector {
  /// The number of programs that start at one instant before their work is examined.
  static let freePrograms = 100
  /// After how many further programs that have read the clock it is judged what they do.
  static let windowLength = 100
  /// The processor time of the whole tree, for each program that reads the clock, up to which it
  /// does nothing else.
  ///
  /// To start `date` from a shell takes two milliseconds, the stops included; to compile anything takes more
  /// than ten.
  static let idleProgram = Nanoseconds.milliseconds(8)
  /// The real time for which a program is held while others run on: its neighbours in a pipeline
  /// have to come to rest first.
  static let turnLength = Nanoseconds.milliseconds(10)

  /// The least virtual time that one program makes pass, which is what it would take.
  static let shortestStep = Nanoseconds.milliseconds(1)
  /// The longest step, so that a program that spins forever does not use up the range of the clocks.
  static let longestStep = Nanoseconds.seconds(60)
  /// The share of the time that was spun which the next step may take: an hour takes some thousand programs,
  /// each instant exact to a hundredth.
  static let stepShare: Int64 = 100

  /// The number of programs that were started since time moved for any other reason.
  private var started = 0
  /// The number of them that have read the clock since the last decision.
  private var readers = 0
  /// The processor time of the tree then.
  private var spent = Nanoseconds.zero
  /// True if programs are held until time has moved.
  private(set) var isSpinning = false
  /// Since when, in virtual time.
  private var begin = Nanoseconds.zero

  /// Counts a program; true if it is to be asked whether it reads the clock.
  mutating func countStart() -> Bool {
    started &+= 1
    return started > Self.freePrograms
  }

  /// Counts a program's first read of the clock; true if the program is to be held.
  ///
  /// - Parameters:
  ///   - now: virtual time.
  ///   - spent: the processor time that the tree has taken, those that have ended included.
  mutating func countReader(now: Nanoseconds, spent: () -> Nanoseconds) -> Bool {
    readers += 1
    if readers == 1 { self.spent = spent() }
    if readers > Self.windowLength {
      let total = spent()
      let length = total - self.spent
      // The time of children without a waiting parent is in no sum.
      let isIdle =
        length >= .zero && length.count <= Self.idleProgram.count * Int64(Self.windowLength)
      if isIdle, !isSpinning { begin = now }
      isSpinning = isIdle
      readers = 1
      self.spent = total
    }
    return isSpinning
  }

  /// Returns the distance that time may move at once.
  func step(now: Nanoseconds) -> Nanoseconds {
    let share = Nanoseconds((now - begin).count / Self.stepShare)
    return min(Self.longestStep, max(Self.shortestStep, share))
  }
}
