internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// The context of a call that a thread is about to make; each fact is looked up once, and only on
/// demand.
///
/// A system call is made by the C library's code, so its immediate caller says nothing.
struct SyscallContext: ThreadFacts {
  let tracee: Tracee
  let registers: Registers
  private let call: FaultRules.Call
  let faults: FaultInjector
  let memory: TargetMemory

  /// The end of a transfer that is asked about.
  private var end: TransferEnd?
  private var knownPaths: [String]?
  private var knownKind: DescriptorKind??
  private var knownAddress: InternetAddress??

  init?(
    of tracee: Tracee, _ registers: Registers, _ call: FaultRules.Call, _ faults: FaultInjector
  ) {
    guard let memory = tracee.process.memory else { return nil }
    self.tracee = tracee
    self.registers = registers
    self.call = call
    self.faults = faults
    self.memory = memory
  }

  var kernel: any FaultKernel { faults.kernel }

  func argument(_ index: Int) -> UInt64 { registers[argument: index] }

  mutating func attend(to end: TransferEnd?) {
    guard end != self.end else { return }
    self.end = end
    knownPaths = nil
    knownKind = nil
    knownAddress = nil
  }

  /// The subjects that the call acts on: the first of two descriptors is read, the second is
  /// written.
  private var subjects: [SystemCallSubject] {
    guard let end, call.subjects.count == 2 else { return call.subjects }
    return [call.subjects[end == .source ? 0 : 1]]
  }

  // MARK: - Files

  mutating func paths() -> [String] {
    if let knownPaths { return knownPaths }
    let paths = subjects.flatMap { reader.paths($0, registers) }
    knownPaths = paths
    return paths
  }

  mutating func linkedPaths(below place: String?) -> [String] {
    let followsLast = followsLastLink()
    return subjects.flatMap {
      reader.linkedPaths($0, registers, below: place, followsLast: followsLast)
    }
  }

  /// Returns whether the call follows a symbolic link at the end of its path (symlink(7)).
  private mutating func followsLastLink() -> Bool {
    func has(_ flag: Int32, in argument: Int) -> Bool {
      registers[argument: argument] & UInt64(flag) != 0
    }
    switch call.name {
    case "open", "openat", "openat2", "creat":
      // open(2): a file that must be new is none behind a link.
      let flags = flags() ?? 0
      return flags & UInt64(O_NOFOLLOW) == 0
        && flags & OpenFlags.createOnly != OpenFlags.createOnly
    case "newfstatat", "utimensat", "faccessat2", "fchmodat2":
      return !has(AT_SYMLINK_NOFOLLOW, in: 3)
    case "statx": return !has(AT_SYMLINK_NOFOLLOW, in: 2)
    case "fchownat", "execveat": return !has(AT_SYMLINK_NOFOLLOW, in: 4)
    case "linkat", "name_to_handle_at": return has(AT_SYMLINK_FOLLOW, in: 4)
    case "lstat", "lchown", "lgetxattr", "lsetxattr", "llistxattr", "lremovexattr", "readlink",
      "readlinkat", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "link",
      "symlink", "symlinkat", "mkdir", "mkdirat", "mknod", "mknodat":
      return false
    default: return true
    }
  }

  private func link(_ number: Int32) -> String? { reader.link(number) }

  private var reader: PathResolver {
    PathResolver(
      process: tracee.process.identifier.number, thread: tracee.identifier.number, memory: memory,
      folder: tracee.sampler.descriptors)
  }

  /// The descriptor that the call is about first.
  private var descriptor: Int32? { descriptors.first }

  private var descriptors: [Int32] {
    subjects.compactMap { subject in
      switch subject {
      case .descriptor(let argument), .socket(let argument):
        Int32(truncatingIfNeeded: registers[argument: argument])
      case .address, .message: Int32(truncatingIfNeeded: registers[argument: 0])
      case .path: nil
      }
    }
  }

  mutating func descriptorKind() -> DescriptorKind? {
    if let knownKind { return knownKind }
    let kind = findKind()
    knownKind = .some(kind)
    return kind
  }

  private func findKind() -> DescriptorKind? {
    guard let descriptor, let link = link(descriptor) else { return nil }
    switch OpenDescriptor(link: link) {
    case .pipe: return .pipe
    case .anonymous: return nil
    case .path(let path):
      if path.hasPrefix("/dev/pts/") || path.hasPrefix("/dev/tty") || path == "/dev/console" {
        return .tty
      }
      var status = stat()
      guard stat("/proc/\(tracee.identifier.number)/fd/\(descriptor)", &status) == 0 else {
        return .file
      }
      return status.st_mode & S_IFMT == S_IFIFO ? .pipe : .file
    case .socket: return socketKind(descriptor)
    }
  }

  private func socketKind(_ descriptor: Int32) -> DescriptorKind? {
    if DescriptorTransfer.isNeeded {
      switch tracee.socketProtocol(descriptor) {
      case "UNIX", "UNIX-STREAM": return .unix
      case "TCP", "TCPv6", "MPTCP", "MPTCPv6": return .tcp
      case "UDP", "UDPv6": return .udp
      default: return nil
      }
    }
    let copy = tracee.copyDescriptor(descriptor)
    guard copy >= 0 else { return nil }
    defer { close(copy) }
    func option(_ name: Int32) -> Int32 {
      var value: Int32 = -1
      var length = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(copy, SOL_SOCKET, name, &value, &length) == 0 ? value : -1
    }
    switch (option(SO_DOMAIN), option(SO_TYPE)) {
    case (AF_UNIX, _): return .unix
    case (AF_INET, 1), (AF_INET6, 1): return .tcp
    case (AF_INET, 2), (AF_INET6, 2): return .udp
    default: return nil
    }
  }

