import Glibc

/// A user without rights of its own, where the tests run with all.
enum OrdinaryUser {
  /// The command before the runner's.
  static let prefix =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []

  /// Whether that user can start the runner at all: its folder may be closed to others.
  static let canRun: Bool =
    (try? BuiltRunner.run(["--version"], prefix: prefix).exitCode) == 0
}
