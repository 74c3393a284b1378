public import ScenarioModel

/// What one run of a case has shown from outside: what verdicts compare.
///
/// Paths of the case's own folders are told as `${{ root }}/…`, so that two runs can be compared.
public struct RunObservation: Sendable, Hashable, Codable {
  /// How one start of the target ended.
  public enum End: Sendable, Hashable, Codable {
    /// By itself, with this code.
    case exited(Int32)
    /// By a signal, by its name without SIG.
    case signaled(String)
    /// Not at all.
    case alive

    /// In words.
    public var text: String {
      switch self {
      case .exited(let code): "exit \(code)"
      case .signaled(let name): "SIG\(name)"
      case .alive: "still running"
      }
    }
  }

  /// A process that a signal has ended by which a mistake shows.
  public struct Crash: Sendable, Hashable, Codable {
    /// What it ran, without its folder.
    public var program: String
    /// The signal's name without SIG.
    public var signal: String

    /// Creates a crash.
    public init(program: String, signal: String) {
      self.program = program
      self.signal = signal
    }
  }

  /// What lies in the case's folders under one path.
  public struct File: Sendable, Hashable, Codable {
    /// The kind: `file`, `folder`, `link` or `other`.
    public var kind: String
    /// Permission bits.
    public var mode: UInt32
    /// Length in bytes.
    public var size: Int
    /// A digest of the content, or of where a link leads.
    public var digest: UInt64
    /// The content, where it is short text.
    public var text: String?

    /// Creates a description.
    public init(kind: String, mode: UInt32, size: Int, digest: UInt64, text: String?) {
      self.kind = kind
      self.mode = mode
      self.size = size
      self.digest = digest
      self.text = text
    }
  }

  /// How the starts of the target ended, in order.
  public var ends: [End] = []
  /// The processes that have crashed, in order.
  public var crashes: [Crash] = []
  /// Why the target would never have ended; `nil` if nobody waits for it in vain.
  public var hang: String?
  /// Whether the hang is only that a bound on real time was reached.
  public var isOutOfTime = false
  /// How long processors have worked for the processes that live, where it was out of time and not asleep.
  public var processorTime: Nanoseconds?
  /// Why the steps could not be performed to their end.
  public var stopped: String?
  /// Why the run says nothing at all: it could not be started.
  public var undecided: String?
  /// Why the steps behind the run, without faults, failed.
  public var checkFailure: String?
  /// Standard output of all starts.
  public var output = ObservedStream()
  /// Standard error of all starts.
  public var errorOutput = ObservedStream()
  /// What lies in the case's folders at the end, by path: `work/…`, `home/…`, `tmp/…`.
  public var files: [String: File] = [:]
  /// The SHA-256 of those of them that are no short text, by path, where it was asked for.
  public var digests: [String: String] = [:]
  /// What was laid there before the target started.
  public var laid: Set<String> = []
  /// What the stand-in was asked, a line each.
  public var requests: [String] = []
  /// The programs of the processes that live at the end.
  public var left: [String] = []
  /// How often virtual time has moved.
  public var moves = 0
  /// How much virtual time has passed; `nil` where the case has no clock of its own.
  public var elapsed: Nanoseconds?
  /// How often the fault was injected; 0 for a run without one.
  public var fired = 0
  /// The call that it hit first.
  public var struck: FaultPoint?

  /// Creates an observation of nothing.
  public init() {}
}

/// What was written to one stream.
public struct ObservedStream: Sendable, Hashable, Codable {
  /// How many bytes are kept.
  public static let limit = 256 * 1024

  /// The beginning, invalid UTF-8 repaired.
  public var text = ""
  /// How many bytes there were.
  public var size = 0
  /// A digest of all of them.
  public var digest: UInt64 = 0

  /// Creates a stream of nothing.
  public init() {}

  /// Creates a stream from what was written.
  public init(_ bytes: [UInt8], omitted: Int = 0) {
    text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self)
    size = bytes.count + omitted
    digest = ContentDigest.of(bytes)
  }

  /// The lines; an empty last one is none.
  public var lines: [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }
}

/// A digest by which contents are told apart: FNV-1a of 64 bits.
public struct ContentDigest: Sendable {
  /// The digest of what was added.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the digest of nothing.
  public init() {}

  /// Adds bytes.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The digest of bytes.
  public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var digest = ContentDigest()
    digest.add(bytes)
    return digest.value
  }
}
