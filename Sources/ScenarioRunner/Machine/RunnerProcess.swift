internal import Supervisor

/// The process that runs scenarios.
package enum RunnerProcess {
  /// Prepares signals and descriptors: call it once, before any other thread exists.
  package static func prepare() {
    Supervisor.prepareProcess()
    Supervisor.adoptOrphans()
    Supervisor.watchProcess()
    RunnerClock.begin()
  }
}
