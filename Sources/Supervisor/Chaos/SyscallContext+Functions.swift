internal import ScenarioPlan

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
