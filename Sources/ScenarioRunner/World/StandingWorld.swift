internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

/// A paused environment: answers requests from other processes until it is resumed.
struct StandingWorld {
  private let world: CaseEnvironment
  private let socket: PauseSocket
  private let debuggers: [DebugSocket]
  private let place: String
  /// The programs that visitors run in it, by the connections on which their ends are reported.
  private var visitors: [(connection: Int32, target: TargetNumber)] = []
  private var nextTarget: Int

  /// The reason why a paused environment resumes.
  enum Ending {
    /// A user has requested it.
    case asked
    /// The bound of the pause has come.
    case bound
    /// The run is being stopped.
    case cancelled
  }

  /// - Parameters:
  ///   - socket: where they knock.
  ///   - debuggers: where debuggers connect.
  ///   - place: where in the case it stands, for those who ask.
  ///   - firstTarget: the number of the first program that is started in it, behind those of the case.
  init(
    _ world: CaseEnvironment, _ socket: PauseSocket, _ debuggers: [DebugSocket], at place: String,
    firstTarget: Int
  ) {
    self.world = world
    self.socket = socket
    self.debuggers = debuggers
    self.place = place
    nextTarget = firstTarget
  }

  /// The number of programs that were started in it.
  var visitorCount: Int { nextTarget }

  /// Answers requests until the environment is resumed.
  ///
  /// - Parameters:
  ///   - deadline: until when, on the runner's clock.
  ///   - readsTerminal: whether a line on standard input lets it go on.
  ///   - isCancelled: whether the run is being stopped.
  mutating func stand(
    until deadline: Nanoseconds, readsTerminal: Bool, isCancelled: () -> Bool
  ) -> Ending {
    defer { endVisits() }
    while true {
      if isCancelled() { return .cancelled }
      guard RealTime.monotonic() < deadline else { return .bound }
      var descriptors = [socket.pollDescriptor]
      if readsTerminal {
        descriptors.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0))
      }
      descriptors += debuggers.map(\.pollDescriptor)
      for visitor in visitors {
        descriptors.append(pollfd(fd: visitor.connection, events: Int16(POLLIN), revents: 0))
      }
      // The ends of programs are checked, and so is the run's; a debugger is answered sooner.
      let patience: Int32 = debuggers.contains(where: \.awaitsStop) ? 2 : 50
      guard poll(&descriptors, nfds_t(descriptors.count), patience) >= 0 || errno == EINTR else {
        return .bound
      }
      if readsTerminal, descriptors[1].revents != 0, takesLine() { return .asked }
      for debugger in debuggers { debugger.serve() }
      reportEnds(lost: descriptors.filter { $0.revents & Int16(POLLHUP | POLLIN) != 0 }.map(\.fd))
      if descriptors[0].revents != 0, let (connection, request) = socket.take() {
        if answer(request, connection) { return .asked }
      }
    }
  }

  /// Answers a request; true if the environment is to be resumed.
  private mutating func answer(_ request: PauseSocket.Request, _ connection: Int32) -> Bool {
    switch request {
    case .identify:
      PauseSocket.answer("\(world.plannedCase.identifier)\n\(place)", to: connection)
      close(connection)
      return false
    case .goOn:
      PauseSocket.answer("goes on", to: connection)
      close(connection)
      return true
    case .enter(let words, let terminal, let streams):
      defer { for stream in streams { close(stream) } }
      do throws(Failure) {
        let request = try world.visit(words, terminal: terminal, streams)
        let target = TargetNumber(nextTarget)
        nextTarget += 1
        do {
          try world.supervisor.start(request, as: target)
        } catch {
          throw Failure(
            error, program: request.path, range: world.plannedCase.target.commandRange)
        }
        PauseSocket.answer("started", to: connection)
        visitors.append((connection, target))
      } catch {
        PauseSocket.answer("refused \(error.message)", to: connection)
        close(connection)
      }
      return false
    }
  }

  /// Reports the ends of visitors' programs, and ends the programs of visitors who are gone.
  private mutating func reportEnds(lost: [Int32]) {
    for (connection, target) in visitors {
      if let status = world.supervisor.exitStatus(of: target) {
        PauseSocket.answer("ended \(status.code)", to: connection)
      } else if lost.contains(connection) {
        world.supervisor.killTree(of: target)
      } else {
        continue
      }
      close(connection)
      visitors.removeAll { $0.connection == connection }
    }
  }

  /// Ends the programs of all visitors, because the environment is resumed.
  private mutating func endVisits() {
    for (connection, target) in visitors {
      world.supervisor.killTree(of: target)
      PauseSocket.answer("over", to: connection)
      close(connection)
    }
    visitors = []
  }

  /// Reads what was typed; true if it was a line, and not the end of input.
  private func takesLine() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 256)
    return read(STDIN_FILENO, &buffer, buffer.count) > 0
  }
}

extension ExitStatus {
  /// The exit code, as in a shell.
  fileprivate var code: Int32 {
    switch self {
    case .exited(let code): code
    case .signaled(let number): 128 + number
    }
  }
}

extension CaseEnvironment {
  /// Returns the start of a visitor's program: in the case's folder, with the environment of its first
  /// target.
  ///
  /// - Parameters:
  ///   - words: program and arguments; a shell if there are none.
  ///   - terminal: the kind of terminal that the streams are; `nil` if they are none.
  ///   - streams: its standard input, output and error.
  func visit(
    _ words: [String], terminal: String?, _ streams: [Int32]
  ) throws(Failure) -> LaunchRequest {
    var environment = try environment(of: plannedCase.target)
    if let terminal {
      environment.removeAll { $0.name == "TERM" }
      environment.append(("TERM", terminal))
    }
    let shell = access("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh"
    let words = words.isEmpty ? [shell] : words
    let searchPath = environment.last { $0.name == "PATH" }?.value ?? ""
    let search = ProgramSearch(
      searchPath: searchPath, workDirectory: work,
      scenarioFolder: plannedCase.folder ?? plannedCase.file.parentFolder)
    guard let path = search.find(words[0]) else {
      throw Failure.programNotFound(
        words[0], searchPath: searchPath, range: plannedCase.target.commandRange)
    }
    var request = LaunchRequest(
      path: path, arguments: words, environment: environment.map { "\($0.name)=\($0.value)" },
      directory: work, input: .empty)
    request.streams = LaunchRequest.Streams(
      input: streams[0], output: streams[1], error: streams[2], isTerminal: terminal != nil)
    return request
  }
}
