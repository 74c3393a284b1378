internal import CSupervisor
internal import Glibc

// Leak detection cannot work under a tracer, and would end the program with an error: it is switched off at
// exec, in the environment that the kernel is about to copy. Later would be too late: the runtimes read
// /proc/self/environ.

/// Switches leak detection off in programs that are about to run.
final class LeakDetectors: Interceptor {
  private unowned let kernel: any TraceKernel
  private var known = LeakDetectorCache()

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.execve: .trace, SystemCallNumber.execveat: .trace,
  ]

  /// - Parameter kernel: whose target it is.
  init(kernel: any TraceKernel) {
    self.kernel = kernel
  }

  func inherit(from trunk: any Interceptor) {
    if let trunk = trunk as? LeakDetectors { known = trunk.known }
  }

  /// The environment of a target that is about to be started.
  func quietEnvironment(of request: LaunchRequest) -> [String] {
    var environment = request.environment
    func value(_ name: String) -> String? {
      environment.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    let detector =
      known.detector(of: request.path, directory: request.directory)
      ?? value("LD_PRELOAD").flatMap { LeakDetector(preloaded: $0) }
    guard let variable = detector?.switchingOff(in: value) else { return environment }
    environment.removeAll { $0.hasPrefix(LeakDetector.variablePrefix) }
    return environment + [variable]
  }

  /// A thread is about to run another program.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (call.tracee, call.registers)
    let isAtFolder = call.number == SystemCallNumber.execveat
    guard let memory = tracee.process.memory, let image = tracee.process.image,
      let name = memory.readText(at: registers[argument: isAtFolder ? 1 : 0])
    else { return .proceed }
    let path = resolved(name, folder: isAtFolder ? registers[argument: 0] : nil, of: tracee)
    guard
      let detector = known.detector(
        of: path, directory: "/proc/\(tracee.process.identifier.number)/cwd"),
      let environment = ExecEnvironment(
        memory: memory, address: registers[argument: isAtFolder ? 3 : 2]),
      let variable = detector.switchingOff(in: environment.value)
    else { return .proceed }
    let area = image.execArea(tracee.process.program.scratch.takeExecArea())
    guard environment.write(variable, to: memory, at: area) else { return .proceed }
    reportQuiet(name.isEmpty ? SmallFile.link(path) ?? path : name, in: tracee.process)
    var changed = registers
    changed[argument: isAtFolder ? 3 : 2] = area
    kernel.replaceArguments(of: tracee, original: registers, with: changed, scratchSlot: nil)
    return .taken
  }

  /// Reports that a program's leak detection is switched off.
  func reportQuiet(_ path: String, in process: TargetProcess) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    kernel.notice(
      "leak detection is disabled in \"\(name)\": LeakSanitizer traces its own process, but a"
        + " process can have only one tracer", of: process)
  }

  /// A path as this process must say it to mean the same file (execveat(2)).
  private func resolved(_ path: String, folder: UInt64?, of tracee: Tracee) -> String {
    let process = "/proc/\(tracee.process.identifier.number)"
    if path.hasPrefix("/") { return "\(process)/root\(path)" }
    guard let folder, Int32(truncatingIfNeeded: folder) != AT_FDCWD else { return path }
    let descriptor = "\(process)/fd/\(Int32(truncatingIfNeeded: folder))"
    return path.isEmpty ? descriptor : "\(descriptor)/\(path)"
  }
}

/// The leak detectors of programs, by file; each file is read once.
struct LeakDetectorCache {
  /// The largest number of files that are remembered.
  private static let limit = 4096
  /// The largest number of scripts before a program (execve(2)).
  private static let scriptLimit = 4
  private var known: [FileVersion: LeakDetector?] = [:]

  /// The detector of a program, or of the interpreter that a script names.
  ///
  /// - Parameter directory: where a relative path is looked up.
  mutating func detector(of path: String, directory: String) -> LeakDetector? {
    var path = path
    for _ in 0...Self.scriptLimit {
      let place = path.hasPrefix("/") ? path : "\(directory)/\(path)"
      guard let (descriptor, file) = Self.openProgram(place) else { return nil }
      defer { close(descriptor) }
      if let interpreter = Self.interpreter(descriptor) {
        path = interpreter
        continue
      }
      let version = FileVersion(file)
      if let detector = known[version] { return detector }
      if known.count >= Self.limit { known = [:] }
      let detector = LeakDetector(descriptor: descriptor)
      known[version] = .some(detector)
      return detector
    }
    return nil
  }

  /// Opens a regular file; anything else is not even opened.
  ///
  /// To open a FIFO lets its writer go on, and to open a device may set it to work.
  private static func openProgram(_ path: String) -> (descriptor: Int32, file: stat)? {
    let place = open(path, PathFlags.pathOnly | O_CLOEXEC)
    guard place >= 0 else { return nil }
    defer { close(place) }
    var file = stat()
    guard fstat(place, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = open("/proc/self/fd/\(place)", O_RDONLY | O_CLOEXEC)
    return descriptor < 0 ? nil : (descriptor, file)
  }

  /// The program that a script's first line names.
  private static func interpreter(_ descriptor: Int32) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, 256, 0))
    }
    guard bytes.starts(with: "#!".utf8) else { return nil }
    let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    return line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The environment with which a program is to be started, in the caller's memory.
struct ExecEnvironment {
  /// The largest number of variables that are read.
  private static let limit = InjectedImage.execAreaLength / 8

  private let memory: TargetMemory
  private var pointers: [UInt64] = []

  /// Reads the list; `nil` if it is longer than can be dealt with, or cannot be read.
  ///
  /// - Parameter address: 0 is an empty list, as Linux has it.
  init?(memory: TargetMemory, address: UInt64) {
    self.memory = memory
    guard address != 0 else { return }
    while pointers.count < Self.limit {
      let position = address &+ UInt64(8 * pointers.count)
      guard let pointer = memory.read(UInt64.self, at: position) else { return nil }
      guard pointer != 0 else { return }
      pointers.append(pointer)
    }
    return nil
  }

  /// The value of a variable; `nil` if there is none.
  func value(_ name: String) -> String? {
    guard let index = index(of: name + "="), let text = text(index) else { return nil }
    return String(text.dropFirst(name.count + 1))
  }

  /// Writes a list with one variable set to an area of the caller's memory; false if it has no room.
  ///
  /// - Parameter variable: `NAME=VALUE`.
  func write(_ variable: String, to memory: TargetMemory, at area: UInt64) -> Bool {
    let text = Array(variable.utf8) + [0]
    var list = pointers
    let index = index(of: variable.prefix { $0 != "=" } + "=") ?? list.count
    if index == list.count { list.append(0) }
    list.append(0)
    list[index] = area &+ UInt64(8 * list.count)
    let bytes = list.withUnsafeBytes { Array($0) } + text
    guard bytes.count <= InjectedImage.execAreaLength else { return false }
    return bytes.withUnsafeBytes { memory.write($0, at: area) }
  }

  private func index(of prefix: String) -> Int? {
    pointers.indices.first { text($0)?.hasPrefix(prefix) ?? false }
  }

  private func text(_ index: Int) -> String? {
    memory.readText(at: pointers[index], limit: InjectedImage.execAreaLength)
  }
}
