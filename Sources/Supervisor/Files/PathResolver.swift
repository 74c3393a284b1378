internal import FaultEngine
internal import Glibc

/// Finds the path behind an argument.
struct PathResolver {
  let process: Int32
  let thread: Int32
  let memory: TargetMemory
  /// The folder of its descriptors, where they are read often.
  var folder: DescriptorFolder?

  /// The absolute paths by which an argument names a file: as it is written, and where that leads through the links
  /// of /proc, what they lead to.
  func paths(_ subject: SystemCallSubject, _ registers: Registers) -> [String] {
    guard let path = path(subject, registers) else { return [] }
    guard case .path = subject, let target = magicTarget(of: path), target != path else {
      return [path]
    }
    return [path, target]
  }

  /// The absolute path that an argument names; `nil` if it names none.
  func path(_ subject: SystemCallSubject, _ registers: Registers) -> String? {
    switch subject {
    case .path(let argument, let directory):
      // utimensat(2), statx(2): without a path the descriptor's own file is meant.
      if registers[argument: argument] == 0 {
        let number = directory.map { Int32(truncatingIfNeeded: registers[argument: $0]) }
        return number.flatMap { $0 == AT_FDCWD ? nil : descriptorPath($0) }
      }
      guard let text = memory.readText(at: registers[argument: argument]) else { return nil }
      guard !text.hasPrefix("/") else { return PlainPath.of(text) }
      return self.directory(directory, registers).map {
        text.isEmpty ? $0 : PlainPath.of("\($0)/\(text)")
      }
    case .descriptor(let argument):
      return descriptorPath(Int32(truncatingIfNeeded: registers[argument: argument]))
    case .socket, .address, .message:
      return nil
    }
  }

  /// The absolute paths by which the file behind an argument is known through symbolic links (path_resolution(7)).
  ///
  /// Of a path, that to which it leads; of a descriptor, of which the kernel knows no other name than the file's own,
  /// one that begins with a place, if that is a link, or behind one.
  ///
  /// - Parameter followsLast: whether the call follows a link at the path's end.
  func linkedPaths(
    _ subject: SystemCallSubject, _ registers: Registers, below place: String?, followsLast: Bool
  ) -> [String] {
    switch subject {
    case .path(let argument, let directory):
      let directory = directory.map { Int32(truncatingIfNeeded: registers[argument: $0]) }
      return target(
        of: PathArgument(address: registers[argument: argument], directory: directory ?? AT_FDCWD),
        followsLast: followsLast
      ).map { [$0] } ?? []
    case .descriptor(let argument):
      guard let place,
        let path = descriptorPath(Int32(truncatingIfNeeded: registers[argument: argument])),
        let file = try? targetPaths.file(at: Array(place.utf8), from: AT_FDCWD)
      else { return [] }
      let target = file.plainPath(file.status)
      guard target != place, path == target || path.hasPrefix(target + "/") else { return [] }
      return [place + path.dropFirst(target.count)]
    case .socket, .address, .message: return []
    }
  }

  /// Returns the path without links to which a path leads, be it that of a file yet to be made.
  private func target(of argument: PathArgument, followsLast: Bool) -> String? {
    guard argument.address != 0, let text = memory.readText(at: argument.address) else {
      return nil
    }
    let path = Array(text.utf8)
    let flags = followsLast ? 0 : O_NOFOLLOW
    if let file = try? targetPaths.file(at: path, from: argument.directory, flags: flags) {
      let target = file.plainPath(file.status)
      return target.hasPrefix("/") ? target : nil
    }
    guard let entry = EntryPath(path),
      let folder = try? targetPaths.file(
        at: entry.folder, from: argument.directory, flags: O_DIRECTORY)
    else { return nil }
    let parent = folder.plainPath(folder.status)
    return (parent == "/" ? "" : parent) + "/" + String(decoding: entry.name, as: UTF8.self)
  }

  private var targetPaths: TargetPaths { TargetPaths(thread: ThreadIdentifier(thread)) }

  private func directory(_ argument: Int?, _ registers: Registers) -> String? {
    let number = argument.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? AT_FDCWD
    return number == AT_FDCWD
      ? plainLink("/proc/\(thread)/cwd") : descriptorPath(number)
  }

  /// proc(5): sockets, pipes and the like show as `socket:[…]`, which is no path.
  private func descriptorPath(_ number: Int32) -> String? {
    guard let link = link(number), link.hasPrefix("/") else { return nil }
    return KernelPath.plain(link, of: "/proc/\(thread)/fd/\(number)")
  }

  /// Returns the path that a descriptor leads to.
  ///
  /// A first thread that has ended has no descriptors any more; the others do.
  func link(_ number: Int32) -> String? {
    folder?.link(number) ?? SmallFile.link("/proc/\(thread)/fd/\(number)")
  }

  // MARK: - The kernel's links

  private func plainLink(_ place: String) -> String? {
    guard let link = SmallFile.link(place), link.hasPrefix("/") else { return nil }
    return KernelPath.plain(link, of: place)
  }

  /// Returns the target of a path that begins with a link of the kernel's to a descriptor or a
  /// folder: /proc/self/fd/3, /dev/stdin, /proc/123/cwd/file; `nil` for any other.
  private func magicTarget(of path: String) -> String? {
    guard path.hasPrefix("/proc/") || path.hasPrefix("/dev/") else { return nil }
    var names = path.split(separator: "/")
    guard names.count > 1 else { return nil }
    if names[0] == "dev" {
      let standard: [Substring: Substring] = ["stdin": "0", "stdout": "1", "stderr": "2"]
      if names.count == 2, let number = standard[names[1]] {
        names = ["proc", "self", "fd", number]
      } else if names.count > 2, names[1] == "fd" {
        names.replaceSubrange(0..<1, with: ["proc", "self"])
      } else {
        return nil
      }
    }
    if names.count > 4, names[2] == "task" { names.removeSubrange(1..<3) }
    guard names.count > 2, ["fd", "cwd", "root", "exe"].contains(names[2]) else { return nil }
    let who = ["self", "thread-self"].contains(names[1]) ? "\(thread)" : String(names[1])
    let depth = names[2] == "fd" ? 4 : 3
    guard Int32(who) != nil, names.count >= depth else { return nil }
    let place = "/proc/\(who)/" + names[2..<depth].joined(separator: "/")
    return plainLink(place).map { target in
      PlainPath.of(([target] + names[depth...].map(String.init)).joined(separator: "/"))
    }
  }
}
