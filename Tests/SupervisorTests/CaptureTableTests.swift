import Glibc
import Testing

@testable import Supervisor

@Suite("What connections are led to")
struct CaptureTableTests {
  private func address(_ last: UInt8, _ port: UInt16) -> InternetAddress {
    InternetAddress(bytes: [192, 0, 2, last], port: port)
  }

  @Test("A port of the mock server tells what it stands for, each way of sending for itself")
  func ports() {
    var table = RedirectionTable()
    table.add(address(1, 80), port: 4000, transport: .stream)
    table.add(address(2, 53), port: 4000, transport: .datagram)
    let place = InternetAddress.loopback(port: 4000)

    #expect(table.original(of: place, transport: .stream) == address(1, 80))
    #expect(table.original(of: place, transport: .datagram) == address(2, 53))
    #expect(
      table.original(of: InternetAddress(bytes: place.wideBytes, port: 4000), transport: .stream)
        == address(1, 80))
    #expect(table.original(of: .loopback(port: 4001), transport: .stream) == nil)
    #expect(table.original(of: address(1, 4000), transport: .stream) == nil)
  }

  @Test("Addresses that lead nowhere are told apart, and come again as they were")
  func nowhere() {
    var table = RedirectionTable()
    let places = (0..<300).map { table.discard(address(UInt8($0 % 256), UInt16($0))) }

    #expect(Set(places).count == 300)
    #expect(places.allSatisfy { $0.isLoopback && $0.port == 9 })
    #expect(table.discard(address(7, 7)) == places[7])
    #expect(table.original(of: places[299], transport: .datagram) == address(43, 299))
    #expect(table.original(of: places[299], transport: .stream) == nil)
  }

  @Test("More addresses than are kept share the last place")
  func manyNowhere() {
    var table = RedirectionTable()
    var last = InternetAddress.loopback(port: 0)
    for number in 0..<70_000 {
      let bytes = [10, UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255)]
      last = table.discard(InternetAddress(bytes: bytes, port: 1))
    }

    #expect(last.bytes == [127, 128, 255, 255])
    #expect(table.original(of: last, transport: .datagram)?.bytes == [10, 0, 255, 255])
  }

  @Test("Files are replaced by their whole path, by its end, and through links, and no others are")
  func files() throws {
    let files = ReplacedFiles([
      FileReplacement(paths: ["/etc/hosts", "/proc/self/status"], replacement: "/a"),
      FileReplacement(paths: [], suffixes: ["/certifi/cacert.pem"], replacement: "/b"),
    ])

    #expect(files.replacement(of: "/etc/hosts") == 0)
    #expect(files.replacement(of: "/etc/../etc//hosts") == 0)
    #expect(files.replacement(of: "/x/certifi/cacert.pem") == 1)
    #expect(files.mayReplace("cacert.pem"))
    #expect(!files.mayReplace("/etc/hostname"))
    #expect(files.replacement(of: "/srv/cacert.pem") == nil)
    #expect(files.replacement(of: "/srv/etc/hosts") == nil)
    #expect(!ReplacedFiles([]).mayReplace("/etc/hosts"))
  }

  @Test("The filter refuses the sockets that the supervisor refuses, and shows what is reported")
  func sockets() {
    let program = FilterProgram(rules: [SystemCallNumber.socket: .refuseForeignSockets])
    let machine = FilterMachine(program: program.instructions)
    var refused = 0
    for domain: UInt32 in 0...46 {
      for type: UInt32 in [0, 1, 2, 3, 5, 10, 0x80801, 0x802, 0x80003] {
        for number: UInt32 in [0, 1, 6, 17, 33, 58, 132, 136, 255, 262] {
          let error = SocketCreation.refusal(domain: domain, type: type, protocolNumber: number)
          if error != nil { refused += 1 }
          let verdict = machine.run(
            SystemCallNumber.socket, [UInt64(domain), UInt64(type), UInt64(number)])
          let expected: FilterMachine.Verdict =
            switch error {
            case nil: .allow
            case EPERM?: .trace
            case let number?: .fail(UInt32(number))
            }
          #expect(verdict == expected)
        }
      }
    }
    #expect(refused > 3_000 && refused < 4_000)
  }

  @Test("Options that lead packets elsewhere are answered, and others go by the rule behind")
  func pathOptions() {
    let rule = FilterRule.answerPathOptions(otherwise: .traceIfAmong(SocketTimeout.options))
    let machine = FilterMachine(program: FilterProgram(rules: [54: rule]).instructions)
    func run(_ level: UInt64, _ name: UInt64) -> FilterMachine.Verdict {
      machine.run(54, [3, level, name])
    }

    for (level, name): (UInt64, UInt64) in [(0, 35), (0, 46), (41, 20), (41, 42)] {
      #expect(run(level, name) == .fail(UInt32(ENODEV)))
    }
    for (level, name): (UInt64, UInt64) in [(0, 4), (41, 57)] {
      #expect(run(level, name) == .fail(UInt32(EPERM)))
    }
    for (level, name): (UInt64, UInt64) in [(1, 25), (1, 62), (0, 50), (41, 76)] {
      #expect(run(level, name) == .fail(0))
    }
    for (level, name): (UInt64, UInt64) in [(0, 20), (0, 25), (41, 35), (6, 42), (6, 25)] {
      #expect(run(level, name) == .allow)
    }
    #expect(run(1, 20) == .trace)
    for answer in PathOptions.answers {
      let level = UInt32(bitPattern: answer.level)
      #expect(
        run(UInt64(level), UInt64(answer.option)) == .fail(UInt32(answer.error)))
      #expect(PathOptions.answer(level: level, option: answer.option) == answer.error)
    }
    #expect(PathOptions.answer(level: 6, option: 25) == nil)
  }

  @Test("Daemons that look names up are known by their sockets")
  func daemons() {
    for path in [
      "/var/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve",
      "/run/avahi-daemon/socket",
    ] {
      #expect(NameDaemons.answer(at: path))
    }
    #expect(!NameDaemons.answer(at: "/run/postgresql/.s.PGSQL.5432"))
    #expect(!NameDaemons.answer(at: "/run/systemd/journal/socket"))
  }
}
