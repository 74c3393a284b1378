internal import Foundations
internal import Glibc

/// Gives files that the target changes the scenario's time: `file_times: virtual`.
///
/// The kernel sets a file's times to the machine's; while the thread stands at the exit of its
/// call, they are set again, once. Nothing is shifted where they are read. The file that a call
/// changes is pinned at its entry: afterwards its name may be gone, or its descriptor another
/// file's.
final class FileStamper: Interceptor {
  private static let calls: [Int: FileCall] = Dictionary(
    uniqueKeysWithValues: FileCall.table.compactMap { name, call in
      SystemCallTable.current.number(of: name).map { ($0, call) }
    })

  private unowned let kernel: any TraceKernel
  private unowned let time: any VirtualTime
  private var hasReportedFailure = false
  private var pending: [ThreadIdentifier: Pending] = [:]

  init(kernel: any TraceKernel, time: any VirtualTime) {
    self.kernel = kernel
    self.time = time
  }

  /// A call under way.
  private struct Pending {
    var process: ThreadIdentifier
    var wall: WallNumber
    var changes: FileChanges
    var window: FileTimeWindow
    var first: Pin?
    var second: Pin?
  }

  /// The file that a call is about to change.
  private struct Pin {
    var file: FileHandle
    var times: FileTimeSet
    /// The name of the new entry, with a zero behind.
    var newEntry: [UInt8]?
    /// True if it is surely what the call will change.
    var isExact: Bool
  }

  // MARK: - The entry of a call

  let filterRules: [Int: FilterRule] = calls.mapValues(\.filterRule)

  func enter(_ call: InterceptedCall) -> CallDisposition {
    guard let memory = call.tracee.process.memory, begin(call, memory) else { return .pass }
    let thread = call.tracee.identifier
    // The registers are as the caller left them: there is nothing to write.
    return .observe { [self] exit in end(of: thread, result: exit.result) }
  }

  /// Pins the files of a call that is about to be made; false if it changes no file's times.
  private func begin(_ intercepted: InterceptedCall, _ memory: TargetMemory) -> Bool {
    guard let changes = Self.calls[intercepted.number]?.changes(intercepted.registers, memory)
    else { return false }
    let thread = intercepted.tracee.identifier
    let process = intercepted.tracee.process.identifier
    var call = Pending(
      process: process, wall: intercepted.tracee.process.wall(on: time.clock), changes: changes,
      window: FileTimeWindow())
    do throws(TargetPaths.Failure) {
      let paths = TargetPaths(thread: thread)
      call.first = try pin(changes.first, paths, memory)
      if let second = changes.second {
        call.second = try pin(second, paths, memory)
      }
    } catch {
      // The call will fail for the same reason, but for one: a process that others must not look into.
      if error.errorNumber == EACCES { reportFailure(path: nil, EACCES, in: process) }
      return false
    }
    if call.first == nil, call.second == nil {
      guard case .opened = changes.first else { return false }
    }
    pending[thread] = call
    return true
  }

  private func pin(
    _ change: FileChange, _ paths: TargetPaths, _ memory: TargetMemory
  ) throws(TargetPaths.Failure) -> Pin? {
    switch change {
    case .opened(let place, let creates, _):
      return pinOpened(place, creates: creates, paths, memory)
    case .descriptor(let number, let times):
      let file = try paths.file(behind: number)
      guard file.status?.isFileOrFolder ?? false else { return nil }
      return Pin(file: file, times: times, isExact: true)
    case .path(let place, let followsLink, let times):
      guard let path = memory.readPath(place) else { return nil }
      let file = try paths.file(
        at: path, from: place.directory, flags: followsLink ? 0 : O_NOFOLLOW)
      return Pin(file: file, times: times, isExact: isExact(path, paths))
    case .folder(let place):
      return try pinFolder(of: place, keepsName: false, paths, memory)
    case .newEntry(let place):
      return try pinFolder(of: place, keepsName: true, paths, memory)
    }
  }

  /// Opens what remains to be found if the call's caller is killed before it has a descriptor: the
  /// file that it has emptied, or the folder in which it has made one.
  private func pinOpened(
    _ place: PathArgument?, creates: Bool, _ paths: TargetPaths, _ memory: TargetMemory
  ) -> Pin? {
    guard let place, let path = memory.readPath(place) else { return nil }
    if let file = try? paths.file(at: path, from: place.directory) {
      let isRegular = file.status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false
      return isRegular ? Pin(file: file, times: .modification, isExact: false) : nil
    }
    return creates ? try? pinFolder(of: place, keepsName: true, paths, memory) : nil
  }

  private func pinFolder(
    of place: PathArgument, keepsName: Bool, _ paths: TargetPaths, _ memory: TargetMemory
  ) throws(TargetPaths.Failure) -> Pin? {
    guard let path = memory.readPath(place), let entry = EntryPath(path) else { return nil }
    let folder = try paths.file(at: entry.folder, from: place.directory, flags: O_DIRECTORY)
    return Pin(
      file: folder, times: .modification, newEntry: keepsName ? entry.name + [0] : nil,
      isExact: isExact(path, paths))
  }