  // MARK: - Hosts

  mutating func host() -> String? {
    guard let address = address() else { return nil }
    return faults.kernel.router?.hostName(of: address) ?? address.unmapped.text
  }

  mutating func port() -> Int64? { address().map { Int64($0.port) } }

  private mutating func address() -> InternetAddress? {
    if let knownAddress { return knownAddress }
    let address = findAddress()
    knownAddress = .some(address)
    return address
  }

  /// The address that the call names, else that of the other end.
  private func findAddress() -> InternetAddress? {
    for subject in subjects {
      let place: (address: UInt64, length: UInt64)
      switch subject {
      case .address(let argument):
        place = (registers[argument: argument], registers[argument: argument + 1])
      case .message(let argument):
        let message = registers[argument: argument]
        guard let name = memory.read(UInt64.self, at: message),
          let length = memory.read(UInt32.self, at: message &+ 8)
        else { continue }
        place = (name, UInt64(length))
      case .path, .descriptor, .socket:
        continue
      }
      if place.address != 0,
        case .internet(let address)? = SocketAddress(
          memory: memory, address: place.address, length: place.length)
      {
        return address
      }
    }
    let socket = descriptors.first { link($0)?.hasPrefix("socket:") ?? false }
    guard let socket, case .internet(let peer) = DescriptorTable(of: tracee).peer(of: socket)
    else { return nil }
    return faults.kernel.destinations?.original(of: peer) ?? peer
  }

  // MARK: - Numbers

  mutating func size() -> Int64? {
    if let argument = call.traits.size {
      return Int64(bitPattern: registers[argument: argument])
    }
    guard let transfer = call.traits.transfer else { return nil }
    return Int64(
      clamping: TransferMemory(transfer, size: nil, registers, memory)?.total ?? 0)
  }

  mutating func offset() -> Int64? {
    if let argument = call.traits.offset {
      return Int64(bitPattern: registers[argument: argument])
    }
    guard call.traits.transfer != nil, let descriptor else { return nil }
    let text = DescriptorTable(of: tracee).information(of: descriptor)
    let line = text.split(separator: "\n").first { $0.hasPrefix("pos:") }
    return line.flatMap { Int64($0.dropFirst(4).filter(\.isNumber)) }
  }

  mutating func flags() -> UInt64? {
    if let argument = call.traits.flags?.argument {
      return UInt64(UInt32(truncatingIfNeeded: registers[argument: argument]))
    }
    // openat2(2), clone3(2): a structure that begins with flags. creat(2) is open(2) with these.
    switch call.name {
    case "openat2": return memory.read(UInt64.self, at: registers[argument: 2])
    case "clone3": return memory.read(UInt64.self, at: registers[argument: 0])
    case "creat": return UInt64(O_CREAT | O_WRONLY | O_TRUNC)
    default: return nil
    }
  }

  // MARK: - Disks

  func diskUse() -> DiskUse? { faults.disks?.operation(of: tracee, registers)?.use }

  func movedRooms() -> DiskMoveSpace {
    faults.disks?.operation(of: tracee, registers).map { DiskFollower.spaces(of: $0) }
      ?? DiskMoveSpace()
  }

  /// Returns the subject of the call in the words of a report.
  mutating func subject() -> String? {
    if let path = paths().first { return path }
    guard subjects.contains(where: \.mayHaveHost), let host = host() else { return nil }
    return port().map { "\(host):\($0)" } ?? host
  }
}

extension SystemCallSubject {
  /// True if it may lead to a host.
  var mayHaveHost: Bool {
    switch self {
    case .socket, .address, .message: true
    case .path, .descriptor: false
    }
  }
}

extension SyscallContext {
  /// Returns whether the call is part of a call of these functions: an mmap by which an allocator gets memory for
  /// itself.
  mutating func isPart(of functions: PlannedFunctions) -> Bool {
    guard functions.isAllocator, let sites = tracee.process.program.functions else { return false }
    let process = tracee.process.identifier.number
    let code = AllocatorCode(sites.allocators, code: sites.code, memory: memory) { place in
      if let file = sites.allocators.first(where: { $0.range.contains(place) }) {
        return file.range.lowerBound
      }
      let list = MappingList(SmallFile.read("/proc/\(process)/maps") ?? "")
      return list.mappings.first { $0.isExecutable && $0.range.contains(place) }
        .flatMap { $0.path.hasPrefix("/") ? list.range(of: $0.path)?.lowerBound : nil }
    }
    return code.isInUse(at: registers.callFrame)
  }

  mutating func count(amongFunctionsOf entry: Int) -> Int? {
    guard let functions = faults.functions,
      let point = functions.points.first(where: { $0.entry == entry })?.point
    else { return nil }
    return Int(clamping: functions.hooks.add(to: point))
  }
}
