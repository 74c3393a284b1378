internal import Foundations
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// Pauses the environment until a user resumes it; clocks stop, and the case's own time does not
  /// count.
  ///
  /// - Parameters:
  ///   - bound: the longest pause, in real time; `nil` is the run's.
  ///   - reason: the reason for the pause.
  func pause(
    atMost bound: Nanoseconds?, because reason: String, at range: SourceRange,
    in world: CaseEnvironment
  ) throws(Failure) {
    let pausing = options.pausing
    let bound = bound ?? pausing.bound
    guard pausing.isInteractive || bound != nil else {
      throw Failure(
        category: .error, type: "Pause",
        message: "the pause would never end: this run has no terminal", range: range,
        help: "set its maximum length: pause: 10m, or --pause-limit 10m")
    }
    let start = RealTime.monotonic()
    let socket = try PauseSocket(path: "\(folder.path)/pause-\(number)")
    defer { socket.close() }
    let debuggers = try debugSockets(in: world)
    defer { for debugger in debuggers { debugger.close() } }
    world.supervisor.awaitRest()
    world.supervisor.change(.pause)
    let place = "\(range.file):\(range.line): \(reason)"
    var standing = StandingWorld(
      world, socket, debuggers, at: place, firstTarget: plannedCase.targets.count + visitorCount)
    pausing.announce(announcement(at: place, socket, debuggers, bound: bound))
    let ending = standing.stand(
      until: bound.map { start + $0 } ?? .forever, readsTerminal: pausing.isInteractive
    ) { cancellation.isCancelled }
    visitorCount = standing.visitorCount - plannedCase.targets.count
    world.supervisor.change(.goOn)
    deadline += RealTime.monotonic() - start
    if case .cancelled = ending, !isCleaningUp {
      throw Failure.stopped(by: cancellation, at: range)
    }
  }

  /// Returns the message that says that an environment is paused.
  private func announcement(
    at place: String, _ socket: PauseSocket, _ debuggers: [DebugSocket], bound: Nanoseconds?
  ) -> String {
    let key = options.pausing.isInteractive ? "Enter, or " : ""
    let end = bound.map { "; it resumes after \($0)" } ?? ""
    let lines =
      [
        "\(plannedCase.identifier) is paused (\(place))",
        "inspect it: scenario enter \(socket.path)",
      ] + debuggers.map { "debug it: gdb -ex 'target remote \($0.path)'" }
      + ["resume it: \(key)scenario enter --go-on \(socket.path)\(end)"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// Makes a socket for a debugger for each target that lives.
  private func debugSockets(in world: CaseEnvironment) throws(Failure) -> [DebugSocket] {
    var sockets: [DebugSocket] = []
    for index in plannedCase.targets.indices
    where records[index].hasStarted
      && world.supervisor.exitStatus(of: TargetNumber(index)) == nil
    {
      let name = "gdb-\(number)" + (index == 0 ? "" : "-\(index)")
      do {
        sockets.append(
          try DebugSocket(path: "\(folder.path)/\(name)", world.supervisor, TargetNumber(index)))
      } catch {
        for socket in sockets { socket.close() }
        throw error
      }
    }
    return sockets
  }

  /// Pauses the environment where something in it has failed, if the run is to; once in a case.
  func pauseAtFailure(_ failure: Failure?, in world: CaseEnvironment) {
    guard options.pausing.pausesOnFailure, isJudged, !hasPausedAtFailure, !cancellation.isCancelled,
      let failure = failure ?? log.failures.first
    else { return }
    hasPausedAtFailure = true
    let range = failure.range ?? plannedCase.range
    do throws(Failure) {
      try pause(atMost: nil, because: failure.message, at: range, in: world)
    } catch {
      // The interruption of the run is reported where it ends.
      if error.type != "Interrupted" { log.fail(error) }
    }
  }
}
