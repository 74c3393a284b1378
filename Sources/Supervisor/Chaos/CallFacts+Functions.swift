internal import ScenarioPlan

extension CallFacts {
  /// Whether the call is part of a call of these functions: an mmap by which an allocator gets memory for
  /// itself.
  mutating func isPart(of functions: PlannedFunctions) -> Bool {
    guard functions.isAllocator, let sites = tracee.process.functions else { return false }
    return AllocatorCode(sites.allocators, code: sites.code, memory: memory).isInUse(
      stackPointer: registers.stackPointer)
  }

  mutating func count(amongFunctionsOf entry: Int) -> Int? {
    guard let functions = loop.functions,
      let point = loop.functionPoints.first(where: { $0.entry == entry })?.point
    else { return nil }
    return Int(clamping: functions.add(to: point))
  }
}
