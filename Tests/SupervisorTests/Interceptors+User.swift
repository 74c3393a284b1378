@testable import Supervisor

extension Interceptors {
  /// The rules of the filter of a run that this program would make as an ordinary user.
  static func filterRules(of configuration: SupervisorConfiguration) throws -> [Int: FilterRule] {
    let loop = TracerLoop(configuration: configuration, mailbox: try Mailbox())
    let user = RunnerGuard(isNeeded: false, namespace: nil)
    let list = loop.interceptors.all.map {
      $0 is ProcessContainment ? ProcessContainment(kernel: loop, runner: user) : $0
    }
    return Interceptors(list).filterRules
  }
}
