@testable import Supervisor

extension FilterRules {
  /// The rules of a run that this program would make as an ordinary user, with those of its interceptors.
  static func rules(
    for configuration: SupervisorConfiguration, faults: FaultRules, disks: DiskWatch? = nil
  ) throws -> [Int: FilterRule] {
    let loop = TracerLoop(configuration: configuration, mailbox: try Mailbox())
    let user = RunnerGuard(isNeeded: false, namespace: nil)
    let list = loop.interceptors.all.map {
      $0 is ProcessContainment ? ProcessContainment(kernel: loop, runner: user) : $0
    }
    return rules(
      for: configuration, interceptors: Interceptors(list), faults: faults, disks: disks)
  }
}
