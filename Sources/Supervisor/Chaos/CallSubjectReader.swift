internal import Glibc
internal import ScenarioPlan

/// Finds the path behind an argument.
struct CallSubjectReader {
  let process: Int32
  let thread: Int32
  let memory: TargetMemory
  /// Its descriptors, where they are looked at often.
  var folder: DescriptorFolder?

  /// The absolute path that an argument names; `nil` if it names none.
  func path(_ subject: SystemCallSubject, _ registers: Registers) -> String? {
    switch subject {
    case .path(let argument, let directory):
      guard let text = memory.readText(at: registers[argument: argument]) else { return nil }
      guard !text.hasPrefix("/") else { return Self.plain(text) }
      return self.directory(directory, registers).map {
        text.isEmpty ? $0 : Self.plain("\($0)/\(text)")
      }
    case .descriptor(let argument):
      return descriptorPath(Int32(truncatingIfNeeded: registers[argument: argument]))
    case .socket, .address, .message:
      return nil
    }
  }

  /// An absolute path without `.`, `..` and empty names, as patterns are written.
  ///
  /// What `..` means behind a symbolic link is not looked up.
  static func plain(_ path: String) -> String {
    guard path.contains("/.") || path.contains("//") || path.hasSuffix("/") else { return path }
    var names: [Substring] = []
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  private func directory(_ argument: Int?, _ registers: Registers) -> String? {
    let number = argument.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? AT_FDCWD
    return number == AT_FDCWD
      ? SmallFile.link("/proc/\(thread)/cwd") : descriptorPath(number)
  }

  /// proc(5): sockets, pipes and the like show as `socket:[…]`, which is no path.
  private func descriptorPath(_ number: Int32) -> String? {
    link(number).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// What a descriptor leads to.
  ///
  /// A first thread that has ended has no descriptors any more; the others do.
  func link(_ number: Int32) -> String? {
    folder?.link(number) ?? SmallFile.link("/proc/\(thread)/fd/\(number)")
  }
}
