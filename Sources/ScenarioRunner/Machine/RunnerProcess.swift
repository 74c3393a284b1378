internal import Foundations
internal import Glibc
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

  /// The processor time that processes have used which this one has waited for, and those that they have waited for
  /// (getrusage(2): RUSAGE_CHILDREN).
  static func processorTimeOfChildren() -> Nanoseconds {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(.zero) {
      $0 + .seconds(Int64($1.tv_sec)) + .microseconds(Int64($1.tv_usec))
    }
  }
}
