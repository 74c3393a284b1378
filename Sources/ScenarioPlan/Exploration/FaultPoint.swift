/// A call at which a fault could strike: what a run that is left alone shows of it.
public struct FaultPoint: Sendable, Hashable, Codable {
  /// The place of the chaos entry that has seen it.
  public var entry: Int
  /// Which of the calls that match the entry, from 1.
  public var occurrence: Int
  /// The system call or the function.
  public var call: String
  /// The path or the host that it is about.
  public var subject: String?
  /// The path of the executable of its process.
  public var program: String
  /// The process's number in the order of births, from 1.
  public var process: Int
  /// The thread's number within its process, from 1.
  public var thread: Int
  /// The file whose code makes the call, and where in it: `libc.so.6+0x134bce`.
  ///
  /// The same in each run, wherever the file is loaded. `nil` for code that is no file's.
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
