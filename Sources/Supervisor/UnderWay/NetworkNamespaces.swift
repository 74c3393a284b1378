/// The network namespaces that threads of the target have of their own (network_namespaces(7)): the runner's lists of
/// connections hold nothing of these.
final class NetworkNamespaces: Interceptor {
  /// CLONE_NEWNET of unshare(2), and setns(2) with its descriptor, which may be all that says what is entered.
  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.unshare: .traceIfAnySet(argument: 0, bits: 0x4000_0000),
    SystemCallNumber.setns: .trace,
  ]

  /// The threads whose namespace is to be looked up: they are new, or have asked for another one.
  private var unknown: Set<ThreadIdentifier> = []
  /// The namespaces of the threads that are elsewhere than the runner.
  private var elsewhere: [ThreadIdentifier: UInt64] = [:]
  private let own = NetworkNamespaces.namespace(of: "self")

  func enter(_ call: InterceptedCall) -> CallDisposition {
    unknown.insert(call.tracee.identifier)
    return .pass
  }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    unknown.insert(thread)
  }

  func processCopied(
    _ process: ThreadIdentifier, as copy: ThreadIdentifier, thread: ThreadIdentifier
  ) {
    unknown.insert(copy)
  }

  func threadRenamed(_ former: ThreadIdentifier, to thread: ThreadIdentifier) {
    threadEnded(former)
    unknown.insert(thread)
  }

  func threadEnded(_ thread: ThreadIdentifier) {
    unknown.remove(thread)
    elsewhere[thread] = nil
  }

  /// Returns one thread of each namespace that is not the runner's.
  ///
  /// To be asked while the target's threads sleep: one that is amid unshare(2) is still where it was.
  func members() -> [UInt64: ThreadIdentifier] {
    for thread in unknown {
      let namespace = Self.namespace(of: "\(thread.number)")
      elsewhere[thread] = namespace == own ? nil : namespace
    }
    unknown.removeAll(keepingCapacity: true)
    var members: [UInt64: ThreadIdentifier] = [:]
    // A first thread that has ended is there until its process ends, and is in no namespace any more.
    for (thread, namespace) in elsewhere.sorted(by: { $0.key < $1.key })
    where members[namespace] == nil && Self.namespace(of: "\(thread.number)") == namespace {
      members[namespace] = thread
    }
    return members
  }

  /// Returns the number of a thread's namespace; `nil` if the thread is gone, or the kernel has no namespaces.
  private static func namespace(of thread: String) -> UInt64? {
    // net:[4026531840]
    SmallFile.link("/proc/\(thread)/ns/net").flatMap { UInt64($0.filter(\.isNumber)) }
  }
}
