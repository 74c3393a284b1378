internal import Foundations
internal import Glibc

/// Lets a target unmount a disk once no child of this process has copies of descriptors.
///
/// Where a call leads is seen by descriptors of what it names. A child that is made meanwhile has copies of them until
/// it has closed them, and umount(2) fails with EBUSY as long as anybody has something of the disk open.
final class UnmountCalls: Interceptor {
  /// The real time within which children must close their copies; some microseconds on an idle machine.
  private static let patience = Nanoseconds.seconds(5)

  let filterRules: [Int: FilterRule] = [SystemCallNumber.umount: .trace]

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let deadline = RunnerClock.now() + Self.patience
    while DescriptorCopies.none == nil, RunnerClock.now() < deadline { usleep(50) }
    return .pass
  }
}