  /// Returns whether a path leads to the same file from here: in another root, links on a relative
  /// path may lead elsewhere.
  private func isExact(_ path: [UInt8], _ paths: TargetPaths) -> Bool {
    path.first == UInt8(ascii: "/") || paths.sharesRoot()
  }

  // MARK: - The exit of a call

  /// The thread may have been killed in its call.
  func threadEnded(_ thread: ThreadIdentifier) {
    end(of: thread, result: -1)
  }

  /// Sets the times that a call has set.
  ///
  /// - Parameters:
  ///   - thread: the caller.
  ///   - result: what the call returns; −1 of one that was killed in it.
  private func end(of thread: ThreadIdentifier, result: Int) {
    guard let call = pending.removeValue(forKey: thread) else { return }
    let wall = time.moment.wall(of: call.wall)
    if case .opened(_, let creates, let certain) = call.changes.first, result >= 0,
      stampOpened(
        Int32(truncatingIfNeeded: result), of: thread, creates: creates, certain: certain,
        call, wall)
    {
      return
    }
    let isCertain = call.changes.haveHappened(result: result)
    for pin in [call.first, call.second] {
      guard let pin else { continue }
      stamp(pin, checks: !(isCertain && pin.isExact), call, wall)
    }
  }

  private func stamp(_ pin: Pin, checks: Bool, _ call: Pending, _ wall: WallInstant) {
    var times = pin.times
    if checks {
      guard let status = pin.file.status else { return }
      times.formIntersection(call.window.times(setIn: status))
    }
    set(times, of: pin.file, in: call.process, to: wall)
    guard let name = pin.newEntry else { return }
    name.withUnsafeBytes { buffer in
      guard let name = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      var status = stat()
      guard fstatat(pin.file.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
      let isNew = call.window.times(setIn: status)
      set(
        checks ? isNew : .all, of: pin.file, name, AT_SYMLINK_NOFOLLOW, in: call.process, to: wall)
    }
  }

  /// Sets the times of what a descriptor has just been made for; `false` if the descriptor is gone, because
  /// another thread has closed it or its process has been killed.
  private func stampOpened(
    _ descriptor: Int32, of thread: ThreadIdentifier, creates: Bool, certain: FileTimeSet,
    _ call: Pending, _ wall: WallInstant
  ) -> Bool {
    let paths = TargetPaths(thread: thread)
    let file: FileHandle
    do throws(TargetPaths.Failure) {
      file = try paths.file(behind: descriptor)
    } catch {
      if error.errorNumber == EACCES { reportFailure(path: nil, EACCES, in: call.process) }
      return false
    }
    guard let status = file.status, status.st_mode & S_IFMT == S_IFREG else { return true }
    let times = call.window.times(setIn: status).union(certain)
    set(times, of: file, in: call.process, to: wall)
    // Only a new file has a fresh time of access.
    guard creates, times == .all else { return true }
    guard let folder = try? paths.folder(of: file), let folderStatus = folder.status else {
      // The process is killed meanwhile, and its root is gone with it.
      if let folder = call.first { stamp(folder, checks: true, call, wall) }
      return true
    }
    set(
      call.window.times(setIn: folderStatus).intersection(.modification), of: folder,
      in: call.process, to: wall)
    return true
  }

  private func set(
    _ times: FileTimeSet, of file: FileHandle, _ name: UnsafePointer<CChar>? = nil,
    _ flags: Int32 = PathFlags.emptyPath, in process: ThreadIdentifier, to wall: WallInstant
  ) {
    guard !times.isEmpty else { return }
    let now = timespec(tv_sec: Int(wall.seconds), tv_nsec: Int(wall.nanoseconds))
    // UTIME_OMIT of `linux/stat.h`.
    let omitted = timespec(tv_sec: 0, tv_nsec: 0x3fff_fffe)
    let result = withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { pair in
      pair[0] = times.contains(.access) ? now : omitted
      pair[1] = times.contains(.modification) ? now : omitted
      guard let name else { return utimensat(file.descriptor, "", pair.baseAddress, flags) }
      return utimensat(file.descriptor, name, pair.baseAddress, flags)
    }
    // What has just gone needs no time.
    guard result != 0, errno != ENOENT else { return }
    let error = errno
    reportFailure(path: String(decoding: file.path, as: UTF8.self), error, in: process)
  }

  /// Reports, once, that a file keeps the machine's time.
  private func reportFailure(path: String?, _ error: Int32, in process: ThreadIdentifier) {
    guard !hasReportedFailure else { return }
    hasReportedFailure = true
    kernel.report(.fileNotStamped(process: process.number, path: path, errorNumber: error))
  }
}

extension TargetMemory {
  /// The bytes of a path, without the zero at its end; `nil` if it is none.
  func readPath(_ place: PathArgument) -> [UInt8]? {
    if let length = place.length {
      return Array(readBytes(length, at: place.address).prefix { $0 != 0 })
    }
    var path: [UInt8] = []
    // PATH_MAX of `linux/limits.h`.
    while path.count < 4096 {
      let position = place.address &+ UInt64(path.count)
      // Not beyond the page: the next one may not be mapped.
      let chunk = readBytes(Int(256 - position % 256), at: position)
      guard !chunk.isEmpty else { return nil }
      if let end = chunk.firstIndex(of: 0) { return path + chunk[..<end] }
      path += chunk
    }
    return nil
  }
}
