/// The place among the hosts of an address of this machine.
package struct HostPlace: Sendable, Hashable {
  /// The host's number, from 0.
  package var host: Int
  /// The address of the host's socket.
  package var own: LoopbackEnd
  /// The address at which the relay serves it.
  package var relay: LoopbackEnd
  /// The port that targets see.
  package var port: UInt16

  /// Creates a place.
  package init(host: Int, own: LoopbackEnd, relay: LoopbackEnd, port: UInt16) {
    self.host = host
    self.port = port
    self.own = own
    self.relay = relay
  }
}
