internal import CSupervisor
internal import Glibc

/// A system call that nothing stands in for, and whose refusal ends the runner, or what it answers, without a word.
package struct RequiredCall: Sendable, Hashable {
  /// Its name.
  package let name: String
  /// Arguments of which the kernel says that they are wrong, so that the call does nothing.
  private let arguments: [Int]
  /// True if the C library works without the call when the kernel reports that it does not exist.
  private let isOptional: Bool

  private init(_ name: String, _ arguments: [Int], isOptional: Bool = false) {
    self.name = name
    self.arguments = arguments
    self.isOptional = isOptional
  }

  /// The calls without which threads, event loops and supervisors cannot be made, or never end.
  ///
  /// The C library and the runtime of Swift try futex(2) and wait4(2) again and again, or abort, whatever they answer.
  /// Calls that are needed before main stand in startup.c.
  package static let ofEveryRun = [
    // FUTEX_WAKE_PRIVATE of an address that is none, wrong options, F_GETFD of no descriptor.
    RequiredCall("futex", [1, 129]), RequiredCall("wait4", [-1, 0, -1]),
    RequiredCall("fcntl", [-1, 1]),
    RequiredCall("clone3", [0, 0], isOptional: true), RequiredCall("eventfd2", [0, -1]),
    RequiredCall("epoll_create1", [-1]), RequiredCall("epoll_ctl", [-1, 0, -1, 0]),
    RequiredCall("epoll_wait", [-1, 0, 0, 0]), RequiredCall("timerfd_create", [-1, -1]),
  ]

  /// The calls that a mock server needs to accept connections and to read from them.
  package static let ofMockServer = [
    RequiredCall("accept4", [-1, 0, 0, -1]), RequiredCall("recvfrom", [-1, 0, 0, 0]),
    RequiredCall("getsockopt", [-1, 0, 0, 0]), RequiredCall("getsockname", [-1]),
  ]

  /// The errno with which a filter (seccomp(2)) refuses the call; `nil` if it is let through.
  package var refusal: Int32? {
    guard let number = SystemCallTable.current.number(of: name) else { return nil }
    func argument(_ index: Int) -> Int { index < arguments.count ? arguments[index] : 0 }
    let error = scenario_call_error(number, argument(0), argument(1), argument(2), argument(3))
    return error == EPERM || error == EACCES || error == ENOSYS && !isOptional ? error : nil
  }
}
