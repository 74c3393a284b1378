import Testing

@testable import Supervisor

@Suite("The fixed ports that cases of a run have")
struct FixedPortsTests {
  private let all = FixedPorts()
  private let port = FixedPorts.Port(transport: .stream, number: 8_080)
  private let loopback = InternetAddress.loopback(port: 8_080)
  private let wideLoopback = InternetAddress.wideLoopback(port: 8_080)
  private let elsewhere = InternetAddress(bytes: [10, 0, 0, 1], port: 8_080)
  private let here = BoundAddress(.loopback(port: 0))
  private let wideHere = BoundAddress(.wideLoopback(port: 0))
  private let everywhere = BoundAddress(InternetAddress(bytes: [0, 0, 0, 0], port: 0))
  private let allZero = InternetAddress(bytes: [UInt8](repeating: 0, count: 16), port: 0)

  /// Binds a port as far as cases go.
  private func bind(_ ports: CasePorts, _ address: BoundAddress) -> Bool {
    guard ports.claim(address, port) else { return false }
    ports.settle(address, port, isBound: true)
    return true
  }

  @Test("A port is one case's until its end, at each of its addresses, and for one transport")
  func claims() {
    let first = all.enter()
    let second = all.enter()

    #expect(bind(first, here) && bind(first, wideHere))
    #expect(!bind(second, here) && !bind(second, BoundAddress(allZero)))
    #expect(second.claim(here, FixedPorts.Port(transport: .datagram, number: 8_080)))
    #expect(second.claim(here, FixedPorts.Port(transport: .stream, number: 8_081)))
    #expect(first.holds(port, meeting: here) && !second.holds(port, meeting: here))
    #expect(second.isOthers(port: 8_080) && !second.isOthers(port: 8_081))

    first.end()
    #expect(bind(second, here) && second.isFormer(port))
  }

  @Test("A port that could not be bound is nobody's, unless another call binds it or has bound it")
  func failures() {
    let first = all.enter()
    let second = all.enter()
    _ = first.claim(here, port)
    _ = first.claim(here, port)
    first.settle(here, port, isBound: false)
    #expect(!bind(second, here))
    first.settle(here, port, isBound: true)
    _ = first.claim(wideHere, port)
    first.settle(wideHere, port, isBound: false)
    #expect(!bind(second, here) && !first.holds(port, meeting: wideHere))

    let third = FixedPorts.Port(transport: .stream, number: 8_082)
    _ = first.claim(here, third)
    first.settle(here, third, isBound: false)
    #expect(second.claim(here, third) && !second.isFormer(third))
  }

  @Test("What one case receives at its addresses, another one does not")
  func receivers() {
    let first = all.enter()
    let second = all.enter()

    _ = bind(first, here)
    #expect(second.leadsToOthers(loopback, .stream) && !first.leadsToOthers(loopback, .stream))
    #expect(!second.leadsToOthers(loopback, .datagram))
    #expect(!second.leadsToOthers(wideLoopback, .stream))
    #expect(!second.leadsToOthers(elsewhere, .stream))

    _ = bind(first, everywhere)
    #expect(second.leadsToOthers(elsewhere, .stream))
    _ = bind(first, BoundAddress(allZero, isOnlyWide: true))
    #expect(second.leadsToOthers(wideLoopback, .stream))
  }

  @Test("A socket for all of IPv6 alone receives nothing of IPv4")
  func onlyWide() {
    let first = all.enter()
    let second = all.enter()
    _ = bind(first, BoundAddress(allZero, isOnlyWide: true))
    #expect(second.leadsToOthers(wideLoopback, .stream))
    #expect(!second.leadsToOthers(loopback, .stream))
    let third = all.enter()
    first.end()
    _ = bind(second, BoundAddress(allZero))
    #expect(third.leadsToOthers(loopback, .stream))
  }

  @Test("A port that is a case's own is no other case's on this machine, and stays there elsewhere")
  func moves() {
    let first = all.enter()
    let second = all.enter()
    _ = bind(first, here)
    first.recordMove(of: port, from: wideHere)
    #expect(second.leadsToOthers(loopback, .stream))
    first.recordMove(of: port, from: here)
    #expect(!bind(second, here))
    #expect(!second.leadsToOthers(loopback, .stream))
  }

  @Test("The case that has a port on this machine binds it again, also after others were moved")
  func kept() {
    let first = all.enter()
    let second = all.enter()
    _ = bind(first, here)
    #expect(!bind(second, here))
    second.recordMove(of: port, from: here)
    #expect(bind(first, wideHere))
    #expect(!bind(second, here))
  }

  @Test("Targets reach no port of others where loopback is answered, and none where it is closed")
  func reach() {
    let first = all.enter()
    let second = all.enter()
    _ = bind(first, here)
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

  private func line(_ local: String, _ state: String, inode: Int) -> String {
    " 0: \(local):1F90 00000000:0000 \(state) 0:0 00:00000000 00000000 0 0 \(inode) 1 0"
  }

  @Test("A port is kept by connections that nobody has, where nobody listens")
  func keptPorts() {
    let holders = PortHolders(port: port, address: here)
    let kept = line("0100007F", "06", inode: 0)
    let listens = line("0100007F", "0A", inode: 111)
    let listensEverywhere = line("00000000", "0A", inode: 222)
    func table(_ lines: String...) -> [Connection] {
      lines.compactMap { Connection(line: $0[...]) }
    }
    #expect(holders.isKept(in: table(kept)))
    #expect(!holders.isKept(in: table(kept, listens)))
    #expect(!holders.isKept(in: table(listens)))
    #expect(!PortHolders(port: port, address: wideHere).isKept(in: table(kept)))

    let both = table(listensEverywhere, listens)
    #expect(OutsideReceivers.receivers(of: loopback, .stream, in: both) == [111])
    #expect(OutsideReceivers.receivers(of: elsewhere, .stream, in: both) == [222])
    #expect(OutsideReceivers.receivers(of: wideLoopback, .stream, in: both).isEmpty)
  }
}
