/// A call into which a fault could be injected, with the properties that an undisturbed run shows.
package struct FaultPoint: Sendable, Hashable, Codable {
  /// The place of the chaos entry that has seen it.
  package var entry: Int
  /// The number of the call among those that match the entry, from 1.
  package var occurrence: Int
  /// The system call or the function.
  package var call: String
  /// The path or the host that it is about; one that ends with `/*` is another in each run.
  package var subject: String?
  /// The path of the executable of its process.
  package var program: String
  /// The process's number in the order of births, from 1.
  package var process: Int
  /// The thread's number within its process, from 1.
  package var thread: Int
  /// The position of its thread in the tree: the indexes of the makers among their makers'
  /// children, from the first thread on.
  ///
  /// Indexes count from 0. The same in each run, whichever thread is born first.
  package var lineage: [UInt32]
  /// The number of the call among those of its thread that match the entry, from 1; `nil` for a
  /// function, of which only all are counted.
  package var rank: Int?
  /// The file whose code makes the call, and where in it: `sort+0x34bce`.
  ///
  /// Of a system call it is the code that has called the C library, if that made it; of a function it is its
  /// caller. The same in each run, wherever the file is loaded. `nil` for code that is no file's.
  package var site: String?

  /// Creates a point.
  package init(
    entry: Int, occurrence: Int, call: String, subject: String?, program: String, process: Int,
    thread: Int, lineage: [UInt32] = [], rank: Int? = nil, site: String?
  ) {
    self.entry = entry
    self.occurrence = occurrence
    self.call = call
    self.subject = subject
    self.program = program
    self.process = process
    self.thread = thread
    self.lineage = lineage
    self.rank = rank
    self.site = site
  }
}

extension FaultPoint {
  /// Returns whether a call that another run has met in its place is the same one: made by the same thread at the
  /// same place of the code.
  ///
  /// Names do not decide, as they are others in each run where mkstemp(3) or O_TMPFILE of open(2) gives them;
  /// only where the place of the code is not known they must do.
  package func isMet(by other: FaultPoint) -> Bool {
    guard call == other.call, program == other.program, site == other.site,
      lineage == other.lineage
    else { return false }
    guard site == nil, let subject = lastingSubject, let theirs = other.subject else { return true }
    return subject == theirs || subject.hasSuffix("/*") && theirs.hasPrefix(subject.dropLast())
  }

  /// The subject of the call, if it has the same name in each run: a file without a name, or one
  /// that is gone, is named by its inode (proc(5)).
  package var lastingSubject: String? {
    guard let subject, !subject.hasSuffix(" (deleted)") else { return nil }
    let last = subject.split(separator: "/").last ?? ""
    let isNumbered = last.hasPrefix("#") && last.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    return isNumbered && last.count > 1 ? nil : subject
  }

  /// The point in a few words: `write on out, by /bin/cat at cat+0x12ab`.
  package var text: String {
    call + (subject.map { " on \($0)" } ?? "") + ", by \(program)"
      + (site.map { " at \($0)" } ?? "")
  }
}
