import Foundations
import Testing

@testable import Supervisor

@Suite("GDB's remote serial protocol")
struct RemotePacketTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("A packet has its checksum, and escapes what frames it")
  func frames() {
    #expect(RemotePacket.frame(bytes("OK")) == bytes("$OK#9a"))
    #expect(RemotePacket.frame([]) == bytes("$#00"))
    #expect(
      RemotePacket.frame(bytes("a#}")) == bytes("$a}\u{3}}]#")
        + RemotePacket.hexadecimal([0x61 &+ 0x7d &+ 3 &+ 0x7d &+ 0x5d]))
  }

  @Test(
    "What was framed is read again, whatever it is and in whatever pieces it comes",
    arguments: 0..<50)
  func roundTrip(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let contents = (0..<5).map { _ in
      (0..<random.next(in: 0...40)).map { _ in UInt8(random.next(in: 0...255)) }
    }
    let stream = contents.flatMap { RemotePacket.frame($0) + bytes("+") }
    var reader = RemotePacketReader()
    var inputs: [RemotePacket.Input] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let count = Int(random.next(in: 1...7))
      inputs += reader.take(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(inputs == contents.map { RemotePacket.Input.packet($0) })
  }

  @Test("A wrong checksum and a packet that never ends are garbled, and what follows is read")
  func garbled() {
    var reader = RemotePacketReader()
    #expect(reader.take(bytes("$OK#9b$OK#zz$OK#9a")) == [.garbled, .garbled, .packet(bytes("OK"))])
    #expect(reader.take(bytes("$a}#de")) == [.garbled])
    let endless = [UInt8](repeating: 65, count: 3 * RemotePacketReader.limit)
    #expect(reader.take(bytes("$") + endless) == [.garbled])
    #expect(reader.take([3] + bytes("$?#3f")) == [.interrupt, .packet(bytes("?"))])
  }
}

@Suite("A session of a debugger")
struct DebugSessionTests {
  private final class FakeTarget: DebugTarget {
    let process: Int32 = 16
    var threads: [Int32] = [16, 17]
    let program = "/bin/true"
    let auxiliaryVector = [UInt8](repeating: 7, count: 5)
    var written: [UInt8] = []
    var stepped: [Int32?] = []
    var stop: DebugStop?
    var isDetached = false

    func registers(of thread: Int32) -> [UInt8]? {
      threads.contains(thread) ? [1, UInt8(thread)] : nil
    }
    func setRegisters(_ bytes: [UInt8], of thread: Int32) -> Bool { bytes.count == 2 }
    func read(_ count: Int, at address: UInt64) -> [UInt8] {
      address == 0x1000 ? Array([0xde, 0xad, 0xbe][..<min(count, 3)]) : []
    }
    func write(_ bytes: [UInt8], at address: UInt64) -> Bool {
      written = bytes
      return address == 0x1000
    }
    func resume(stepping thread: Int32?) { stepped.append(thread) }
    func interrupt() { stop = .signal(2, thread: 16) }
    func stopReason() -> DebugStop? { stop }
    func detach() { isDetached = true }
  }

  private func ask(_ session: inout DebugSession, _ text: String) -> String? {
    session.answer(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("It tells why the process stands, its threads, registers and memory")
  func questions() {
    let target = FakeTarget()
    var session = DebugSession(target)

    #expect(ask(&session, "?") == "T05thread:10;")
    #expect(ask(&session, "qfThreadInfo") == "m10,11")
    #expect(ask(&session, "qsThreadInfo") == "l")
    #expect(ask(&session, "g") == "0110")
    #expect(ask(&session, "Hg11") == "OK")
    #expect(ask(&session, "g") == "0111")
    #expect(ask(&session, "Hg12") == "E01")
    #expect(ask(&session, "T11") == "OK")
    #expect(ask(&session, "T12") == "E01")
    #expect(ask(&session, "m1000,8") == "deadbe")
    #expect(ask(&session, "m2000,8") == "E01")
    #expect(ask(&session, "M1000,2:0aff") == "OK")
    #expect(target.written == [10, 255])
    #expect(session.answer(Array("X1000,1:".utf8) + [0xcc]) == Array("OK".utf8))
    #expect(target.written == [0xcc])
    #expect(ask(&session, "M2000,1:00") == "E01")
    #expect(ask(&session, "qXfer:exec-file:read:10:0,5") == "m/bin/")
    #expect(ask(&session, "qXfer:exec-file:read:10:5,20") == "ltrue")
    #expect(ask(&session, "Z0,1000,1") == "")
    #expect(ask(&session, "qSupported:multiprocess+")?.contains("PacketSize=4000") == true)
  }

  @Test(
    "Packets that make no sense are errors, and none is a crash",
    arguments: [
      "m", "m,", "mzz,1", "m1000", "M1000,2", "M1000,2:0", "X", "H", "Hg", "Hgzz", "G0", "Gzz",
      "T", "qXfer:auxv:read::", "qXfer:auxv:read::zz,1", "qXfer:auxv:read::-1,1", "m1000,-1", "D;1",
      "vCont;",
    ])
  func mistakes(_ text: String) {
    let target = FakeTarget()
    var session = DebugSession(target)
    let answer = ask(&session, text)
    #expect(answer != "" || text == "vCont;")
    #expect(target.written.isEmpty)
  }

  @Test("It goes on, steps, is interrupted, and hears why the process stands again")
  func running() {
    let target = FakeTarget()
    var session = DebugSession(target)

    #expect(ask(&session, "vCont;c") == nil)
    #expect(target.stepped == [nil])
    #expect(session.isRunning)
    #expect(session.report() == nil)
    session.interrupt()
    #expect(session.report().map { String(decoding: $0, as: UTF8.self) } == "T02thread:10;")
    #expect(!session.isRunning)

    target.stop = nil
    #expect(ask(&session, "vCont;s:11;c") == nil)
    #expect(target.stepped.last == 17)
    target.stop = .exited(3)
    #expect(session.report().map { String(decoding: $0, as: UTF8.self) } == "W03")
    #expect(ask(&session, "D") == "OK")
    #expect(target.isDetached && session.isOver)
  }
}
