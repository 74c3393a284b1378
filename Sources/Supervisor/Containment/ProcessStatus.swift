/// The fields of /proc/PID/stat of a process or thread (proc(5)).
struct ProcessStatus: Equatable {
  /// Its program's name, of 15 bytes at most.
  var name: String
  /// The letter of its state: `Z` has ended, and waits for its parent to take note.
  var state: Character
  /// Its parent.
  var parent: Int32
  /// Its process group.
  var group: Int32
  /// The device of its controlling terminal, as the kernel encodes it; 0 if it has none, or if the line ends before.
  var terminal: UInt32

  /// Reads the line; `nil` if it is none.
  init?(_ line: String) {
    // The name stands in parentheses, and may hold any itself.
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close
    else { return nil }
    let fields = line[line.index(after: close)...].split(separator: " ")
    guard fields.count > 2, let state = fields[0].first, let parent = Int32(fields[1]),
      let group = Int32(fields[2])
    else { return nil }
    name = String(line[line.index(after: open)..<close])
    self.state = state
    self.parent = parent
    self.group = group
    terminal = fields.count > 4 ? Int32(fields[4]).map(UInt32.init(bitPattern:)) ?? 0 : 0
  }

  /// Reads the status of a process or thread; `nil` if there is none, or if it cannot be read.
  init?(of number: Int32) {
    guard let line = SmallFile.read("/proc/\(number)/stat") else { return nil }
    self.init(line)
  }

  /// True if it has ended: signals do nothing to it any more.
  var hasEnded: Bool { state == "Z" || state == "X" }
}
