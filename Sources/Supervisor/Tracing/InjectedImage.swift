internal import CSupervisor
internal import Foundations
internal import Glibc
internal import VirtualClockImage

/// The memory that the supervisor maps into each program of the target: clock page, replacement
/// vDSO, data.
///
/// Layout: one page of counters; at `base` the clock page; the image. These three lie where the
/// kernel's own vDSO lay, so that a lookup of it in any way finds the image, or in front of the
/// rest: data pages with constants and scratch slots. All of it is anonymous and private, and all
/// but the counters read-only to the target; the supervisor writes through /proc/PID/mem. So it
/// needs no descriptor, no path and no permission inside the target.
struct InjectedImage: Sendable {
  /// The image's bytes and what they need, computed once per supervisor.
  struct Template: Sendable {
    /// The bytes of the replacement vDSO, whole pages.
    let image: [UInt8]
    /// The paths that replaced files are opened by, each with its final zero byte.
    let replacementPaths: [[UInt8]]
    /// The size of the constants, in bytes, whole pages.
    let constantsLength: Int
    /// The size of the counters, the clock page and the image, in bytes.
    let frontLength: Int
    /// The size of the data pages, in bytes.
    let dataLength: Int
    /// The kernel's own vDSO, as this process sees it.
    let kernel: KernelVDSO

    /// Creates a template; `nil` if the kernel gives this process no usable vDSO.
    ///
    /// - Parameter isSeeded: whether programs may not read the time stamp counter, as the kernel's own clock
    ///   does.
    init?(replacementPaths: [String], isSeeded: Bool = false) {
      guard var kernel = KernelVDSO.current() else { return nil }
      if isSeeded { kernel.clockOffset = nil }
      var image = VirtualClockImage.bytes()
      let page = Int(SCENARIO_PAGE_SIZE)
      image += [UInt8](repeating: 0, count: (page - image.count % page) % page)
      self.kernel = kernel
      self.image = image
      self.replacementPaths = replacementPaths.map { Array($0.utf8) + [0] }
      let constants = self.replacementPaths.reduce(InjectedImage.pathsOffset) { $0 + $1.count }
      constantsLength = (constants + page - 1) / page * page
      let slots = InjectedImage.slotCount * InjectedImage.slotLength
      let execAreas = InjectedImage.execAreaCount * InjectedImage.execAreaLength
      frontLength = 2 * page + image.count
      dataLength = constantsLength + slots + execAreas
    }

    /// True if the image fits in the place of the kernel's own vDSO.
    var fitsKernelPlace: Bool {
      guard let room = kernel.room else { return false }
      let page = UInt64(SCENARIO_PAGE_SIZE)
      return room.before >= 2 * page && room.behind >= UInt64(image.count)
    }
  }

  /// The address of the clock page.
  let base: UInt64
  /// The address of the data pages.
  private let data: UInt64
  private let constantsLength: Int
  /// The offsets of the paths by which replaced files are opened.
  private let pathOffsets: [Int]

  /// The number of scratch slots.
  static let slotCount = 128
  /// The size of a slot, in bytes: a `struct msghdr` and a `struct sockaddr_in6` fit, and 128 of
  /// them are whole pages.
  static let slotLength = 96

  /// Describes what is mapped.
  ///
  /// - Parameters:
  ///   - front: where the counters, the clock page and the image begin.
  ///   - data: where the data pages begin.
  init(front: UInt64, data: UInt64, template: Template) {
    base = front + UInt64(SCENARIO_PAGE_SIZE)
    self.data = data
    constantsLength = template.constantsLength
    var offset = Self.pathsOffset
    pathOffsets = template.replacementPaths.map { path in
      defer { offset += path.count }
      return offset
    }
  }

  /// The address of the counters of clock reads, which the target writes.
  var tallies: UInt64 { base - UInt64(SCENARIO_PAGE_SIZE) }

  /// The address of the replacement vDSO's ELF header: AT_SYSINFO_EHDR.
  var header: UInt64 { base + UInt64(SCENARIO_PAGE_SIZE) }

  /// A timespec of one nanosecond.
  var longPast: UInt64 { data }

