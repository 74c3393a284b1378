internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// Waits until the target that a step has started is ready, and keeps the output that matched on
  /// the way.
  func awaitReadiness(_ step: PlannedStep, in world: CaseEnvironment) throws(Failure) {
    let index = step.target ?? 0
    guard let readiness = plannedCase.targets[index].readiness else { return }
    let bound = readiness.timeout.map { RealTime.monotonic() + $0 } ?? deadline
    var wait = ReadinessWait(runner: self, world: world, step: step, bound: min(bound, deadline))
    for condition in readiness.conditions {
      switch condition {
      case .output(let expression):
        self[step].matched[.output] = try wait.awaitOutput(.output, expression)
      case .errorOutput(let expression):
        self[step].matched[.error] = try wait.awaitOutput(.error, expression)
      default: try wait.await(condition)
      }
    }
  }
}

/// One wait for a target that was started.
struct ReadinessWait {
  /// The number of times that all threads may be seen asleep, with nothing to wake them, before the
  /// wait ends; between them is a pause of real time.
  private static let idleLimit = 50
  private static let shortestPause = Nanoseconds.milliseconds(2)
  private static let longestPause = Nanoseconds.milliseconds(50)
  /// The longest time that a line may pause, in real time, before it counts as all there is of it.
  private static let longestPauseInLine = Nanoseconds.seconds(1)

  private let runner: CaseRunner
  private let world: CaseEnvironment
  private let step: PlannedStep
  /// The bound, on the runner's clock.
  private let bound: Nanoseconds
  /// A request under way.
  private var probe: LoopbackProbe?
  /// The result of the last attempt, in a sentence.
  private var lastWord: String?

  private var supervisor: any CaseSupervisor { world.supervisor }

  init(runner: CaseRunner, world: CaseEnvironment, step: PlannedStep, bound: Nanoseconds) {
    self.runner = runner
    self.world = world
    self.step = step
    self.bound = bound
  }

  // MARK: - Output

  /// Waits until a stream matches, and keeps what its named groups match.
  ///
  /// - Returns: Up to where it has matched, in bytes.
  mutating func awaitOutput(
    _ stream: StandardStream, _ expression: RegularExpression
  ) throws(Failure) -> Int {
    let condition: PlannedReadiness.Condition =
      stream == .output ? .output(expression) : .errorOutput(expression)
    var count = -1
    var search = GrowingSearch(expression)
    while true {
      let result = supervisor.awaitOutput(
        of: step.targetNumber, stream, beyond: count, deadline: bound, meanwhile: runner.log.flush)
      guard case .happened = result else { throw failure(condition, result) }
      let output = supervisor.output(stream, of: step.targetNumber)
      count = output.count
      search = try done(BoundedWork { [search] in search.looked(at: output) }, stream)
      guard let end = search.end else { continue }
      guard !expression.groupNames.isEmpty else { return end }
      try keepGroups(stream, expression)
      return end
    }
  }

  /// Captures what named groups match, once their line is complete: half a number is another
  /// number.
  ///
  /// A prompt that does not end its line is complete when nothing follows for a while.
  private mutating func keepGroups(
    _ stream: StandardStream, _ expression: RegularExpression
  ) throws(Failure) {
    var isAtRest = false
    while true {
      let output = supervisor.output(stream, of: step.targetNumber)
      let work = BoundedWork { () -> Result<RegularExpression.GroupMatch?, LongTextError> in
        do throws(LongTextError) {
          return .success(expression.groupMatch(in: try output.whole(for: "a named group")))
        } catch {
          return .failure(error)
        }
      }
      let match = try done(work, stream)
      if let match, match.isWhole || isAtRest {
        for group in match.groups { runner.capture(.string(group.text), as: group.name, in: world) }
        return
      }
      guard !isAtRest else { return }
      let limit = min(bound, RealTime.monotonic() + Self.longestPauseInLine)
      let result = supervisor.awaitOutput(
        of: step.targetNumber, stream, beyond: output.count, deadline: limit,
        meanwhile: runner.log.flush)
      switch result {
      case .happened: break
      case .cancelled: throw Failure.stopped(by: runner.cancellation, at: step.range)
      case .targetEnded, .timedOut, .stuck, .endless: isAtRest = true
      }
    }
  }

  private func done<Value>(
    _ work: BoundedWork<Result<Value, LongTextError>>, _ stream: StandardStream
  ) throws(Failure) -> Value {
    switch work.run(before: bound, runner.cancellation) {
    case .done(.success(let value)): return value
    case .done(.failure(let error)):
      throw Failure(unjudged: error, stream.rawValue).at(step.range)
    case .cancelled: throw Failure.stopped(by: runner.cancellation, at: step.range)
    case .timedOut: throw Failure.searchTimedOut(at: step.range)
    }
  }

