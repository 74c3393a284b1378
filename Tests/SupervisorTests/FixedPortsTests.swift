import Testing

@testable import Supervisor

@Suite("The fixed ports that cases of a run have")
struct FixedPortsTests {
  private let all = FixedPorts()
  private let port = FixedPorts.Port(transport: .stream, number: 8_080)
  private let loopback = InternetAddress.loopback(port: 8_080)
  private let everywhere = InternetAddress(bytes: [0, 0, 0, 0], port: 8_080)
  private let everywhereWide = InternetAddress(bytes: [UInt8](repeating: 0, count: 16), port: 8_080)

  @Test("A port is one case's until its end, at each of its addresses, and for one transport")
  func claims() {
    let first = all.enter()
    let second = all.enter()

    #expect(first.claim(loopback, .stream))
    #expect(first.claim(.wideLoopback(port: 8_080), .stream))
    #expect(!second.claim(loopback, .stream))
    #expect(!second.claim(everywhereWide, .stream))
    #expect(second.claim(loopback, .datagram))
    #expect(second.claim(.loopback(port: 8_081), .stream))
    #expect(first.holds(port) && !second.holds(port))
    #expect(second.isOthers(port: 8_080) && !second.isOthers(port: 8_081))

    first.end()
    #expect(second.claim(loopback, .stream))
  }

  @Test("A port that could not be bound is nobody's")
  func abandons() {
    let first = all.enter()
    let second = all.enter()
    _ = first.claim(loopback, .stream)
    first.abandon(port)
    #expect(!second.hasOthers)
    #expect(second.claim(loopback, .stream))
  }

  @Test("What one case receives at its addresses, another one does not")
  func receivers() {
    let first = all.enter()
    let second = all.enter()

    _ = first.claim(loopback, .stream)
    #expect(second.leadsToOthers(loopback, .stream) && !first.leadsToOthers(loopback, .stream))
    #expect(!second.leadsToOthers(loopback, .datagram))
    #expect(!second.leadsToOthers(.wideLoopback(port: 8_080), .stream))
    #expect(
      !second.leadsToOthers(InternetAddress(bytes: [10, 0, 0, 1], port: 8_080), .stream))

    _ = first.claim(everywhere, .stream)
    #expect(second.leadsToOthers(InternetAddress(bytes: [10, 0, 0, 1], port: 8_080), .stream))
    #expect(!second.leadsToOthers(.wideLoopback(port: 8_080), .stream))

    _ = first.claim(everywhereWide, .stream)
    #expect(second.leadsToOthers(.wideLoopback(port: 8_080), .stream))
  }

  @Test("A port that is a case's own is no other case's on this machine")
  func moves() {
    let first = all.enter()
    let second = all.enter()
    first.recordMove(of: port)
    #expect(!second.claim(loopback, .stream))
    #expect(!second.leadsToOthers(loopback, .stream))
  }

  @Test("Targets reach no port of others where loopback is answered, and none where it is closed")
  func reach() {
    let first = all.enter()
    let second = all.enter()
    _ = first.claim(loopback, .stream)
    let moved: Set = [FixedPorts.Port(transport: .datagram, number: 53)]
    for (reach, others, own) in [
      (LoopbackReach.all, true, true), (.own, false, true), (.none, false, false),
    ] {
      let demand = PortDemand(ports: second, reach: reach, moved: moved)
      #expect(demand.mayLead(8_080) == others)
      #expect(demand.leadsToOthers(loopback, .stream) == others)
      #expect(demand.mayLead(53) == own)
    }
  }

  @Test("Sockets of a port are found in the kernel's table")
  func table() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0
         1: 0100007F:1F90 0100007F:9C40 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0
         2: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0
      """
    #expect(PortHolders.inodes(in: table, atPort: 8_080) == [111, 0])
    #expect(PortHolders.inodes(in: table, atPort: 40_000) == [222])
  }
}
