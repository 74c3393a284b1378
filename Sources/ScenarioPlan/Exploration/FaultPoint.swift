/// A call at which a fault could strike: what a run that is left alone shows of it.
public struct FaultPoint: Sendable, Hashable, Codable {
  /// The place of the chaos entry that has seen it.
  public var entry: Int
  /// Which of the calls that match the entry, from 1.
  public var occurrence: Int
  /// The system call or the function.
  public var call: String
  /// The path or the host that it is about; one that ends with `/*` is another in each run.
  public var subject: String?
  /// The path of the executable of its process.
  public var program: String
  /// The process's number in the order of births, from 1.
  public var process: Int
  /// The thread's number within its process, from 1.
  public var thread: Int
  /// The file whose code makes the call, and where in it: `sort+0x34bce`.
  ///
  /// Of a system call it is the code that has called the C library, if that made it; of a function it is its
  /// caller. The same in each run, wherever the file is loaded. `nil` for code that is no file's.
  public var site: String?

  /// Creates a point.
  public init(
    entry: Int, occurrence: Int, call: String, subject: String?, program: String, process: Int,
    thread: Int, site: String?
  ) {
    self.entry = entry
    self.occurrence = occurrence
    self.call = call
    self.subject = subject
    self.program = program
    self.process = process
    self.thread = thread
    self.site = site
  }
}

extension FaultPoint {
  /// Whether a call that another run has met in its place is the same one.
  public func isMet(by other: FaultPoint) -> Bool {
    guard call == other.call, program == other.program, site == other.site else { return false }
    guard let subject, subject != other.subject else { return true }
    guard subject.hasSuffix("/*"), let theirs = other.subject else { return false }
    return theirs.hasPrefix(subject.dropLast())
  }

  /// In a few words: `write on out, by /bin/cat at cat+0x12ab`.
  public var text: String {
    call + (subject.map { " on \($0)" } ?? "") + ", by \(program)"
      + (site.map { " at \($0)" } ?? "")
  }
}
