internal import Glibc
internal import Supervisor

/// The requirements of every run on this machine, without limits.
package enum RunNeeds {
  /// The reason why the runner cannot find or change its targets by /proc (proc(5)); `nil` if it can.
  package static func procShortage() -> MachineShortage? {
    if let process = FileTree.link(at: "/proc/self").flatMap(Int32.init), process != getpid() {
      return MachineShortage(
        message: "/proc shows another process namespace than the one of scenario",
        help: "mount -t proc proc /proc, or unshare with --mount-proc")
    }
    let memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC)
    guard memory < 0 else {
      close(memory)
      return nil
    }
    guard errno == EROFS else { return nil }
    return MachineShortage(
      message:
        "/proc is mounted read-only: scenario cannot write into the programs that it runs",
      help: "mount -o remount,rw /proc")
  }

  /// The first call that a filter refuses and without which no thread or event loop can be made; `nil` if there is none.
  package static func callShortage() -> MachineShortage? {
    MachineShortage(among: RequiredCall.ofEveryRun)
  }
}
