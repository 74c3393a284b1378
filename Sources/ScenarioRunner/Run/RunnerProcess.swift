internal import Supervisor

/// The process that runs scenarios.
public enum RunnerProcess {
  /// Prepares signals and descriptors: call it once, before any other thread exists.
  public static func prepare() {
    Supervisor.prepareProcess()
    Supervisor.watchProcess()
  }
}
