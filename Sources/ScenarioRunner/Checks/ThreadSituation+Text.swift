internal import Foundations
internal import Supervisor

extension ThreadSituation {
  /// The maximum number of characters of a command that are shown: a thread is one line.
  private static let limit = 80

  /// `curl http://a (process 7, thread 7) sleeps in poll`.
  var text: String {
    let line = program.prefix { !$0.isNewline }.prefix(Self.limit)
    let command = line.count < program.count ? line + "…" : line
    return "\(command) (process \(process), thread \(thread)) \(activity)"
  }

  /// Returns a line for each thread that may show why nothing makes progress, those first that run;
  /// of those that only wait for others of their processes a number.
  ///
  /// Where a process has no other thread, its first one is shown.
  static func lines(_ threads: [ThreadSituation]) -> [String] {
    let busy = threads.filter { $0.idleCall == nil }
    var known = Set(busy.map(\.process))
    let shown = threads.filter { $0.idleCall == nil || known.insert($0.process).inserted }
    var counts: [String: Int] = [:]
    for call in threads.compactMap(\.idleCall) { counts[call, default: 0] += 1 }
    for call in shown.compactMap(\.idleCall) { counts[call, default: 0] -= 1 }
    let first = [Standing.computes, .spins, .polls]
    let ordered =
      first.flatMap { standing in shown.filter { $0.standing == standing } }
      + shown.filter { !first.contains($0.standing) }
    let rest = counts.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { call, count in
      count == 1 ? "and 1 thread sleeps in \(call)" : "and \(count) threads sleep in \(call)"
    }
    return alike(ordered) + rest
  }

  /// The maximum number of threads of a kind that are shown.
  private static let alikeLimit = 3

  /// Returns a line for each of some threads, those that are alike beside each other: of many a few, and a number.
  private static func alike(_ threads: [ThreadSituation]) -> [String] {
    var kinds: [[Substring]] = []
    var members: [[Substring]: [ThreadSituation]] = [:]
    for thread in threads {
      let kind = thread.kind
      if members[kind] == nil { kinds.append(kind) }
      members[kind, default: []].append(thread)
    }
    return kinds.flatMap { kind in
      let all = members[kind] ?? []
      let more = all.count - alikeLimit
      return all.prefix(alikeLimit).map(\.text) + (more > 0 ? ["and \(more) more like these"] : [])
    }
  }

  /// The words of the line in which threads that are alike agree: numbers and times differ.
  private var kind: [Substring] {
    [program.prefix { !$0.isWhitespace }]
      + activity.split(separator: " ").map { $0.first?.isNumber ?? false ? "#" : $0 }
  }

  private var idleCall: String? {
    if case .idle(let call) = standing { call } else { nil }
  }

  /// Returns the help where time does not move for threads that wait for it; `nil` if none does.
  static func helpWhereTimeStands(_ threads: [ThreadSituation]) -> String? {
    if threads.contains(where: { $0.standing == .awaitsTime || $0.standing == .spins }) {
      return "virtual time is frozen here: use `flow: auto`, or let time pass with a `tick:` step"
    }
    if threads.contains(where: { $0.standing == .polls }) {
      return
        "a thread polls without waiting, and nothing changes: provide what it looks for with a step, a reply or"
        + " `stdin:`, or end it with `signal:` or `stop:`"
    }
    guard threads.contains(where: { $0.standing == .awaitsEndOfTime }) else { return nil }
    return "clocks count nanoseconds in 64 bits, and their range is used up:"
      + " let the target wait for a shorter time, or end it with a step"
  }

  /// The help where a thread waits for a time that comes too late.
  static let helpWhereTimeFlows =
    "the clock advances at a fixed rate here: with `flow: auto`, time advances to the next wait's end as soon as everything"
    + " is idle; otherwise raise `timeout:`"

  /// Returns the help where every thread waits for something that more time alone does not bring; `nil` elsewhere.
  static func helpWhereNothingComes(_ threads: [ThreadSituation]) -> String? {
    let waits = threads.allSatisfy { thread in
      switch thread.standing {
      case .waits, .idle, .awaitsEndOfTime: true
      case .computes, .spins, .polls, .awaitsTime, .awaitsRealTime: false
      }
    }
    guard waits, !threads.isEmpty else { return nil }
    return
      "every thread is blocked until something wakes it: provide that with a step, a reply or `stdin:`, or end"
      + " it with `signal:` or `stop:`; a longer `timeout:` helps only if a process outside of the scenario wakes it"
  }

  /// Returns the help for threads that compute until the timeout.
  ///
  /// - Parameter real: the real time until the timeout.
  static func helpWhileComputing(_ threads: [ThreadSituation], within real: Nanoseconds) -> String {
    let waited = threads.filter { $0.standing == .computes }.map(\.delay).max() ?? .zero
    guard waited.count > real.count / 2 else { return computingHelp }
    return
      "the machine is busy: the thread that runs has waited \(Nanoseconds.milliseconds(waited.count / 1_000_000)) for a"
      + " processor; raise `timeout:`, or run fewer cases at once with `-j`"
  }

  /// The help for a thread that computes without end.
  static let computingHelp =
    "a thread that computes is never idle: something must end it, such as an alarm, timeout(1) or a step `signal:` or"
    + " `stop:`; for these, time passes under `flow: auto`, and always under `flow: real` or after a step `rate:`;"
    + " a longer `timeout:` helps only if it ends by itself"
}
