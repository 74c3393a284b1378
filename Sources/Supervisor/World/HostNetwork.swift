/// The hosts of a case: machines of its world on which targets run, each with an address and ports of its own.
///
/// Each has a few addresses of this machine's loopback network, which targets never see. The real address of a socket holds
/// its host's number, which of the host's addresses it has, and its port: all of these are computed from it.
package struct HostNetwork: Sendable {
  /// Which of a host's addresses a socket has.
  enum Interface: Int, CaseIterable {
    /// The one by which others reach it.
    case own
    /// 127.0.0.0/8.
    case loopback
    /// ::1.
    case wideLoopback
    /// None: the relay is there in place of the host, for others.
    case relayed
    /// None: no socket serves the host's address yet.
    case silent
  }

  /// By which port of this machine a host's port is had: the same one, unless that cannot be had.
  enum PortForm: Int, CaseIterable {
    case same
    /// Ports below 1024, which need a privilege.
    case low
    /// All others, if another process on this machine has the port at every address.
    case moved
  }

  /// Where a socket is.
  struct Place: Hashable {
    /// The host's number, from 0.
    var host: Int
    var interface: Interface
    /// The port that targets see.
    var port: UInt16
    var form = PortForm.same
  }

  private let block: LoopbackBlock
  /// The hosts' addresses as targets see them, by host number.
  let addresses: [[UInt8]]
  /// The address of processes that are on no host, as targets see it.
  let outside: [UInt8]
  private let hostsOfTargets: [Int?]

  /// Creates the hosts of a case.
  ///
  /// - Parameters:
  ///   - block: the addresses of this machine that are the case's.
  ///   - addresses: the hosts' addresses as targets see them: four bytes each, in network order.
  ///   - outside: the address, as targets see it, of processes that are on no host.
  ///   - hostsOfTargets: the number of the host that each target is on, by the targets' numbers.
  package init(
    block: LoopbackBlock, addresses: [[UInt8]], outside: [UInt8], hostsOfTargets: [Int?]
  ) {
    self.block = block
    self.addresses = addresses
    self.outside = outside
    self.hostsOfTargets = hostsOfTargets
  }

  /// Returns the address at which processes on no host reach a host.
  package func entrance(ofHost host: Int) -> String {
    real(of: Place(host: host, interface: .own, port: 0)).text
  }

  /// The number of the host on which a target is; `nil` if it is on none.
  func host(ofTarget index: Int) -> Int? {
    hostsOfTargets.indices.contains(index) ? hostsOfTargets[index] : nil
  }

  /// The number of the host that has an address in the world; `nil` if none does.
  func host(at address: InternetAddress) -> Int? {
    addresses.firstIndex(of: address.unmapped.bytes)
  }

  // MARK: - Addresses of this machine

  /// An address of the case's at which no host is.
  func spare(port: UInt16) -> InternetAddress { address(row: 15, number: 0, port: port) }

  /// The address of this machine at which a socket is.
  func real(of place: Place) -> InternetAddress {
    address(
      row: place.form.rawValue * Interface.allCases.count + place.interface.rawValue,
      number: UInt8(truncatingIfNeeded: place.host + 1), port: place.form.real(place.port))
  }

  /// Where a socket is that has an address of this machine; `nil` if that is no host's.
  func place(at real: InternetAddress) -> Place? {
    let bytes = real.unmapped.bytes
    guard bytes.count == 4, bytes[0] == 127, bytes[1] == 64 | UInt8(block.number >> 4),
      Int(bytes[2] >> 4) == block.number & 15, bytes[3] > 0, Int(bytes[3]) <= addresses.count
    else { return nil }
    let row = Int(bytes[2] & 15)
    guard let form = PortForm(rawValue: row / Interface.allCases.count),
      let interface = Interface(rawValue: row % Interface.allCases.count)
    else { return nil }
    return Place(
      host: Int(bytes[3]) - 1, interface: interface, port: form.seen(real.port), form: form)
  }

  private func address(row: Int, number: UInt8, port: UInt16) -> InternetAddress {
    InternetAddress(
      bytes: [
        127, 64 | UInt8(block.number >> 4), UInt8((block.number & 15) << 4 | row), number,
      ], port: port)
  }

  // MARK: - Addresses of the world

  /// Translates an address of this machine to the one that targets see at a socket; `nil` if it is not a host's.
  ///
  /// - Parameter other: the address of the other one of the socket's two ends, as the kernel has it.
  func seen(_ real: InternetAddress, from other: InternetAddress?) -> InternetAddress? {
    guard let place = place(at: real) else { return nil }
    let otherPlace = other.flatMap { self.place(at: $0) }
    var interface = place.interface.isRelays ? .own : place.interface
    if let otherPlace {
      if otherPlace.host != place.host {
        interface = .own
      } else if otherPlace.interface != .own, !otherPlace.interface.isRelays {
        interface = otherPlace.interface
      }
    }
    return address(of: place.host, interface, port: place.port)
  }

  /// A host's address as it sees it itself.
  func address(of host: Int, _ interface: Interface, port: UInt16) -> InternetAddress {
    switch interface {
    case .own, .relayed, .silent: InternetAddress(bytes: addresses[host], port: port)
    case .loopback: .loopback(port: port)
    case .wideLoopback: .wideLoopback(port: port)
    }
  }
}

extension HostNetwork.Interface {
  /// True if the relay between hosts is there.
  var isRelays: Bool { self == .relayed || self == .silent }
}

extension HostNetwork.PortForm {
  /// The lowest port that needs no privilege (ip(7)).
  static let firstFree: UInt16 = 1_024
  /// Where low ports lie: right below those that the kernel gives out (ip(7), ip_local_port_range).
  private static let lowStart: UInt16 = 31_744
  /// By how much others are moved, round the end.
  private static let distance = 29_501
  private static let freeCount = 65_536 - Int(firstFree)

  /// The forms that a port can have, in the order in which they are tried.
  static func all(for port: UInt16) -> [Self] {
    port < firstFree ? [.same, .low] : [.same, .moved]
  }

  /// The port of this machine.
  func real(_ port: UInt16) -> UInt16 {
    switch self {
    case .low where port > 0 && port < Self.firstFree: port + Self.lowStart
    case .moved where port >= Self.firstFree: Self.turned(port, by: Self.distance)
    default: port
    }
  }

  /// The port that targets see.
  func seen(_ port: UInt16) -> UInt16 {
    switch self {
    case .low where port > Self.lowStart && port - Self.lowStart < Self.firstFree:
      port - Self.lowStart
    case .moved where port >= Self.firstFree:
      Self.turned(port, by: Self.freeCount - Self.distance)
    default: port
    }
  }

  private static func turned(_ port: UInt16, by distance: Int) -> UInt16 {
    firstFree + UInt16((Int(port - firstFree) + distance) % freeCount)
  }
}
