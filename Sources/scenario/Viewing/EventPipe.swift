internal import ArgumentParser
internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioReport

/// A FIFO into which the rounds of a watch write their events, one after the other.
final class EventPipe: Sendable {
  /// Its path.
  let path: String
  private let folder: String
  private let descriptor: Int32

  /// Makes it, in a folder of its own.
  ///
  /// - Throws: Exit code 3 if there is none to be had.
  init() throws {
    var template = Array("\(ProcessEnvironment.temporaryFolder)/scenario-ui.XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    folder = made.map { String(cString: $0) } ?? ""
    path = "\(folder)/events"
    // Open for both, it never ends while a round does.
    guard made != nil, mkfifo(path, 0o600) == 0, case let fifo = open(path, O_RDWR | O_CLOEXEC),
      fifo >= 0
    else {
      let number = errno
      rmdir(folder)
      Console.report(
        Diagnostic(
          "cannot create a pipe in \"\(ProcessEnvironment.temporaryFolder)\": \(SystemText.error(number))",
          code: .unwrittenReport, at: nil, help: "set TMPDIR to a writable folder"))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
    descriptor = fifo
  }

  /// Removes it from its folder, and that.
  func remove() {
    unlink(path)
    rmdir(folder)
  }

  /// Ends the events of a round that is over, also where it was killed before it said so.
  func endRound() {
    let end = Event(
      realTime: .zero, kind: .runFinished(RunResult(duration: .zero, interrupted: true)))
    guard let line = try? JSONEncoder().encode(end) else { return }
    // What it was writing may be a part of a line.
    let bytes = [UInt8(ascii: "\n")] + line + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Hands on every event, on a thread of its own; what is none is passed over.
  func follow(_ take: @escaping @Sendable (Event) -> Void) {
    DetachedThread.start { [descriptor] in
      var lines = EventLines()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        for event in lines.take(buffer[..<count]) { take(event) }
      }
    }
  }
}
