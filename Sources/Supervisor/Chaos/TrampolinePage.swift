internal import CSupervisor
internal import Glibc

/// Makes room for stubs near a loaded file, and puts them there.
///
/// Layout: a place to return to, a place to sleep, the counters' path, then stubs; behind them the page of
/// counters.
struct TrampolinePage {
  let functions: FunctionInjector
  let tracee: Tracee
  let registers: Registers
  let memory: TargetMemory

  private static let page: UInt64 = 4096
  /// The offset of the path from which the counters are mapped.
  private static let pathOffset: UInt64 = 32
  /// The offset of the stubs.
  private static let stubsOffset: UInt64 = 128
  /// The largest number of bytes that are read of a function, and behind it.
  private static let codeLimit = 1 << 16
  private static let lookAhead = 512
  /// The number of attempts to find a place while other threads map theirs.
  private static let attempts = 3

  /// Watches functions of one file; false if there is no room or no way.
  ///
  /// - Parameter isLinked: whether the dynamic linker has had its turn.
  func watch(
    _ planned: [FunctionInjector.PlannedSite], in object: LoadedObject, _ table: SymbolTable,
    isLinked: Bool
  ) -> Bool {
    let points = planned.reduce(0) { $0 + $1.points.count }
    let bytes = Self.stubsOffset + UInt64(planned.count * 128 + points * 80)
    let length = (bytes + Self.page - 1) / Self.page * Self.page
    guard let start = mapRoom(length, near: object.range) else { return false }
    // A place to return to; a place to sleep, and behind it one that tells of the awakening.
    let sleep = [Architecture.breakpoint] + Architecture.systemCallInstruction
    // mov %rax, %rsi
    let head = sleep + [0x48, 0x89, 0xc6] + FunctionStub.report + [Architecture.breakpoint]
    guard head.withUnsafeBytes({ memory.write($0, at: start) }) else { return false }
    tracee.process.program.functions?.returnPlace = start
    tracee.process.program.functions?.sleepingPlace = start + 1
    tracee.process.program.functions?.systemCallInstruction = start + 1
    tracee.process.program.functions?.wakingPlaces[start + UInt64(head.count - 1)] = start + 1
    let counters = start + length
    let isShared = shareCounters(at: counters, path: start + Self.pathOffset)
    if !isShared, mapPages(Self.page, at: counters, PROT_READ | PROT_WRITE) == nil { return false }
    var position = start + Self.stubsOffset
    var allocators: [UInt64: UInt64] = [:]
    // What calls by way of the procedure linkage table go to in the end.
    var linked: [UInt64: UInt64] = [:]
    for call in table.directCalls where call.operand != call.target {
      linked[object.base &+ call.operand] = object.base &+ call.target
    }
    for (site, entry) in ordered(entries(of: planned, in: object, isLinked), linked) {
      var redirections = site.isAllocator ? allocators : [:]
      for (entry, function) in linked { redirections[entry] = redirections[function] }
      guard
        let stub = FunctionStub(
          entry, points: site.points, cells: site.points.map { counters + UInt64(64 * $0) },
          at: position, redirections: redirections),
        let patch = stub.patch(for: entry),
        stub.code.withUnsafeBytes({ memory.write($0, at: stub.address) }),
        patch.withUnsafeBytes({ memory.write($0, at: entry.address) })
      else {
        complain(site.symbol, in: object)
        continue
      }
      enter(stub, entry, named: site.symbol.name, isShared: isShared)
      if site.isAllocator { allocators[entry.address] = stub.uncounted }
      position += UInt64(stub.code.count)
    }
    redirect(table.directCalls, in: object, to: allocators)
    recordAllocator(planned, in: object, stubs: allocators)
    return true
  }

  /// Records the address of an allocator's code.
  private func recordAllocator(
    _ planned: [FunctionInjector.PlannedSite], in object: LoadedObject, stubs: [UInt64: UInt64]
  ) {
    let functions = planned.filter(\.isAllocator).map(\.symbol)
    guard functions.contains(where: { $0.name == "malloc" }) else { return }
    let bodies = functions.compactMap { symbol -> Range<UInt64>? in
      let start = object.base &+ symbol.value
      guard !symbol.isIndirect, start <= UInt64.max - max(symbol.size, 1) else { return nil }
      return start..<start + max(symbol.size, 1)
    }
    tracee.process.program.functions?.allocators.append(
      .init(range: object.range, bodies: bodies, entries: Set(stubs.keys).union(stubs.values)))
  }

  /// The functions' first instructions, of those that can be watched.
  private func entries(
    of planned: [FunctionInjector.PlannedSite], in object: LoadedObject, _ isLinked: Bool
  ) -> [(FunctionInjector.PlannedSite, FunctionEntry)] {
    planned.compactMap { site in
      let size = site.symbol.isIndirect ? 0 : Int(clamping: site.symbol.size)
      guard let address = address(of: site.symbol, in: object, isLinked),
        let entry = FunctionEntry(
          code: memory.readBytes(
            size == 0 ? Self.lookAhead : min(size + 16, Self.codeLimit), at: address),
          size: size, at: address,
          before: memory.readBytes(
            FunctionEntry.neighbourhood,
            at: address &- UInt64(FunctionEntry.neighbourhood)))
      else {
        complain(site.symbol, in: object)
        return nil
      }
      return (site, entry)
    }
  }

