internal import Foundations

/// The party that waits for an instant on the timeline.
enum WaitOwner: Hashable, Sendable {
  /// A thread of the target.
  case thread(ThreadIdentifier)
  /// A timer of the target's.
  case timer(TimerName)
  /// A thread of the target in a call that is not watched, on a socket with a timeout.
  case socket(ThreadIdentifier)
  /// A party outside the target, such as a delayed reply.
  case externalParticipant(UInt64)
  /// A fault that rules inject into a process.
  case processFault(UInt64)
}

/// Names a timer of the target's.
enum TimerName: Hashable, Sendable {
  /// A timer descriptor, by the number that the kernel gives the event descriptor in its place, which is
  /// one for all copies of the descriptor, in whatever process.
  case descriptor(UInt64)
  /// A timer of timer_create(2), by its number in its process.
  case process(ThreadIdentifier, number: Int32)
  /// The timer of alarm(2) and setitimer(2): one for a process.
  case alarm(ThreadIdentifier)
}