  /// A timespec of 285 years: longer than any run.
  var farFuture: UInt64 { data + 16 }

  /// A `syscall` instruction, by which a stopped thread can be made to make a call.
  var systemCallInstruction: UInt64 { Self.systemCallInstruction(data: data) }

  /// The same, by where the data pages begin.
  static func systemCallInstruction(data: UInt64) -> UInt64 { data + 32 }

  /// The offset among the constants of the first path by which replaced files are opened.
  private static let pathsOffset = 64

  /// A path that replaced files are opened by.
  func replacementPath(_ index: Int) -> UInt64 { data + UInt64(pathOffsets[index]) }

  /// A scratch slot.
  func slot(_ index: Int) -> UInt64 {
    data + UInt64(constantsLength + index % Self.slotCount * Self.slotLength)
  }

  /// The number of areas for the environment of a program.
  static let execAreaCount = 4
  /// The size of such an area, in bytes.
  static let execAreaLength = 32_768

  /// An area for the environment of a program.
  func execArea(_ index: Int) -> UInt64 {
    data
      + UInt64(
        constantsLength + Self.slotCount * Self.slotLength
          + index % Self.execAreaCount * Self.execAreaLength)
  }

  /// Fills a fresh mapping, all but the clock's values.
  ///
  /// - Parameter kernelClock: where the kernel's own `__vdso_clock_gettime` lies; 0 if the call is to be made.
  func fill(_ memory: TargetMemory, from template: Template, kernelClock: UInt64) -> Bool {
    var page = scenario_clock_page()
    page.magic = SCENARIO_CLOCK_PAGE_MAGIC
    page.version = SCENARIO_CLOCK_PAGE_VERSION
    page.kernel_clock = kernelClock
    return memory.write(page, at: base)
      && template.image.withUnsafeBytes { memory.write($0, at: header) }
      && memory.write(TimeValue(.init(1)), at: longPast)
      && memory.write(TimeValue(.seconds(9_000_000_000)), at: farFuture)
      && Architecture.systemCallInstruction.withUnsafeBytes {
        memory.write($0, at: systemCallInstruction)
      }
      && template.replacementPaths.indices.allSatisfy { index in
        template.replacementPaths[index].withUnsafeBytes {
          memory.write($0, at: replacementPath(index))
        }
      }
  }
}

/// The vDSO that the kernel maps into each process; the same bytes everywhere, at other addresses.
struct KernelVDSO: Sendable {
  /// The offset of a `syscall` instruction from the header.
  let systemCallOffset: UInt64
  /// The offset of `__vdso_clock_gettime`; `nil` where it would only make the system call.
  var clockOffset: UInt64?
  /// The offsets of the names of the functions that give random numbers (getrandom(2), in newer
  /// kernels) or read the time stamp counter.
  let unsteadyNameOffsets: [UInt64]
  /// The room around the header; `nil` where it is not known.
  let room: Room?

  /// The numbers of bytes that the kernel maps for the vDSO.
  struct Room: Sendable, Equatable {
    /// Its data, before the header.
    var before: UInt64
    /// Its code, from the header on.
    var behind: UInt64

    /// Reads the text of /proc/PID/maps (proc(5)); `nil` if the header lies in no mapping of that name.
    init?(around header: UInt64, in text: String) {
      let mappings = MappingList(text).mappings
      guard
        let index = mappings.firstIndex(where: {
          $0.path == "[vdso]" && $0.range.lowerBound == header
        })
      else { return nil }
      behind = mappings[index].range.upperBound - header
      // Data of several kinds, as `[vvar]` and `[vvar_vclock]`, lie one directly before the other.
      var start = header
      for mapping in mappings[..<index].reversed()
      where mapping.range.upperBound == start && mapping.path.hasPrefix("[vvar") {
        start = mapping.range.lowerBound
      }
      before = header - start
    }
  }