  // MARK: - What must be looked for again and again

  /// Checks a condition until it holds.
  ///
  /// Where time is held, it is checked whenever everything sleeps, and time moves from one deadline
  /// to the next if it may.
  mutating func await(_ condition: PlannedReadiness.Condition) throws(Failure) {
    var idle = 0
    var pause = Self.shortestPause
    lastWord = nil
    while true {
      let holdsTime = runner.plannedCase.clock != nil && !world.view.reading().flows
      if holdsTime {
        let result = supervisor.settle(deadline: bound, meanwhile: runner.log.flush)
        guard case .happened = result else { throw failure(condition, result) }
      }
      let hadProbe = probe != nil
      if try holds(condition) { return }
      // What was asked just now can be answered before any time passes.
      if holdsTime, probe != nil, !hadProbe { continue }
      if let status = supervisor.exitStatus(of: step.targetNumber) {
        throw failure(condition, .targetEnded(status))
      }
      guard RealTime.monotonic() < bound else { throw timeout(condition) }
      if holdsTime, supervisor.awaitsTime() {
        guard supervisor.timeMovesByItself() else { throw standstill(condition) }
        let result = supervisor.tick(.next, deadline: bound, meanwhile: runner.log.flush)
        switch result {
        case .happened:
          idle = 0
          continue
        // Whoever waited has been woken meanwhile.
        case .stuck: break
        case .targetEnded, .timedOut, .endless, .cancelled: throw failure(condition, result)
        }
      }
      if holdsTime {
        idle += 1
        guard idle < Self.idleLimit else { throw standstill(condition) }
      }
      runner.log.flush()
      let moment = min(bound, RealTime.monotonic() + pause)
      guard supervisor.pause(until: moment, orEndOf: step.targetNumber) else {
        throw Failure.stopped(by: runner.cancellation, at: step.range)
      }
      pause = min(Self.longestPause, pause + pause)
    }
  }

  private mutating func holds(
    _ condition: PlannedReadiness.Condition
  ) throws(Failure) -> Bool {
    switch condition {
    case .output, .errorOutput: return true
    case .file(let path):
      let path = try world.resolve(path)
      return access("\(world.directory.work)/\(path)", F_OK) == 0
    case .notify:
      guard let socket = world.notifySocket(ofTarget: step.target ?? 0) else { return false }
      lastWord = socket.status.map { "it reported \"\($0)\"" }
      return socket.isReady
    case .port(let port):
      let wanted = try port.map { text throws(Failure) in try self.port(text) }
      // A connection would show no more: the kernel makes it for who listens. And it may be the only one that the target takes.
      return listeningPort(wanted) != nil
    case .http(let url, let port, let status):
      return try holdsAnswer(url, port, status)
    }
  }

  /// Returns the port that is asked for, or the target's first one, if the target listens there: what somebody else listens on
  /// says nothing of it.
  private mutating func listeningPort(_ wanted: UInt16?) -> UInt16? {
    let open = supervisor.listeningPorts(of: step.targetNumber)
    guard let port = wanted ?? open.first, open.contains(port) else {
      lastWord =
        open.isEmpty
        ? "it listens on no port"
        : "it listens on \(open.map(String.init).joined(separator: ", "))"
      return nil
    }
    return port
  }

  private mutating func holdsAnswer(
    _ url: PlannedText, _ port: PlannedText?, _ status: Int?
  ) throws(Failure) -> Bool {
    let state: LoopbackProbe.State?
    if let probe {
      state = probe.step()
    } else {
      state = try beginProbe(url, port)
    }
    switch state {
    case .answered(let actual)?:
      probe = nil
      if status.map({ $0 == actual }) ?? (200...299).contains(actual) { return true }
      lastWord = "it answered with status \(actual)"
    case .failed(let reason)?:
      probe = nil
      lastWord = reason
    case .pending?: lastWord = lastWord ?? "it has not answered yet"
    case nil: break
    }
    return false
  }

  /// Begins a probe in one family of addresses or the other; `nil` where the port is unknown.
  private mutating func beginProbe(
    _ url: PlannedText, _ port: PlannedText?
  ) throws(Failure) -> LoopbackProbe.State? {
    var path = try world.resolve(url)
    var number = try port.map { text throws(Failure) in try self.port(text) }
    if path.hasPrefix("http://") {
      let rest = path.dropFirst("http://".count)
      let host = rest.prefix { $0 != "/" }
      path = rest.count > host.count ? String(rest.dropFirst(host.count)) : "/"
      let digits =
        host.hasSuffix("]") ? nil : host.split(separator: "]").last?.split(separator: ":").last
      number = number ?? digits.flatMap { UInt16($0) } ?? 80
    }
    guard let place = listeningPort(number) else { return nil }
    var state: LoopbackProbe.State? = .failed("no process accepts connections")
    for address in supervisor.entrances(toPort: place, of: step.targetNumber) {
      let fresh = LoopbackProbe(address, path: path)
      let answer = fresh.step()
      state = answer
      if case .failed = answer { continue }
      probe = fresh
      break
    }
    return state
  }

