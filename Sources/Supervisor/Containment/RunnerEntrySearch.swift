internal import CSupervisor
internal import FaultEngine
internal import Glibc

/// Finds the entry of the runner's in /proc that an open leads to.
///
/// A path leads there if one of its names is the runner's number: in the path itself, in that of the folder from which
/// it counts, or in the text of a symbolic link. Links are looked up only where one has such a text, as most opens name
/// no process at all.
struct RunnerEntrySearch {
  let registers: Registers
  let tracee: Tracee
  /// True if a symbolic link that was made names the runner.
  let areLinked: Bool

  /// The argument that holds the path.
  private var place: Int { registers.systemCall == SystemCallNumber.open ? 0 : 1 }
  private var folder: Int? { place == 0 ? nil : 0 }
  /// The descriptor of the folder from which the path counts, or AT_FDCWD.
  private var directory: Int32 {
    folder.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? AT_FDCWD
  }

  /// Returns the entry; `nil` if the open leads elsewhere.
  func entry() -> ProcessEntry? {
    guard let memory = tracee.process.memory,
      let text = memory.readText(at: registers[argument: place])
    else { return nil }
    let isOfKernel = Self.goesThroughKernelLink(text)
    guard
      areLinked || isOfKernel || !text.hasPrefix("/") || ProcessEntry(runnerIn: text) != nil
    else { return nil }
    let reader = PathResolver(
      process: tracee.process.identifier.number, thread: tracee.identifier.number, memory: memory)
    guard let path = reader.path(.path(argument: place, directory: folder), registers) else {
      return nil
    }
    return namedEntry(text, path)
      ?? (areLinked || isOfKernel ? entryBehindLinks(text, reader) : nil)
  }

  /// Returns whether a path goes on behind a link of the kernel's to what a process has open (proc(5)).
  private static func goesThroughKernelLink(_ path: String) -> Bool {
    guard path.hasPrefix("/proc/") else { return path.hasPrefix("/dev/fd/") }
    return ["/fd/", "/cwd/", "/root/"].contains { path.contains($0) }
  }

  /// Returns the entry that a path names without any symbolic link.
  private func namedEntry(_ text: String, _ path: String) -> ProcessEntry? {
    if path.hasPrefix("/proc/"), let entry = ProcessEntry(path), RunnerGuard.isRunner(entry.number)
    {
      return entry
    }
    guard ProcessEntry(runnerIn: path) ?? ProcessEntry(runnerIn: text) != nil else { return nil }
    // Where links and mounts lead, only the kernel knows; what the runner has open is a link as well.
    let file = try? TargetPaths(thread: tracee.identifier).file(
      at: Array(text.utf8), from: directory, flags: O_NOFOLLOW)
    guard let file, scenario_shows_processes(file.descriptor) == 1 else { return nil }
    return ProcessEntry(runnerIn: String(decoding: file.path, as: UTF8.self))
  }

  /// Returns the last entry that the way of a path through symbolic links comes to: one that leads on from there, such
  /// as `cwd`, shows what the runner has open.
  private func entryBehindLinks(_ text: String, _ reader: PathResolver) -> ProcessEntry? {
    let thread = tracee.identifier.number
    let start =
      text.hasPrefix("/")
      ? "" : directory == AT_FDCWD ? SmallFile.link("/proc/\(thread)/cwd") : reader.link(directory)
    guard let start else { return nil }
    let process = tracee.process.identifier.number
    let own = [
      "/proc/self": "\(process)", "/proc/thread-self": "\(process)/task/\(thread)",
    ]
    var found: ProcessEntry?
    LinkWalk.follow(Array(text.utf8), from: start, links: own) { place, _ in
      if let entry = ProcessEntry(runnerIn: place), Self.showsProcesses(place) { found = entry }
    }
    return found
  }

  private static func showsProcesses(_ path: String) -> Bool {
    let descriptor = open(path, PathFlags.pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return scenario_shows_processes(descriptor) == 1
  }
}
