internal import CSupervisor
internal import Foundations
internal import Glibc

/// The replacements of /proc/uptime: anonymous files (memfd_create(2)), one for each open of the
/// target, which show the boot clock.
///
/// Programs like top(1) open it once and read it again and again, so files stay up to date; all but
/// the newest are forgotten, and keep what they showed.
struct UptimeFiles: ~Copyable {
  /// The resolution of /proc/uptime.
  static let resolution = Nanoseconds.milliseconds(10)

  /// The number of files that are kept up to date.
  static let limit = 8

  /// `MFD_` flags with which the target's files are made, besides MFD_CLOEXEC.
  let creationFlags: UInt64
  private var descriptors: [Int32] = []
  /// The time that the files show, in steps of the resolution.
  private var shown: Int64?

  init() {
    // MFD_NOEXEC_SEAL: the setting vm.memfd_noexec may demand it.
    creationFlags = scenario_knows_unexecutable_files() != 0 ? 0x8 : 0
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// True if there is nothing to keep up to date.
  var isEmpty: Bool { descriptors.isEmpty }

  /// Opens the file behind a descriptor of a stopped thread; `nil` if it is not one of these, as another
  /// thread may have put something else in its place.
  ///
  /// By way of /proc, as a thread may have descriptors of its own (CLONE_FILES of unshare(2)).
  static func open(descriptor: Int, of thread: ThreadIdentifier) -> Int32? {
    let path = "/proc/\(thread.number)/fd/\(descriptor)"
    guard SmallFile.link(path)?.hasPrefix("/memfd:") ?? false else { return nil }
    let file = ProcessOwner.retrying(path) { Glibc.open(path, O_RDWR | O_CLOEXEC) }
    return file < 0 ? nil : file
  }

  /// Fills a new file and keeps it up to date from now on.
  ///
  /// - Parameters:
  ///   - descriptor: what `open` returned; it is closed here.
  ///   - boot: what the boot clock shows.
  mutating func add(_ descriptor: Int32, boot: Nanoseconds) {
    if descriptors.count >= Self.limit { close(descriptors.removeFirst()) }
    descriptors.append(descriptor)
    shown = nil
    refresh(boot: boot)
  }

  /// Writes what the boot clock shows into all files, if they show something else.
  mutating func refresh(boot: Nanoseconds) {
    guard !descriptors.isEmpty, shown != boot.count / Self.resolution.count else { return }
    shown = boot.count / Self.resolution.count
    var text = Self.text(boot: boot)
    text.withUTF8 { bytes in
      for descriptor in descriptors { pwrite(descriptor, bytes.baseAddress, bytes.count, 0) }
    }
  }

  /// Returns the content of /proc/uptime (proc(5)): seconds since the start, and seconds that
  /// processors were idle, for which the same number is given, as if one of them had done nothing
  /// else.
  static func text(boot: Nanoseconds) -> String {
    let hundredths = boot.count / resolution.count
    let rest = hundredths % 100
    let number = "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    return "\(number) \(number)\n"
  }
}
