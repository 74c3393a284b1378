internal import CSupervisor
package import Foundations
internal import Glibc

/// A command outside the environment: not supervised, in real time, in a process group of its own.
///
/// It has a keeper, so that all that it starts ends with the case, and with the runner however that
/// ends.
package struct HelperProcess {
  /// The program, its arguments and its environment.
  package struct Request: Sendable {
    /// The program's path; no search.
    package var path: String
    /// Arguments, the program's name first.
    package var arguments: [String]
    /// `NAME=VALUE` texts.
    package var environment: [String]
    /// The working directory.
    package var directory: String
    /// The bytes of its standard input.
    package var input: [UInt8]
    /// The folder for the files that hold long output; `nil` for the working directory.
    package var outputFolder: String?
    /// The witness of its calls; `nil` for none.
    package var witness: CommandWitness?

    /// Creates a request.
    package init(
      path: String, arguments: [String], environment: [String], directory: String, input: [UInt8]
    ) {
      self.path = path
      self.arguments = arguments
      self.environment = environment
      self.directory = directory
      self.input = input
    }
  }

  /// The outcome of the process.
  package struct Outcome: Sendable {
    /// The status with which it ended; `nil` if it was killed before.
    package var status: ExitStatus?
    /// True if SIGTERM was not enough to end it and all that it had started.
    package var neededKill = false
    /// The bytes that it wrote to standard output.
    package var output = CapturedOutput(bytes: [], omitted: 0)
    /// The bytes that it wrote to standard error.
    package var errorOutput = CapturedOutput(bytes: [], omitted: 0)
    /// The keeper that ends the processes which it has left running.
    package var keeper: HelperReaper
  }

  /// The interval, in milliseconds, at which its end and the stopping of the run are checked.
  private static let lookInterval: Int32 = 20

  private let keeper: HelperReaper
  private let witness: CommandWitness?
  private var input: Int32
  private let streams: [CapturedStream]
  private var pending: ArraySlice<UInt8>

  /// Starts it.
  ///
  /// - Throws: `LaunchError`, with the errno of what failed.
  package init(_ request: Request) throws(LaunchError) {
    var pipes = PipeOpening()
    let (childInput, input) = try pipes.open()
    let (output, childOutput) = try pipes.open()
    let (errorOutput, childError) = try pipes.open()
    let started = Result { () throws(LaunchError) in
      try HelperReaper(request, input: childInput, output: childOutput, errorOutput: childError)
    }
    for descriptor in [childInput, childOutput, childError] { close(descriptor) }
    do {
      keeper = try started.get()
    } catch {
      for descriptor in [input, output, errorOutput] { close(descriptor) }
      throw error
    }
    for descriptor in [input, output, errorOutput] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    self.input = input
    witness = request.witness
    let folder = request.outputFolder ?? request.directory
    streams = [output, errorOutput].map { CapturedStream(descriptor: $0, folder: folder) }
    pending = request.input[...]
  }

  /// Waits for its end and collects its output; at the deadline, it and all that it has started get
  /// SIGTERM, and SIGKILL after a grace period.
  ///
  /// Processes that it leaves running in the background are not waited for: the keeper ends those.
  ///
  /// - Parameters:
  ///   - deadline: the bound, on the runner's clock.
  ///   - grace: the time between SIGTERM and SIGKILL.
  ///   - isCancelled: whether the run is being stopped; called from time to time.
  package mutating func run(
    before deadline: Nanoseconds, grace: Nanoseconds, isCancelled: () -> Bool
  ) -> Outcome {
    var outcome = Outcome(keeper: keeper)
    var lastMoment: Nanoseconds?
    while true {
      keeper.continueKeeper()
      let end = keeper.end()
      transfer()
      let now = RunnerClock.now()
      if let lastMoment {
        if keeper.isIdle { break }
        guard now < lastMoment else {
          outcome.neededKill = true
          keeper.endAll()
          transfer()
          break
        }
      } else if let end {
        outcome.status = end
        break
      } else if now >= deadline || isCancelled() {
        keeper.terminateAll()
        lastMoment = now + grace
      }
      awaitNews()
    }
    witness?.recordEnd(of: keeper.process, isComplete: keeper.isIdle)
    for stream in streams { _ = stream.stopReading() }
    closeInput()
    outcome.output = CapturedOutput(streams[0])
    outcome.errorOutput = CapturedOutput(streams[1])
    return outcome
  }

  private func awaitNews() {
    var list = streams.filter { $0.descriptor >= 0 }
      .map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    if input >= 0, !pending.isEmpty {
      list.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0))
    }
    list.append(pollfd(fd: keeper.news, events: Int16(POLLIN), revents: 0))
    _ = poll(&list, nfds_t(list.count), Self.lookInterval)
  }

  private mutating func transfer() {
    for stream in streams { _ = stream.drain() }
    while input >= 0, !pending.isEmpty {
      let count = pending.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if errno != EAGAIN { closeInput() }
        return
      }
      pending = pending.dropFirst(count)
    }
    closeInput()
  }

  private mutating func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }
}
