internal import CSupervisor
internal import Foundations
internal import Glibc

/// The state of packets since connections were last read.
struct UnderWayAccount {
  /// The number of packets that the machine had delivered when nothing was under way; `nil` if
  /// anything may be.
  var quietAt: UInt64?
  /// What is under way, and since when it has made no progress.
  var waits: [ConnectionsUnderWay.Key: Wait] = [:]
  /// The list of connections; `nil` until it is read.
  var list: ConnectionList?
  /// True if packets had been put off, and one of them may be on its way through the kernel.
  var hadBacklog = false

  /// The real time for which virtual time waits for what the kernel holds back, while no byte of it
  /// arrives: longer than it puts off an acknowledgement, and than it takes to ask for a connection
  /// once more.
  static let patience = Nanoseconds.seconds(3)

  /// The wait for one finding.
  struct Wait {
    /// The real time at which its last byte arrived, or at which it was first seen.
    var since: Nanoseconds
    /// The number of bytes that had arrived.
    var arrived: UInt64
    /// True if it is no longer waited for, unless more arrives.
    var isGivenUp = false
  }

  /// Records what is under way now; returns whether time must wait for it, and what it has waited
  /// for in vain.
  ///
  /// - Parameters:
  ///   - current: what is under way, and how many bytes have arrived.
  ///   - real: the real time.
  mutating func record(
    _ current: [ConnectionsUnderWay.Key: UInt64], real: Nanoseconds
  ) -> (mustWait: Bool, lost: [ConnectionsUnderWay.Key]) {
    waits = waits.filter { current[$0.key] == $0.value.arrived }
    var mustWait = false
    var lost: [ConnectionsUnderWay.Key] = []
    for (key, arrived) in current {
      let wait = waits[key, default: Wait(since: real, arrived: arrived)]
      waits[key] = wait
      guard !wait.isGivenUp else { continue }
      if real - wait.since < Self.patience {
        mustWait = true
      } else {
        waits[key]?.isGivenUp = true
        lost.append(key)
      }
    }
    return (mustWait, lost)
  }
}

/// Detects whether packets of the target are on their way through the kernel.
final class PacketWatch {
  private unowned let kernel: any TraceKernel
  private let namespaces: NetworkNamespaces
  private let packetBacklog = PacketBacklog()
  private let hasMockServer: Bool
  private var underWay = UnderWayAccount()
  private var delays = DelayedSends()

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - namespaces: the network namespaces of its threads.
  ///   - hasMockServer: whether threads other than the target's answer.
  init(kernel: any TraceKernel, namespaces: NetworkNamespaces, hasMockServer: Bool) {
    self.kernel = kernel
    self.namespaces = namespaces
    self.hasMockServer = hasMockServer
  }

  /// Threads have sent in a way by which packets, or news of them, come later than the call.
  func record(_ kinds: DelayedSends) { delays.formUnion(kinds) }

  /// Returns whether nothing that the tree or its mock server has sent is still on its way.
  ///
  /// Asked while all who could send sleep. Usually it is one read of a small file: where the machine has delivered
  /// no packet since nothing was under way, nothing is, but for what the kernel holds back because a sender wants
  /// it to.
  func isNothingUnderWay() -> Bool {
    // A thread that has always been alone has no peer to which a packet could be under way.
    guard hasMockServer || kernel.tree.hasHadSeveralThreads || !delays.isEmpty else { return true }
    let packets = packetBacklog.count()
    guard packets.waiting == 0 else {
      underWay.hadBacklog = true
      return false
    }
    if underWay.hadBacklog {
      // The last one has left its queue, and may be amid the kernel on another processor: membarrier(2) returns
      // once each processor has been through with what it was doing in softirqs.
      scenario_await_softirqs()
      underWay.hadBacklog = false
      return false
    }
    guard
      packets.delivered == nil || packets.delivered != underWay.quietAt
        || delays.contains(.ofBytes)
    else { return true }
    return areConnectionsQuiet(at: packets.delivered)
  }

  private func areConnectionsQuiet(at delivered: UInt64?) -> Bool {
    let list = underWay.list ?? ConnectionList()
    underWay.list = list
    underWay.quietAt = nil
    let elsewhere = namespaces.members().flatMap { namespace, thread in
      ConnectionList.read(in: namespace, of: thread)
    }
    let look = ConnectionsUnderWay(
      list.read(asksProgress: true) + elsewhere,
      reportsAcknowledgements: delays.contains(.ofAcknowledgements))
    if look.isQuiet {
      underWay.waits = [:]
      underWay.quietAt = delivered
      return true
    }
    // Who asks where nobody answers waits for virtual time.
    let findings = look.findings.filter { finding in
      finding.reason != .connecting
        || kernel.destinations?.isSilent(finding.connection.remote.internet) != true
    }
    guard !findings.isEmpty else { return true }
    let own = ownSockets()
    let ours = findings.filter { isOurs($0.connection, look.peer(of: $0.connection), own) }
    let arrived = Dictionary(ours.map { ($0.key, $0.arrived) }, uniquingKeysWith: max)
    let (mustWait, lost) = underWay.record(arrived, real: RunnerClock.now())
    for key in lost { reportLost(key) }
    return !mustWait
  }

  /// The inodes of the tree's sockets.
  private func ownSockets() -> Set<UInt64> {
    var inodes: Set<UInt64> = []
    for holder in kernel.processes.values.flatMap(\.descriptorHolders) {
      let folder = "/proc/\(holder.number)/fd"
      for name in SmallFile.names(in: folder) {
        guard let link = SmallFile.link("\(folder)/\(name)"),
          case .socket(let inode) = OpenDescriptor(link: link)
        else { continue }
        inodes.insert(inode)
      }
    }
    return inodes
  }

  /// Returns whether one of the two ends is the tree's, or the mock server's: a socket that no process
  /// has any more is known by its other end, or by the mock server's port.
  private func isOurs(
    _ connection: Connection, _ peer: Connection?, _ own: Set<UInt64>
  ) -> Bool {
    own.contains(connection.inode) || own.contains(peer?.inode ?? 0)
      || [connection.local.port, connection.remote.port].contains { port in
        kernel.destinations?.isDestination(port) ?? false
      }
  }

  private func reportLost(_ key: ConnectionsUnderWay.Key) {
    guard let process = kernel.processes.values.min(by: { $0.ordinal < $1.ordinal }) else { return }
    kernel.notice(
      "virtual time advanced although the kernel \(key.reason.text), from port \(key.local.port) to port"
        + " \(key.remote.port) of this machine: no byte has arrived for \(UnderWayAccount.patience) of real time",
      of: process)
  }
}
