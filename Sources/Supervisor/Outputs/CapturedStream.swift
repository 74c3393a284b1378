internal import Foundations
internal import Glibc
internal import Terminal

/// The bytes that the target writes to one stream: the beginning in memory, a longer stream in a
/// file as well, all of it counted.
final class CapturedStream {
  /// The largest number of bytes that are kept: a target that never stops writing must not fill the
  /// disk.
  static let limit = 1 << 30

  /// The number of times that a pipe is read in one turn of the loop.
  private static let readsPerTurn = 64

  private(set) var descriptor: Int32
  /// The beginning: all of it, up to `CapturedOutput.memoryLimit`.
  private(set) var bytes: [UInt8] = []
  /// The file that has the whole stream once it is longer.
  private(set) var file: OutputFile?
  /// The number of bytes that are kept, in memory or in the file.
  private(set) var kept = 0
  /// The number of bytes that came beyond those.
  private(set) var omitted = 0
  /// The errno with which writing the file failed.
  private(set) var errorNumber: Int32?
  /// The number of bytes that have been reported, where output is reported as it comes.
  private(set) var reportedCount = 0
  /// The number of bytes that came.
  var count: Int { kept &+ omitted }

  /// The folder in which the file is made.
  let folder: String

  /// The picture on the terminal, where this is the runner's end of a pseudo-terminal.
  private(set) var screen: TerminalScreen?
  /// True if no process has the other end of the terminal open; it can be opened again, by
  /// /dev/tty.
  private(set) var isHungUp = false
  /// Carriage returns that came last: a newline may follow.
  private var heldReturns = 0

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  init(descriptor: Int32, folder: String, terminal: TerminalSize? = nil) {
    self.descriptor = descriptor
    self.folder = folder
    screen = terminal.map { TerminalScreen($0) }
  }

  deinit {
    buffer.deallocate()
    if descriptor >= 0 { close(descriptor) }
  }

  private var isTerminal: Bool { screen != nil }

  /// Removes and returns the terminal's answers to the target's queries.
  func takeReplies() -> [UInt8] { screen?.takeReplies() ?? [] }

  /// Resizes the terminal, behind what was written for the former size.
  func resizeScreen(to size: TerminalSize) { screen?.resize(to: size) }

  /// Puts what another stream holds before what comes.
  func goOn(after former: CapturedStream) {
    let own = CapturedOutput(self)
    bytes = former.bytes
    file = former.file
    kept = former.kept
    omitted += former.omitted
    errorNumber = former.errorNumber ?? errorNumber
    reportedCount += former.reportedCount
    if former.screen != nil { screen = former.screen }
    var position = 0
    while position < own.count {
      let end = min(own.count, position + buffer.count)
      guard let piece = try? own.read(position..<end) else { break }
      piece.withUnsafeBytes { keep($0) }
      showLines(piece)
      position = end
    }
    omitted += own.count - position
    // What was asked has been answered when it came.
    _ = takeReplies()
  }

  /// The beginning of what came since this was asked last, and how much it was; `nil` if nothing came.
  func takeNews(limit: Int) -> (beginning: [UInt8], count: Int)? {
    let total = count
    guard total > reportedCount else { return nil }
    defer { reportedCount = total }
    let start = min(reportedCount, kept)
    let news = try? CapturedOutput(self).read(start..<min(kept, start + limit))
    return (news ?? [], total - reportedCount)
  }

  /// True if there is something that has not been read.
  var hasMore: Bool {
    var count: Int32 = 0
    return descriptor >= 0 && ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Reads what is there and closes the runner's end; false if it is closed already.
  func stopReading() -> Bool {
    guard descriptor >= 0 else { return false }
    _ = drain()
    guard descriptor >= 0 else { return true }
    close(descriptor)
    descriptor = -1
    return true
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
      // A terminal ends with EIO. Were it closed now, who opens it again would be hung up on.
      if isTerminal { isHungUp = count < 0 && errno == EIO }
      if isHungUp { keepHeldReturns() }
      guard count > 0 else { return progressed }
      progressed = true
      let news = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      screen?.take(news)
      if isTerminal { keepLines(news) } else { keep(news) }
    }
    return progressed
  }

  /// Adds the output of a terminal, with plain newlines: the kernel makes two characters of each
  /// (termios(3): ONLCR), and three of what a program has ended by two itself.
  private func keepLines(_ news: UnsafeRawBufferPointer) {
    let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var lines: [UInt8] = []
    lines.reserveCapacity(news.count + heldReturns)
    for byte in news {
      if byte == carriageReturn {
        heldReturns += 1
        continue
      }
      if byte != newline { lines += repeatElement(carriageReturn, count: heldReturns) }
      heldReturns = 0
      lines.append(byte)
    }
    lines.withUnsafeBytes { keep($0) }
  }

  /// Shows what was kept with plain newlines.
  private func showLines(_ bytes: [UInt8]) {
    let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    screen?.take(bytes.flatMap { $0 == newline ? [carriageReturn, newline] : [$0] })
  }

  /// Adds the carriage returns that no newline followed.
  private func keepHeldReturns() {
    guard heldReturns > 0 else { return }
    let returns = [UInt8](repeating: UInt8(ascii: "\r"), count: heldReturns)
    heldReturns = 0
    returns.withUnsafeBytes { keep($0) }
  }

  private func keep(_ news: UnsafeRawBufferPointer) {
    // Behind a gap nothing is kept, so that what is kept is the beginning.
    guard omitted == 0, kept &+ news.count <= Self.limit else {
      omitted &+= news.count
      return
    }
    if file == nil, kept + news.count <= CapturedOutput.memoryLimit {
      bytes += news
      kept += news.count
      return
    }
    if let failure = spill(news) {
      errorNumber = failure
      omitted &+= news.count
      return
    }
    kept += news.count
  }

  /// Writes to the file, which begins with the bytes in memory; the errno of a failure.
  private func spill(_ news: UnsafeRawBufferPointer) -> Int32? {
    if file == nil {
      do throws(OutputFile.CreationError) {
        let made = try OutputFile(in: folder)
        if let failure = bytes.withUnsafeBytes({ made.write($0, at: 0) }) { return failure }
        file = made
      } catch {
        return error.number
      }
    }
    return file?.write(news, at: kept)
  }
}
