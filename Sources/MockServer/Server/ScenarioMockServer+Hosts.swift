package import FaultEngine
internal import NIOCore

/// The links between hosts.
extension ScenarioMockServer {
  /// Decides about a connection from one host to another.
  package func openHostConnection(_ connection: HostConnection) -> HostOpening {
    let opening = eventLoop.submit { [eventLoop, services] in
      services.value.relay?.open(connection) ?? eventLoop.loop.makeSucceededFuture(.refused)
    }
    return (try? opening?.wait()) ?? .refused
  }

  /// The client of a connection that was to come has not come.
  package func abandonHostConnection(of client: LoopbackEnd) {
    eventLoop.execute { [services] in services.value.relay?.abandon(client) }
  }

  /// Replaces the options by which the kernel gives up a connection between hosts, at one of its ends.
  package func setTimeouts(_ timeouts: TCPTimeouts, of end: LoopbackEnd, to other: LoopbackEnd?) {
    change { $0.setTimeouts(timeouts, of: end, to: other) }
  }

  /// Opens the place at which datagrams for a port of a host arrive; returns whether it is open.
  package func openDatagrams(at end: LoopbackEnd) -> Bool {
    let opening = eventLoop.submit { [eventLoop, services] in
      services.value.relay?.datagrams.open(at: end).map { _ in true }
        ?? eventLoop.loop.makeSucceededFuture(false)
    }
    return (try? opening?.wait()) ?? false
  }

  /// Cuts hosts off from each other.
  package func cut(_ partition: HostPartition) {
    change { $0.cut(partition) }
  }

  /// Mends the partitions of a name, or all.
  package func heal(_ name: String?) {
    change { $0.heal(name) }
  }

  private func change(_ body: @escaping @Sendable (HostRelay) -> Void) {
    let change = eventLoop.submit { [eventLoop, services] in
      if let relay = services.value.relay { body(relay) }
      return eventLoop.loop.makeSucceededVoidFuture()
    }
    try? change?.wait()
  }
}