  private func port(_ text: PlannedText) throws(Failure) -> UInt16 {
    let text = try world.resolve(text)
    guard let port = UInt16(text), port > 0 else {
      throw Failure(
        category: .error, type: "Readiness", message: "\"\(text)\" is not a port",
        range: step.range,
        help: "write a port from 1 to 65535")
    }
    return port
  }

  // MARK: - Failures

  private func failure(
    _ condition: PlannedReadiness.Condition, _ result: WaitResult
  ) -> Failure {
    described(condition, result).with(help: helpForLines(condition))
  }

  /// Returns the help for a condition on output whose lines meet it, and all the output does not.
  private func helpForLines(_ condition: PlannedReadiness.Condition) -> String? {
    switch condition {
    case .output(let expression):
      CaseRunner.helpForLines(
        expression, in: supervisor.output(.output, of: step.targetNumber))
    case .errorOutput(let expression):
      CaseRunner.helpForLines(
        expression, in: supervisor.output(.error, of: step.targetNumber))
    case .file, .notify, .port, .http: nil
    }
  }

  private func described(
    _ condition: PlannedReadiness.Condition, _ result: WaitResult
  ) -> Failure {
    switch result {
    case .targetEnded(let status):
      return Failure(
        category: .error, type: "Readiness",
        message: "\(runner.who(step)) \(status.text) before it was ready: \(condition.summary)",
        range: step.range, details: lastLines,
        help: "see its output above; `ready:` must name a sign that the target is ready")
    case .timedOut: return timeout(condition)
    case .stuck: return standstill(condition)
    case .happened, .endless, .cancelled:
      return Failure(
        result, awaiting: "readiness: \(condition.summary)",
        timeout: runner.currentTimeout, range: step.range, who: runner.who(step))
        ?? .stopped(by: runner.cancellation, at: step.range)
    }
  }

  private func timeout(_ condition: PlannedReadiness.Condition) -> Failure {
    let limit = runner.plannedCase.targets[step.target ?? 0].readiness?.timeout
    let threads = supervisor.situations()
    return Failure(
      category: .error, type: "Readiness",
      message: "\(runner.who(step)) was not ready within"
        + " \(limit ?? runner.currentTimeout) of real time: \(condition.summary)",
      range: step.range, actual: lastWord, details: lastLines + ThreadSituation.lines(threads),
      help: threads.contains { $0.standing == .computes }
        ? ThreadSituation.helpWhileComputing(threads, within: limit ?? runner.currentTimeout)
        : Self.help(threads, limit: limit))
  }

  /// The advice for a target that did not show in time that it is ready.
  private static func help(_ threads: [ThreadSituation], limit: Nanoseconds?) -> String {
    let setting = limit == nil ? "`timeout:`" : "`ready: { timeout: … }`"
    guard ThreadSituation.helpWhereNothingComes(threads) != nil else {
      return "raise \(setting) if it needs longer"
    }
    return
      "it is blocked, and may already be ready: check that `ready:` matches what it shows then, by the lines above;"
      + " a longer \(setting) helps only if something outside of the scenario keeps it waiting"
  }

  private func standstill(_ condition: PlannedReadiness.Condition) -> Failure {
    let awaitsTime = supervisor.awaitsTime()
    return Failure(
      category: .error, type: "Readiness",
      message: awaitsTime
        ? "\(runner.who(step)) waits for virtual time, which is frozen, before it is ready: "
          + condition.summary
        : "all threads are blocked, and \(runner.who(step)) is not ready: \(condition.summary)",
      range: step.range, actual: lastWord, details: lastLines + situations,
      help: awaitsTime
        ? "write `clock: { flow: auto }`, so that time advances while it starts; a step `freeze:` after"
          + " it freezes the clock from there on"
        : "nothing will wake it: it waits for another target or for input, or shows in another way that it is"
          + " ready")
  }

  private var situations: [String] {
    ThreadSituation.lines(supervisor.situations())
  }

  /// The last lines of both streams of the target.
  private var lastLines: [String] {
    [StandardStream.output, .error].flatMap { stream -> [String] in
      let length = 16_384
      let output = supervisor.output(stream, of: step.targetNumber)
      return LastLines.text(
        output.suffix(length), isCut: output.count > length, of: stream.rawValue)
    }
  }
}
