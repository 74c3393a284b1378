@testable import Supervisor

extension FilterRules {
  /// The rules of a run, with those of its interceptors.
  static func rules(
    for configuration: SupervisorConfiguration, faults: ChaosInjector, disks: DiskWatch? = nil
  ) throws -> [Int: FilterRule] {
    let loop = SupervisorLoop(configuration: configuration, mailbox: try Mailbox())
    return rules(
      for: configuration, interceptors: loop.interceptors, faults: faults, disks: disks)
  }
}
