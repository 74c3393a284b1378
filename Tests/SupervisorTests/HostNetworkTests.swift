import Testing

@testable import Supervisor

@Suite("The addresses of a case's hosts")
struct HostNetworkTests {
  private typealias Place = HostNetwork.Place

  private let network = HostNetwork(
    block: LoopbackBlock(number: 777), addresses: [[198, 18, 0, 1], [10, 0, 0, 7]],
    outside: [198, 18, 0, 3], hostsOfTargets: [nil, 0, 1])

  private func real(
    _ host: Int, _ interface: HostNetwork.Interface, _ port: UInt16
  ) -> InternetAddress { network.real(of: Place(host: host, interface: interface, port: port)) }

  @Test("From an address of this machine follows where a socket is, in every form")
  func places() {
    var seen: Set<InternetAddress> = []
    for host in 0...1 {
      for interface in HostNetwork.Interface.allCases {
        for port: UInt16 in [1, 53, 1_023, 1_024, 2_380, 31_745, 32_768, 65_535] {
          for form in HostNetwork.PortForm.all(for: port) {
            let place = Place(host: host, interface: interface, port: port, form: form)
            let real = network.real(of: place)
            #expect(network.place(at: real) == place)
            #expect(real.isLoopback && real.bytes[1] >= 64 && real.bytes[1] < 128)
            #expect(seen.insert(real).inserted)
          }
        }
      }
    }
    let wide = InternetAddress(bytes: real(1, .own, 80).wideBytes, port: 80)
    #expect(network.place(at: wide) == Place(host: 1, interface: .own, port: 80))
  }

  @Test("Other addresses are no host's, and another case's block is none of this one's")
  func others() {
    #expect(network.place(at: .loopback(port: 80)) == nil)
    #expect(network.place(at: network.spare(port: 80)) == nil)
    let other = HostNetwork(
      block: LoopbackBlock(number: 778), addresses: network.addresses, outside: network.outside,
      hostsOfTargets: [])
    for interface in HostNetwork.Interface.allCases {
      #expect(other.place(at: real(0, interface, 80)) == nil)
    }
    // A host that is not there.
    #expect(
      network.place(at: network.real(of: Place(host: 2, interface: .own, port: 80))) == nil)
  }

  @Test("A port that is had by another one is told again, and no two are had by one")
  func forms() {
    for form in [HostNetwork.PortForm.low, .moved] {
      let all: ClosedRange<UInt16> = form == .low ? 1...1_023 : 1_024...65_535
      var taken: Set<UInt16> = []
      for port in all {
        let real = form.real(port)
        #expect(real >= 1_024 && real != port && form.seen(real) == port)
        taken.insert(real)
      }
      #expect(taken.count == all.count)
    }
  }

  @Test("Others see a host's own address, and the host itself the one that was meant")
  func seen() {
    let own = InternetAddress(bytes: [198, 18, 0, 1], port: 2_380)
    #expect(network.seen(real(0, .own, 2_380), from: nil) == own)
    #expect(network.seen(real(0, .own, 2_380), from: real(1, .own, 9)) == own)
    #expect(network.seen(real(0, .loopback, 2_380), from: real(1, .own, 9)) == own)
    #expect(
      network.seen(real(0, .own, 80), from: real(0, .loopback, 9)) == .loopback(port: 80))
    #expect(network.seen(real(0, .loopback, 80), from: real(0, .own, 9)) == .loopback(port: 80))
    #expect(
      network.seen(real(0, .own, 80), from: real(0, .wideLoopback, 9))?.text == "0:0:0:0:0:0:0:1")
    // The address is left from when the socket led elsewhere.
    #expect(
      network.seen(real(0, .wideLoopback, 80), from: real(0, .loopback, 9)) == .loopback(port: 80))
    #expect(network.seen(.loopback(port: 80), from: real(0, .own, 9)) == nil)
  }

  @Test("A block in which a connection still has a port is known from the kernel's tables")
  func usedBlocks() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue
         0: 0100407F:1F90 00000000:0000 0A 00000000:00000000
         1: 0510417F:1F90 0100407F:1F91 06 00000000:00000000
         2: 0100007F:0016 00000000:0000 0A 00000000:00000000
         3: 0100807F:0016 00000000:0000 0A 00000000:00000000
      """
    let wide =
      "   0: 0000000000000000FFFF0000FFFF7F7F:1F90 0000000000000000FFFF00000100007F:1F91 06"
    #expect(LoopbackBlock.usedBlocks(in: [Array(table.utf8)]) == [0, 17])
    #expect(LoopbackBlock.usedBlocks(in: [Array(wide.utf8), []]) == [1_023])
  }

  @Test("Two cases have two blocks, and one that is let go is free again")
  func blocks() throws {
    let first = try #require(try LoopbackBlock.take())
    var second = try LoopbackBlock.take()
    let number = try #require(second?.number)
    #expect(first.number != number)
    second = nil
    let third = try #require(try LoopbackBlock.take())
    #expect(third.number == number)
  }
}

@Suite("The bound ports of hosts")
struct HostPortsTests {
  private typealias Place = HostNetwork.Place

  private func binding(
    _ interface: HostNetwork.Interface, _ scope: HostPorts.Scope, host: Int = 0,
    port: UInt16 = 2_380
  ) -> HostPorts.Binding {
    HostPorts.Binding(place: Place(host: host, interface: interface, port: port), scope: scope)
  }

  @Test(
    "What is bound for all addresses stands in the way of what is for one, and the reverse",
    arguments: [
      (
        HostNetwork.Interface.own, HostPorts.Scope.any, HostNetwork.Interface.loopback,
        HostPorts.Scope.one, true
      ),
      (.loopback, .one, .own, .any, true), (.own, .one, .loopback, .one, false),
      (.own, .any, .wideLoopback, .one, false), (.own, .both, .wideLoopback, .one, true),
      (.own, .any, .wideLoopback, .wide, false), (.own, .both, .wideLoopback, .wide, true),
      (.wideLoopback, .wide, .own, .any, false),
    ])
  func rivals(
    old: HostNetwork.Interface, _ oldScope: HostPorts.Scope, new: HostNetwork.Interface,
    _ newScope: HostPorts.Scope, areRivals: Bool
  ) {
    var ports = HostPorts()
    ports.add(binding(old, oldScope), .stream)
    #expect(ports.rivals(of: binding(new, newScope), .stream).isEmpty != areRivals)
    #expect(ports.rivals(of: binding(new, newScope), .datagram).isEmpty)
    #expect(ports.rivals(of: binding(new, newScope, host: 1), .stream).isEmpty)
    #expect(ports.rivals(of: binding(new, newScope, port: 81), .stream).isEmpty)
  }

  @Test("Who is bound for an address receives before who is bound for all")
  func receivers() {
    var ports = HostPorts()
    ports.add(binding(.own, .both), .stream)
    ports.add(binding(.loopback, .one), .stream)
    func receivers(_ interface: HostNetwork.Interface) -> [HostPorts.Scope] {
      ports.receivers(host: 0, interface, port: 2_380, .stream).map(\.scope)
    }
    #expect(receivers(.loopback) == [.one, .both])
    #expect(receivers(.own) == [.both] && receivers(.wideLoopback) == [.both])
    ports.remove(binding(.loopback, .one), .stream)
    #expect(receivers(.loopback) == [.both])
    ports.add(binding(.own, .one), .stream)
    #expect(receivers(.loopback).isEmpty && receivers(.own) == [.one])
    #expect(ports.scope(at: binding(.own, .one).place, .stream) == .one)
  }
}