  /// Returns the functions so that those come first that others begin by jumping to.
  private func ordered(
    _ entries: [(FunctionInjector.PlannedSite, FunctionEntry)], _ linked: [UInt64: UInt64]
  ) -> [(FunctionInjector.PlannedSite, FunctionEntry)] {
    var rest = entries
    var order: [(FunctionInjector.PlannedSite, FunctionEntry)] = []
    while !rest.isEmpty {
      let open = Set(rest.map(\.1.address))
      let next =
        rest.firstIndex { open.isDisjoint(with: $0.1.targets.map { linked[$0] ?? $0 }) } ?? 0
      order.append(rest.remove(at: next))
    }
    return order
  }

  private func enter(
    _ stub: FunctionStub, _ entry: FunctionEntry, named name: String, isShared: Bool
  ) {
    guard let index = tracee.process.program.functions?.sites.count else { return }
    tracee.process.program.functions?.sites.append(
      .init(name: name, address: entry.address, uncounted: stub.uncounted))
    for trap in stub.traps {
      tracee.process.program.functions?.traps[trap.address] = .init(
        trap: trap, site: index, isShared: isShared)
    }
    if entry.patch == .breakpoint {
      tracee.process.program.functions?.breakpoints[entry.address + 1] = stub.address
    }
  }

  private func complain(_ symbol: SymbolTable.Symbol, in object: LoadedObject) {
    let name = symbol.name
    let reason =
      symbol.isIndirect
      ? "its implementation is chosen only later" : "its first instructions cannot be relocated"
    functions.kernel.notice(
      "\"\(name)\" of \(object.name) cannot be watched: \(reason)",
      of: tracee.process)
  }

  /// Redirects the calls that an allocator makes to itself past the count.
  private func redirect(
    _ calls: [SymbolTable.DirectCall], in object: LoadedObject, to allocators: [UInt64: UInt64]
  ) {
    for call in calls {
      guard let uncounted = allocators[object.base &+ call.target] else { continue }
      let place = object.base &+ call.address
      // What a function begins with has been written over, and stands in its stub.
      guard
        !allocators.keys.contains(where: {
          place &- $0 < UInt64(FunctionEntry.jumpLength) || $0 &- place < 5 && $0 != place
        })
      else { continue }
      var writer = CodeWriter(at: place &+ 1)
      writer.refer([], to: uncounted)
      _ = writer.finished?.withUnsafeBytes { memory.write($0, at: place &+ 1) }
    }
  }

  /// Returns the address of a function; of an indirect one, calls the function that chooses it.
  ///
  /// - Parameter isLinked: whether the dynamic linker has had its turn.
  private func address(
    of symbol: SymbolTable.Symbol, in object: LoadedObject, _ isLinked: Bool
  ) -> UInt64? {
    let place = object.base &+ symbol.value
    guard symbol.isIndirect else { return place }
    // What has just been mapped is not linked, and cannot run; a static program links itself later.
    guard isLinked, let chosen = functions.kernel.result(of: place, in: tracee, registers, memory),
      object.range.contains(chosen)
    else { return nil }
    return chosen
  }

  // MARK: - Pages

  private func mapRoom(_ length: UInt64, near range: Range<UInt64>) -> UInt64? {
    for _ in 0..<Self.attempts {
      let text = SmallFile.read("/proc/\(tracee.process.identifier.number)/maps") ?? ""
      guard let gap = MappingList(text).gap(of: length + Self.page, near: range) else { return nil }
      if let start = mapPages(length, at: gap, PROT_READ | PROT_EXEC) { return start }
    }
    return nil
  }

  private func mapPages(_ length: UInt64, at address: UInt64, _ protection: Int32) -> UInt64? {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE
    return mapped(
      at: address,
      [address, length, UInt64(protection), UInt64(flags), UInt64.max, 0])
  }

  private func mapped(at address: UInt64, _ arguments: [UInt64]) -> UInt64? {
    let result = functions.kernel.makeCall(SystemCallNumber.mmap, arguments, in: tracee, registers)
    return result.flatMap { UInt64(exactly: $0) } == address ? address : nil
  }

  /// Maps the page that all processes share; false if the process cannot get at it.
  ///
  /// It gets at it by way of /proc, which another user's process, or one in another tree of files, may not.
  private func shareCounters(at address: UInt64, path: UInt64) -> Bool {
    // The runner's descriptors are closed to other processes but for this moment.
    scenario_begin_opening()
    defer { scenario_end_opening() }
    let text = Array("/proc/\(getpid())/fd/\(functions.hooks.descriptor)".utf8) + [0]
    guard UInt64(text.count) <= Self.stubsOffset - Self.pathOffset,
      text.withUnsafeBytes({ memory.write($0, at: path) }),
      let descriptor = functions.kernel.makeCall(
        SystemCallNumber.open, [path, UInt64(O_RDWR | O_CLOEXEC), 0, 0, 0, 0], in: tracee, registers
      ),
      descriptor >= 0
    else { return false }
    let protection = UInt64(PROT_READ | PROT_WRITE)
    let flags = UInt64(MAP_SHARED | MAP_FIXED_NOREPLACE)
    let start = mapped(
      at: address, [address, Self.page, protection, flags, UInt64(descriptor), 0])
    _ = functions.kernel.makeCall(
      SystemCallNumber.close, [UInt64(descriptor), 0, 0, 0, 0, 0], in: tracee, registers)
    return start != nil
  }
}
