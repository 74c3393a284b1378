internal import CSupervisor
internal import Foundations
internal import Glibc

/// A target's first process and its three streams.
final class LaunchedTarget {
  /// The request that it was started by; `nil` in a branch.
  var request: LaunchRequest?
  /// True if processes of it that turn up are killed: their tree has been.
  var endsNewcomers = false
  /// The process.
  let process: ThreadIdentifier
  /// The number of its first process, in start order.
  var ordinal = 0
  /// True if it has had more than one process.
  var hasForked = false
  /// Its end; `nil` while it lives.
  var end: TargetEnd?
  /// The status with which it ended; `nil` while it lives.
  var status: ExitStatus? { end?.status }
  /// The signals that entries about processes have sent to processes of it while it lived.
  var faultSignals: Set<Int32> = []
  /// Those of them that its first process got.
  var ownFaultSignals: Set<Int32> = []
  /// True if it has been killed, and is to be started again.
  var awaitsRestart = false
  /// The kernel's wall clock at its start.
  let beginning = RealClock.wall()
  /// Standard output.
  let output: CapturedStream
  /// Standard error.
  let errorOutput: CapturedStream

  /// Standard input.
  let input: TargetInput
  /// True if the three streams are one pseudo-terminal: what it shows is in `output`.
  let isTerminal: Bool

  /// The terminal's answers that have not been typed yet.
  private(set) var answers: [UInt8] = []

  init(
    process: ThreadIdentifier, input: Int32, pendingInput: [UInt8], closesInput: Bool,
    output: Int32, errorOutput: Int32, outputFolder: String, terminal: TerminalSize? = nil
  ) {
    isTerminal = terminal != nil
    self.process = process
    self.input = TargetInput(input, pending: pendingInput, closes: closesInput)
    self.output = CapturedStream(
      descriptor: output, folder: outputFolder, terminal: terminal)
    self.errorOutput = CapturedStream(descriptor: errorOutput, folder: outputFolder)
  }

  /// Copies what the target wrote before it was started again.
  func goOn(after former: LaunchedTarget) {
    output.goOn(after: former.output)
    errorOutput.goOn(after: former.errorOutput)
  }

  /// Moves what can be moved without waiting; true if anything was.
  func transfer() -> Bool {
    let read = output.drain()
    let readError = errorOutput.drain()
    answerQuestions()
    return input.write() || read || readError
  }

  /// The number of the standard streams.
  static let streamCount = 3

  /// Adds the streams that are open to those to be polled.
  func addStreams(to list: UnsafeMutableBufferPointer<pollfd>, _ count: inout Int) {
    func add(_ entry: pollfd) {
      list.initializeElement(at: count, to: entry)
      count += 1
    }
    if let descriptor = output.pollDescriptor { add(descriptor) }
    if let descriptor = errorOutput.pollDescriptor { add(descriptor) }
    if let descriptor = input.pollDescriptor { add(descriptor) }
  }

  /// Returns the descriptors and events to poll for while the loop sleeps.
  func pollDescriptors() -> [pollfd] {
    var list: [pollfd] = []
    for stream in [output, errorOutput] where !stream.isHungUp {
      if let descriptor = stream.pollDescriptor { list.append(descriptor) }
    }
    if let descriptor = input.pollDescriptor { list.append(descriptor) }
    return list
  }

  /// Queues bytes for standard input; false if it is closed.
  func send(_ bytes: [UInt8]) -> Bool {
    guard input.takesBytes, !isTerminal || status == nil else { return false }
    input.add(bytes)
    // The reading end has been closed (pipe(7): EPIPE).
    return input.isOpen
  }

  /// Collects the terminal's answers to the queries in its output.
  ///
  /// They are typed once the program that asked is at rest: most switch the echo off behind their
  /// query, and the answer would be shown or not by the load of the machine.
  private func answerQuestions() {
    let replies = output.takeReplies()
    guard !replies.isEmpty, input.isOpen, status == nil, !output.isHungUp else { return }
    // A target that asks and never reads gets no more answers.
    guard input.pendingCount + answers.count < Self.unreadLimit else { return }
    answers += replies
  }

  /// Types what the terminal answers, behind what was typed before.
  func typeAnswers() {
    guard !answers.isEmpty else { return }
    let typed = status == nil && !output.isHungUp ? answers : []
    answers = []
    input.add(typed)
  }

  private static let unreadLimit = 1 << 20

  /// Closes standard input once what is queued has been written; false if it is closed already.
  func finishInput() -> Bool {
    if isTerminal { return sendEndOfInput() }
    guard input.takesBytes else { return false }
    input.finish()
    return true
  }
}

extension LaunchedTarget {
  /// A stream by its name.
  func captured(_ stream: StandardStream) -> CapturedStream {
    switch stream {
    case .output: output
    case .error: errorOutput
    }
  }
}

extension CapturedStream {
  /// The descriptor and event to poll for; `nil` once it is closed.
  fileprivate var pollDescriptor: pollfd? {
    descriptor >= 0 ? pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) : nil
  }
}
