internal import CSupervisor
internal import Foundations
internal import Glibc

/// The state of packets since connections were last read.
struct UnderWayAccount {
  /// The number of packets that the machine had delivered when nothing was under way; `nil` if
  /// anything may be.
  var quietAt: UInt64?
  /// Since when, in real time, each has been under way.
  var since: [ConnectionsUnderWay.Key: Nanoseconds] = [:]
  /// The findings that are no longer waited for.
  var givenUp: Set<ConnectionsUnderWay.Key> = []
  /// The list of connections; `nil` until it is read.
  var list: ConnectionList?
  /// True if packets had been put off, and one of them may be on its way through the kernel.
  var hadBacklog = false

  /// The real time for which virtual time waits for what the kernel holds back: longer than it puts
  /// off an acknowledgement, and than it takes to ask for a connection once more.
  static let patience = Nanoseconds.seconds(3)

  /// Records what is under way now; returns whether time must wait for it, and what it has waited
  /// for in vain.
  mutating func record(
    _ keys: some Collection<ConnectionsUnderWay.Key>, real: Nanoseconds
  ) -> (mustWait: Bool, lost: [ConnectionsUnderWay.Key]) {
    let current = Set(keys)
    givenUp.formIntersection(current)
    since = since.filter { current.contains($0.key) }
    var mustWait = false
    var lost: [ConnectionsUnderWay.Key] = []
    for key in current where !givenUp.contains(key) {
      if real - since[key, default: real] < Self.patience {
        since[key] = since[key] ?? real
        mustWait = true
      } else {
        givenUp.insert(key)
        lost.append(key)
      }
    }
    return (mustWait, lost)
  }
}

/// Detects whether packets of the target are on their way through the kernel.
final class PacketWatch {
  private unowned let kernel: any TraceKernel
  private let packetBacklog = PacketBacklog()
  private let hasMockServer: Bool
  private var underWay = UnderWayAccount()

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - hasMockServer: whether threads other than the target's answer.
  init(kernel: any TraceKernel, hasMockServer: Bool) {
    self.kernel = kernel
    self.hasMockServer = hasMockServer
  }

  /// Returns whether nothing that the tree or its mock server has sent is still on its way.
  ///
  /// Asked while all who could send sleep. Usually it is one read of a small file: where the machine has delivered
  /// no packet since nothing was under way, nothing is.
  func isNothingUnderWay() -> Bool {
    // A lone thread without a mock server has no peer to which a packet could be under way.
    guard hasMockServer || kernel.tracees.count > 1 else { return true }
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
    guard packets.delivered == nil || packets.delivered != underWay.quietAt else { return true }
    return areConnectionsQuiet(at: packets.delivered)
  }

  private func areConnectionsQuiet(at delivered: UInt64?) -> Bool {
    let list = underWay.list ?? ConnectionList()
    underWay.list = list
    underWay.quietAt = nil
    let look = ConnectionsUnderWay(list.read(asksProgress: true))
    if look.isQuiet {
      underWay.since = [:]
      underWay.givenUp = []
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
    let (mustWait, lost) = underWay.record(ours.map(\.key), real: RealClock.monotonic())
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
        + " \(key.remote.port) of this machine: the limit of \(UnderWayAccount.patience) of real time was over",
      of: process)
  }
}
