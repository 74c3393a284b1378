/// The processes and threads of the target, and those of which only half is known yet.
final class ProcessTree {
  /// The processes, by their first threads.
  private(set) var processes: [ThreadIdentifier: TargetProcess] = [:]
  /// The threads.
  private(set) var tracees: [ThreadIdentifier: Tracee] = [:]
  /// Threads whose first stop came before the stop that announces them.
  private(set) var unannounced: Set<ThreadIdentifier> = []
  /// Threads that were announced and have not had their first stop.
  private var unborn: Set<ThreadIdentifier> = []
  /// The positions in the tree of the threads that are not the first.
  private var paths: [ThreadIdentifier: SpawnPath] = [:]
  /// The number of processes that the target has had.
  private(set) var processCount: Int
  /// True once the target has had two threads at the same time: what one of them has sent may be on
  /// its way when the other is gone.
  private(set) var hasHadSeveralThreads = false
  /// The number of threads that may have their files of /proc open, five each.
  let openLimit: Int
  /// The open memory files of the target's processes.
  let memories = OpenMemories()

  /// - Parameters:
  ///   - processCount: how many processes the target has had before.
  ///   - openLimit: how many threads may have their files of /proc open.
  init(processCount: Int = 0, openLimit: Int = DescriptorShortage.limit / 16) {
    self.processCount = processCount
    self.openLimit = openLimit
  }

  /// The processes, in start order.
  var ordered: [TargetProcess] { processes.values.sorted { $0.ordinal < $1.ordinal } }

  /// True if every announced thread has started, and every started one was announced.
  var isSettled: Bool { unborn.isEmpty && unannounced.isEmpty }

  /// True if no process lives, and none is to come.
  var isGone: Bool { tracees.isEmpty && unannounced.isEmpty }

  /// Returns whether a number is that of a thread or process of the target, announced or not.
  func holds(_ thread: ThreadIdentifier) -> Bool {
    tracees[thread] != nil || processes[thread] != nil || unannounced.contains(thread)
      || unborn.contains(thread)
  }

  /// Returns the number of a starting process, from 1.
  func nextOrdinal() -> Int {
    processCount += 1
    return processCount
  }

  /// Adds a process.
  func add(_ process: TargetProcess) { processes[process.identifier] = process }

  /// Adds a thread.
  func add(_ tracee: Tracee) {
    tracees[tracee.identifier] = tracee
    if tracees.count > 1 { hasHadSeveralThreads = true }
  }

  /// A process has ended.
  func removeProcess(_ process: ThreadIdentifier) { processes[process] = nil }

  /// A thread is gone; returns what it was.
  func removeThread(_ thread: ThreadIdentifier) -> Tracee? {
    unborn.remove(thread)
    paths[thread] = nil
    return tracees.removeValue(forKey: thread)
  }

  // MARK: - Places in the tree

  /// Returns the position of a thread in the tree.
  func path(of thread: ThreadIdentifier) -> SpawnPath { paths[thread] ?? SpawnPath() }

  /// Sets the position of a thread that takes another one's place.
  func setPath(of thread: ThreadIdentifier, _ path: SpawnPath) { paths[thread] = path }

  /// A thread has made another one.
  func recordPath(of thread: ThreadIdentifier, madeBy maker: ThreadIdentifier) {
    paths[thread] = paths[maker, default: SpawnPath()].nextChild()
  }

  /// The number of the next connection that a thread makes, counted from 0.
  func nextConnection(of thread: ThreadIdentifier) -> UInt32 {
    paths[thread, default: SpawnPath()].nextConnection()
  }

  // MARK: - Births

  /// Records the stop of a thread that was not announced (ptrace(2): the order of the two stops is
  /// not certain).
  func recordUnannounced(_ thread: ThreadIdentifier) { unannounced.insert(thread) }

  /// Such a thread has been announced, or is gone; true if there was one.
  @discardableResult
  func endUnannounced(_ thread: ThreadIdentifier) -> Bool { unannounced.remove(thread) != nil }

  /// A thread was announced that has not stopped yet.
  func recordUnborn(_ thread: ThreadIdentifier) { unborn.insert(thread) }

  /// Returns whether a thread was announced and has not had its first stop.
  func isUnborn(_ thread: ThreadIdentifier) -> Bool { unborn.contains(thread) }

  /// Such a thread has had its first stop; true if it was one.
  func endUnborn(_ thread: ThreadIdentifier) -> Bool { unborn.remove(thread) != nil }
}
