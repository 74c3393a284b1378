package import Foundations
package import ScenarioPlan

/// The outside of one run of a case, which verdicts compare.
///
/// Paths of the case's own folders are reported as `${{ root }}/…`, so that two runs can be compared.
package struct RunObservation: Sendable, Hashable, Codable {
  /// The end of one start of the target.
  package enum End: Sendable, Hashable, Codable {
    /// The process exited by itself, with this code.
    case exited(Int32)
    /// A signal ended the process; its name without SIG.
    case signaled(String)
    /// The process has not ended.
    case alive

    /// The end in words.
    package var text: String {
      switch self {
      case .exited(let code): "exit \(code)"
      case .signaled(let name): "SIG\(name)"
      case .alive: "still running"
      }
    }
  }

  /// A process that a signal has ended by which a mistake shows.
  package struct Crash: Sendable, Hashable, Codable {
    /// The program's name, without its folder.
    package var program: String
    /// The signal's name without SIG.
    package var signal: String

    /// Creates a crash.
    package init(program: String, signal: String) {
      self.program = program
      self.signal = signal
    }
  }

  /// The file at one path in the case's folders.
  package struct File: Sendable, Hashable, Codable {
    /// The kind: `file`, `folder`, `symlink` or `other`.
    package var kind: String
    /// Permission bits.
    package var mode: UInt32
    /// Length in bytes.
    package var size: Int
    /// A digest of the content, or of where a link leads.
    package var digest: UInt64
    /// The content, where it is short text.
    package var text: String?

    /// Creates a description.
    package init(kind: String, mode: UInt32, size: Int, digest: UInt64, text: String?) {
      self.kind = kind
      self.mode = mode
      self.size = size
      self.digest = digest
      self.text = text
    }
  }

  /// The ends of the target's starts, in order.
  package var ends: [End] = []
  /// The processes that have crashed, in order.
  package var crashes: [Crash] = []
  /// The reason why the target would never have ended; `nil` if it does not hang.
  package var hang: String?
  /// True if the hang is only that a bound on real time was reached.
  package var isOutOfTime = false
  /// Processor time of the processes that live, where the run was out of time and not asleep.
  package var processorTime: Nanoseconds?
  /// The reason why the steps could not be performed to their end.
  package var stopped: String?
  /// The reason why the run decides nothing at all: it could not be started.
  package var undecided: String?
  /// The failure of the steps behind the run, without faults.
  package var checkFailure: String?
  /// Standard output of all starts.
  package var output = ObservedStream()
  /// Standard error of all starts.
  package var errorOutput = ObservedStream()
  /// The files in the case's folders at the end, by path: `work/…`, `home/…`, `tmp/…`.
  package var files: [String: File] = [:]
  /// The SHA-256 of those of them that are no short text, by path, where it was asked for.
  package var digests: [String: String] = [:]
  /// The files that were written there before the target started.
  package var laid: Set<String> = []
  /// The requests at the mock server, a line each.
  package var requests: [String] = []
  /// The programs of the processes that live at the end.
  package var left: [String] = []
  /// The number of times that virtual time has moved.
  package var moves = 0
  /// Virtual time that has passed; `nil` where the case has no clock of its own.
  package var elapsed: Nanoseconds?
  /// The number of times that the fault was injected; 0 for a run without one.
  package var fired = 0
  /// The call that it hit first.
  package var struck: FaultPoint?

  /// Creates an observation of nothing.
  package init() {}
}

/// The output to one stream.
package struct ObservedStream: Sendable, Hashable, Codable {
  /// The maximum number of bytes that are kept.
  package static let limit = 256 * 1024

  /// The beginning, invalid UTF-8 repaired.
  package var text = ""
  /// The number of bytes that were written.
  package var size = 0
  /// A digest of all of them.
  package var digest: UInt64 = 0

  /// Creates a stream of nothing.
  package init() {}

  /// Creates a stream from what was written.
  package init(_ bytes: [UInt8], omitted: Int = 0) {
    text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self)
    size = bytes.count + omitted
    digest = ContentDigest.of(bytes)
  }

  /// The lines; an empty last one is none.
  package var lines: [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }
}