  /// Reads the one of this process; `nil` if there is none.
  static func current() -> KernelVDSO? {
    guard let base = UnsafeRawPointer(bitPattern: UInt(scenario_kernel_vdso())) else { return nil }
    // vdso(7): one image, mapped whole; it is two pages long at least.
    let bytes = UnsafeRawBufferPointer(start: base, count: 2 * Int(SCENARIO_PAGE_SIZE))
    let instruction = Architecture.systemCallInstruction
    guard
      let offset = (0..<bytes.count - 1).first(where: {
        bytes[$0] == instruction[0] && bytes[$0 + 1] == instruction[1]
      })
    else { return nil }
    return KernelVDSO(
      systemCallOffset: UInt64(offset),
      clockOffset: hasFastClock() ? ELFImage(bytes).symbol("__vdso_clock_gettime") : nil,
      unsteadyNameOffsets: ["getrandom", "clock_gettime", "gettimeofday", "time"].flatMap {
        offsets(of: $0, in: bytes)
      },
      room: SmallFile.read("/proc/self/maps").flatMap {
        Room(around: scenario_kernel_vdso(), in: $0)
      })
  }

  /// Returns the offsets of a name, or of the end of one, with its final zero byte.
  private static func offsets(of name: String, in bytes: UnsafeRawBufferPointer) -> [UInt64] {
    let pattern = Array(name.utf8) + [0]
    return (0..<bytes.count - pattern.count).filter { start in
      bytes[start] == pattern[0] && bytes[start..<start + pattern.count].elementsEqual(pattern)
    }.map { UInt64($0) }
  }

  /// Returns whether the kernel's vDSO reads the clock itself.
  ///
  /// Where it cannot, it makes the system call, which the filter would take for the target's own.
  private static func hasFastClock() -> Bool {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    guard let name = SmallFile.read(path)?.split(separator: "\n").first else { return false }
    return ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page"].contains(name)
  }
}

/// A loaded ELF shared object, read for its dynamic symbols (elf(5)).
struct ELFImage {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The offset of a function, from the header.
  func symbol(_ name: String) -> UInt64? {
    guard let header = load(Elf64_Ehdr.self, at: 0) else { return nil }
    for index in 0..<Int(header.e_phnum) {
      let offset = Int(header.e_phoff) + index * Int(header.e_phentsize)
      guard let segment = load(Elf64_Phdr.self, at: offset) else { return nil }
      if segment.p_type == UInt32(PT_DYNAMIC) {
        return symbol(name, dynamic: Int(segment.p_vaddr))
      }
    }
    return nil
  }

  private func symbol(_ name: String, dynamic: Int) -> UInt64? {
    var strings = 0
    var symbols = 0
    var count = 0
    var position = dynamic
    // An Elf64_Dyn is a tag and a value, eight bytes each.
    while let tag = load(Int64.self, at: position), tag != Int64(DT_NULL),
      let value = load(UInt64.self, at: position + 8).flatMap({ Int(exactly: $0) })
    {
      switch tag {
      case Int64(DT_STRTAB): strings = value
      case Int64(DT_SYMTAB): symbols = value
      case Int64(DT_HASH):
        // The second word of the table is the number of symbols.
        count = Int(load(UInt32.self, at: value + 4) ?? 0)
      default: break
      }
      position += 16
    }
    // Newer kernels leave DT_HASH out; the string table follows the symbols there.
    if count == 0, strings > symbols {
      count = (strings - symbols) / MemoryLayout<Elf64_Sym>.size
    }
    for index in 0..<count {
      let offset = symbols + index * MemoryLayout<Elf64_Sym>.size
      guard let symbol = load(Elf64_Sym.self, at: offset) else { return nil }
      if symbol.st_value != 0, text(at: strings + Int(symbol.st_name)) == name {
        return symbol.st_value
      }
    }
    return nil
  }

  private func load<Trivial: BitwiseCopyable>(_ type: Trivial.Type, at offset: Int) -> Trivial? {
    guard offset >= 0, offset + MemoryLayout<Trivial>.size <= bytes.count else { return nil }
    return bytes.loadUnaligned(fromByteOffset: offset, as: type)
  }

  private func text(at offset: Int) -> String? {
    guard offset >= 0, offset < bytes.count else { return nil }
    return String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
