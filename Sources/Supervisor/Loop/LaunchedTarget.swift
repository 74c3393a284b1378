internal import CSupervisor
internal import Glibc

/// The target's first process and its three streams.
final class LaunchedTarget {
  /// The process.
  let process: ThreadIdentifier
  /// How it ended; `nil` while it lives.
  var status: ExitStatus?
  /// Standard output.
  let output: CapturedStream
  /// Standard error.
  let errorOutput: CapturedStream

  private var inputDescriptor: Int32
  private var pendingInput: ArraySlice<UInt8>
  private var closesInput: Bool

  init(
    process: ThreadIdentifier, input: Int32, pendingInput: [UInt8], closesInput: Bool,
    output: Int32, errorOutput: Int32
  ) {
    self.process = process
    inputDescriptor = input
    self.pendingInput = pendingInput[...]
    self.closesInput = closesInput
    self.output = CapturedStream(descriptor: output)
    self.errorOutput = CapturedStream(descriptor: errorOutput)
    writeInput()
  }

  deinit {
    closeInput()
  }

  /// Moves what can be moved without waiting; true if anything was.
  func transfer() -> Bool {
    let read = output.drain()
    let readError = errorOutput.drain()
    return writeInput() || read || readError
  }

  /// What to wake up for.
  func pollDescriptors() -> [pollfd] {
    var list: [pollfd] = []
    for stream in [output, errorOutput] where stream.descriptor >= 0 {
      list.append(pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0))
    }
    if inputDescriptor >= 0, !pendingInput.isEmpty {
      list.append(pollfd(fd: inputDescriptor, events: Int16(POLLOUT), revents: 0))
    }
    return list
  }

  /// Queues bytes for standard input; false if it is closed.
  func send(_ bytes: [UInt8]) -> Bool {
    guard inputDescriptor >= 0, !closesInput else { return false }
    pendingInput += bytes
    writeInput()
    return true
  }

  /// Closes standard input once what is queued has been written; false if it is closed already.
  func finishInput() -> Bool {
    guard inputDescriptor >= 0, !closesInput else { return false }
    closesInput = true
    writeInput()
    return true
  }

  @discardableResult
  private func writeInput() -> Bool {
    guard inputDescriptor >= 0 else { return false }
    var wrote = false
    while !pendingInput.isEmpty {
      let count = pendingInput.withUnsafeBytes { write(inputDescriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        guard errno == EAGAIN || errno == EINTR else {
          // EPIPE: nobody reads any more.
          closeInput()
          return true
        }
        return wrote
      }
      pendingInput.removeFirst(count)
      wrote = true
    }
    if closesInput { closeInput() }
    return wrote
  }

  private func closeInput() {
    guard inputDescriptor >= 0 else { return }
    close(inputDescriptor)
    inputDescriptor = -1
    pendingInput = []
  }
}

/// What the target writes to one stream: kept in memory up to a bound, all of it counted.
///
/// Up to `limit` bytes are kept; of longer output the beginning is kept and the rest is counted.
final class CapturedStream {
  /// How many bytes are kept.
  static let limit = 64 << 20

  /// How many times a pipe is read in one turn of the loop.
  private static let readsPerTurn = 64

  private(set) var descriptor: Int32
  /// What is kept.
  private(set) var bytes: [UInt8] = []
  /// How many bytes came beyond what is kept.
  private(set) var omitted = 0

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    buffer.deallocate()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads what is there; true if anything was.
  func drain() -> Bool {
    var progressed = false
    // A bound, so that a target that never stops writing does not keep the loop here.
    for _ in 0..<Self.readsPerTurn where descriptor >= 0 {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 {
        // Every writer has closed the pipe.
        close(descriptor)
        descriptor = -1
      }
      guard count > 0 else { return progressed }
      progressed = true
      let kept = min(count, max(0, Self.limit - bytes.count))
      bytes += buffer[..<kept]
      omitted += count - kept
    }
    return progressed
  }
}
