internal import CSupervisor
internal import Foundations
internal import Glibc
internal import Synchronization

/// A file that gets a line for each stop of a target's threads, and for what happens to its time: what a bug of the
/// supervisor is found with.
///
/// Several supervisors may write to one. A line holds numbers and the names of calls; nothing that the target reads
/// or writes.
package final class StopLog: Sendable {
  private let descriptor: Int32
  private let start = RealClock.monotonic()
  private let loss = Mutex<Int32?>(nil)

  /// The errno of the first line that could not be written; `nil` if all are there.
  package var lossErrorNumber: Int32? { loss.withLock { $0 } }

  /// Opens a file, which is emptied.
  ///
  /// - Throws: The errno's name, if it cannot be opened.
  package init(path: String) throws(Failure) {
    // A pipe without a reader would hold the run up, when it is opened and when it is full.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NONBLOCK
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw Failure(errorNumber: errno) }
  }

  /// The reason why a log cannot be opened.
  package struct Failure: Error {
    /// The errno.
    package let errorNumber: Int32
  }

  deinit {
    close(descriptor)
  }

  /// Writes a line about a stop.
  ///
  /// - Parameters:
  ///   - stop: the stop.
  ///   - name: whose supervisor it is, without spaces.
  ///   - elapsed: how much virtual time has passed.
  func record(_ stop: scenario_stop, of name: String, elapsed: Nanoseconds) {
    let real = RealClock.monotonic() - start
    write("\(real.count) \(elapsed.count) \(name) \(stop.thread) \(Self.text(of: stop))\n")
  }

  /// Writes a line about virtual time.
  ///
  /// - Parameters:
  ///   - words: what happened to it.
  ///   - name: whose supervisor it is, without spaces.
  ///   - elapsed: how much of it has passed.
  func record(time words: String, of name: String, elapsed: Nanoseconds) {
    let real = RealClock.monotonic() - start
    write("\(real.count) \(elapsed.count) \(name) time \(words)\n")
  }

  private func write(_ line: String) {
    var line = line
    // O_APPEND keeps lines of several threads apart (open(2)). What cannot be written is no reason to end a run.
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        guard count >= 0 else {
          let number = errno
          if number == EINTR { continue }
          return loss.withLock { $0 = $0 ?? number }
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// A stop in words, as strace(1) writes calls.
  private static func text(of stop: scenario_stop) -> String {
    switch stop.kind {
    case SCENARIO_STOP_EXITED: "exited \(stop.value)"
    case SCENARIO_STOP_KILLED: "killed by signal \(stop.value)"
    case SCENARIO_STOP_SECCOMP: "enters \(call(of: stop.thread, result: false))"
    case SCENARIO_STOP_SYSTEM_CALL: "leaves \(call(of: stop.thread, result: true))"
    case SCENARIO_STOP_FORK: "forks"
    case SCENARIO_STOP_VFORK: "forks with vfork"
    case SCENARIO_STOP_CLONE: "clones"
    case SCENARIO_STOP_VFORK_DONE: "continues after vfork"
    case SCENARIO_STOP_EXEC: "runs a program"
    case SCENARIO_STOP_EVENT: "starts or is interrupted"
    case SCENARIO_STOP_GROUP: "stops with its group, signal \(stop.value)"
    case SCENARIO_STOP_SIGNAL: "gets signal \(stop.value)"
    default: "stops"
    }
  }

  private static func call(of thread: Int32, result: Bool) -> String {
    guard let registers = try? Registers.read(from: ThreadIdentifier(thread)) else {
      return "a call, and has exited"
    }
    let arguments = (0..<6).map { "0x" + String(registers[argument: $0], radix: 16) }
    let name = SystemCallTable.current.name(of: registers.systemCall)
    let call = "\(name)(\(arguments.joined(separator: ", ")))"
    return result ? "\(call) = \(registers.result)" : call
  }
}
