internal import ScenarioPlan

struct FaultInjector {
  init(entries: [PlannedChaos]) {}
  var systemCalls: [Int] { [] }
  var isEmpty: Bool { true }
}
extension SupervisorLoop {
  func fault(for tracee: Tracee, _ registers: Registers) -> Int32? { nil }
}
