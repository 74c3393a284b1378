/// What is known of an address of this machine that is a host's.
package struct HostPlace: Sendable, Hashable {
  /// The host's number, from 0.
  package var host: Int
  /// Where a socket of the host's is.
  package var own: LoopbackEnd
  /// Where the relay is in its place.
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
