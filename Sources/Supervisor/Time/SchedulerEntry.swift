internal import Foundations

/// Receives a scheduler's log lines, with the elapsed virtual time.
typealias SchedulerTrace = (_ words: String, _ elapsed: Nanoseconds) -> Void

/// One line of a scheduler's log: an input, an answer or a decision.
///
/// A question is logged after the inputs that arrive while it is answered, and an effect before them, so that
/// one pass over the lines can replay them.
enum SchedulerEntry: Hashable {
  /// A question that is answered by yes or no.
  enum Question: String {
    case asleep, beside, settled, resumed, stood
  }

  /// The scheduler begins.
  case begin(VirtualClock, slack: Nanoseconds)
  /// A reading of the real clock.
  case real(Nanoseconds)

  // What it is told.

  /// A deadline is filed; the result is its ticket.
  case file(Deadline, mayBeLate: Bool, UInt64?, owner: String)
  /// A deadline is cancelled.
  case cancel(UInt64)
  /// The clocks are changed.
  case change
  /// Time is to pass up to an instant.
  case move(Nanoseconds)
  /// A wall clock shows a second again.
  case leap(Nanoseconds)
  /// The waiters whose deadlines are due in real time are to be woken.
  case wakeDue
  /// Time is to move if it may.
  case turn
  /// Time is to move to the next deadline.
  case moveOn(Nanoseconds?, passesToLimit: Bool)

  // What it is answered.

  /// The client's answer to a question.
  case answer(Question, Bool)
  /// The client's demand for moving time.
  case demand(TimeDemand)
  /// The time that the client's spinners wait for.
  case goal(Nanoseconds?)
  /// The client has announced that the clocks are about to change.
  case announced
  /// The client has announced that the clocks have changed.
  case changed
  /// The client is ready for the next due waiter.
  case prepared
  /// The client has finished.
  case done

  // What it decides.

  /// The clocks after a change.
  case clock(VirtualClock)
  /// A deadline has come.
  case wake(UInt64, Nanoseconds, owner: String)
  /// Time has moved to the spinners' goal.
  case reach(Nanoseconds)
  /// Time passes to an instant without a waiter.
  case pass(Nanoseconds)
  /// True if the input had an effect.
  case end(Bool)
}

// MARK: - Text

extension SchedulerEntry {
  /// The line's words.
  var text: String {
    switch self {
    case .begin(let clock, let slack): "begin \(slack.count) \(clock.traceText)"
    case .real(let instant): "real \(instant.count)"
    case .file(let deadline, let mayBeLate, let ticket, let owner):
      "file \(deadline.traceText) \(mayBeLate) \(ticket.map { "\($0)" } ?? "-") \(owner)"
    case .cancel(let ticket): "cancel \(ticket)"
    case .change: "change"
    case .move(let instant): "move \(instant.count)"
    case .leap(let instant): "leap \(instant.count)"
    case .wakeDue: "wake-due"
    case .turn: "turn"
    case .moveOn(let limit, let passes): "move-on \(Self.text(limit)) \(passes)"
    case .answer(let question, let isTrue): "\(question.rawValue) \(isTrue)"
    case .demand(.stand): "demand stand"
    case .demand(.finished): "demand finished"
    case .demand(.advance(let limit)): "demand advance \(Self.text(limit))"
    case .goal(let instant): "goal \(Self.text(instant))"
    case .announced: "announced"
    case .changed: "changed"
    case .prepared: "prepared"
    case .done: "done"
    case .clock(let clock): "clock \(clock.traceText)"
    case .wake(let ticket, let instant, let owner): "wake \(ticket) \(instant.count) \(owner)"
    case .reach(let instant): "reach \(instant.count)"
    case .pass(let instant): "pass \(instant.count)"
    case .end(let isTrue): "end \(isTrue)"
    }
  }

  private static func text(_ instant: Nanoseconds?) -> String {
    instant.map { "\($0.count)" } ?? "-"
  }

  /// Reads a line's words; `nil` if they are none.
  init?(text: some StringProtocol) {
    let words = String(text).split(separator: " ", maxSplits: 4).map { String($0) }
    func instant(_ place: Int) -> Nanoseconds? {
      words.count > place ? Int64(words[place]).map { Nanoseconds($0) } : nil
    }
    let read: SchedulerEntry? =
      switch words.first {
      case "begin":
        instant(1).flatMap { slack in
          words.last.flatMap(VirtualClock.init(traceText:)).map { .begin($0, slack: slack) }
        }
      case "real": instant(1).map { .real($0) }
      case "file":
        words.count < 5
          ? nil
          : Deadline(traceText: words[1]).map {
            .file($0, mayBeLate: words[2] == "true", UInt64(words[3]), owner: words[4])
          }
      case "cancel": words.last.flatMap { UInt64($0) }.map { .cancel($0) }
      case "change": .change
      case "move": instant(1).map { .move($0) }
      case "leap": instant(1).map { .leap($0) }
      case "wake-due": .wakeDue
      case "turn": .turn
      case "move-on": .moveOn(instant(1), passesToLimit: words.last == "true")
      case "demand" where words.last == "stand": .demand(.stand)
      case "demand" where words.last == "finished": .demand(.finished)
      case "demand": .demand(.advance(limit: instant(2)))
      case "goal": .goal(instant(1))
      case "announced": .announced
      case "changed": .changed
      case "prepared": .prepared
      case "done": .done
      case "clock": words.last.flatMap(VirtualClock.init(traceText:)).map { .clock($0) }
      case "wake":
        words.count < 4
          ? nil
          : UInt64(words[1]).flatMap { ticket in
            instant(2).map {
              .wake(ticket, $0, owner: words[3...].joined(separator: " "))
            }
          }
      case "reach": instant(1).map { .reach($0) }
      case "pass": instant(1).map { .pass($0) }
      case "end": .end(words.last == "true")
      case let word?: Question(rawValue: word).map { .answer($0, words.last == "true") }
      case nil: nil
      }
    guard let read else { return nil }
    self = read
  }
}

extension Deadline {
  /// The deadline without spaces.
  fileprivate var traceText: String {
    switch self {
    case .monotonic(let instant): "monotonic/\(instant.count)"
    case .boot(let instant): "boot/\(instant.count)"
    case .wall(let instant, let wall):
      "wall/\(instant.seconds)/\(instant.nanoseconds)/\(wall.target)"
    }
  }

  /// Reads what `traceText` has written.
  fileprivate init?(traceText: String) {
    let words = traceText.split(separator: "/")
    let numbers = words.dropFirst().compactMap { Int64($0) }
    switch (words.first, numbers.count) {
    case ("monotonic", 1): self = .monotonic(Nanoseconds(numbers[0]))
    case ("boot", 1): self = .boot(Nanoseconds(numbers[0]))
    case ("wall", 3):
      self = .wall(
        WallInstant(seconds: numbers[0], nanoseconds: numbers[1]),
        of: WallNumber(target: Int(numbers[2])))
    default: return nil
    }
  }
}
