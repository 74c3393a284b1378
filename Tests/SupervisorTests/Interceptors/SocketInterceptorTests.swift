import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls on sockets and terminals that are about time")
struct SocketInterceptorTests {
  private let kernel = FakeKernel()
  private let target: FakeTarget
  private let sockets: SocketTimeouts
  private let level = UInt64(SOL_SOCKET)

  init() {
    target = FakeTarget(kernel)
    sockets = SocketTimeouts(kernel: kernel, isVirtual: true)
  }

  // MARK: - SocketOptionCalls

  private func options(isVirtual: Bool = true) -> SocketOptionCalls {
    SocketOptionCalls(
      sockets: sockets,
      times: ConnectionTimesReporter(kernel: kernel, time: kernel, isVirtual: isVirtual),
      isVirtual: isVirtual)
  }

  @Test(
    "Timeouts of sockets are seen where time is other than the machine's, and other options are not"
  )
  func optionRules() {
    let receive = UInt64(SocketTimeout.receive)

    #expect(options().sees(SystemCallNumber.setsockopt, 3, level, receive))
    #expect(options().sees(SystemCallNumber.getsockopt, 3, level, receive))
    #expect(!options().sees(SystemCallNumber.setsockopt, 3, level, UInt64(SO_REUSEADDR)))
    #expect(options(isVirtual: false).filterRules.isEmpty)
    let other = target.call(SystemCallNumber.setsockopt, 3, level, UInt64(SO_REUSEADDR))
    #expect(options().enter(other).isProceed)
    #expect(
      options().enter(target.call(SystemCallNumber.getsockopt, 3, level, UInt64(SO_TYPE)))
        .isProceed)
  }

  @Test("The kernel gets an eternity in place of a socket's timeout, and the target sees its own")
  func timeouts() throws {
    try target.mapImage()
    let pair = try LoopbackPair()
    let place = target.place(TimeValue(seconds: 3, fraction: 5))
    let set = target.call(
      SystemCallNumber.setsockopt, UInt64(pair.client), level, UInt64(SocketTimeout.receive), place,
      16)

    #expect(options().enter(set).isTaken)
    #expect(sockets.areInUse)
    let changed = try #require(kernel.replaced.first)
    let marker = target.read(TimeValue.self, at: changed[argument: 3])
    #expect(marker.seconds > 1_000_000_000)
    #expect(target.read(TimeValue.self, at: place).seconds == 3)

    var given = timeval(tv_sec: Int(marker.seconds), tv_usec: 0)
    try #require(setsockopt(pair.client, SOL_SOCKET, SO_RCVTIMEO, &given, 16) == 0)
    let answer = target.place(marker)
    let get = target.call(
      SystemCallNumber.getsockopt, UInt64(pair.client), level, UInt64(SocketTimeout.receive),
      answer, target.place(Int32(16)))
    #expect(options().enter(get).isTaken)
    var registers = get.registers
    registers.result = 0
    try #require(kernel.completed.first).body(&registers)
    let shown = target.read(TimeValue.self, at: answer)
    #expect(shown.seconds == 3 && shown.fraction == 5)
  }

  @Test("A timeout that is none is the kernel's to refuse, and nothing is noted")
  func wrongTimeouts() throws {
    try target.mapImage()
    let pair = try LoopbackPair()
    let place = target.place(TimeValue(seconds: -1, fraction: 0))

    let call = target.call(
      SystemCallNumber.setsockopt, UInt64(pair.client), level, UInt64(SocketTimeout.send), place, 16
    )
    #expect(options().enter(call).isTaken)
    #expect(kernel.replaced.isEmpty && !sockets.areInUse)
    #expect(kernel.resumed == [target.tracee.identifier])
  }

  // MARK: - TerminalTimeoutCalls

  @Test("A terminal whose reads time out is noted, one that waits for lines is not")
  func terminals() {
    let calls = TerminalTimeoutCalls(timeouts: sockets, isVirtual: true)
    func set(_ local: UInt8, time: UInt8, minimum: UInt8) -> CallDisposition {
      var attributes = [UInt8](repeating: 0, count: TerminalTimeout.usedLength)
      (attributes[12], attributes[22], attributes[23]) = (local, time, minimum)
      return calls.enter(
        target.call(SystemCallNumber.ioctl, 0, 0x5402, target.place(attributes)))
    }

    #expect(calls.sees(SystemCallNumber.ioctl, 0, 0x5404))
    #expect(!calls.sees(SystemCallNumber.ioctl, 0, 0x5401))
    #expect(TerminalTimeoutCalls(timeouts: sockets, isVirtual: false).filterRules.isEmpty)
    #expect(calls.enter(target.call(SystemCallNumber.ioctl, 0, 0x5401)).isPass)
    #expect(set(2, time: 5, minimum: 0).isProceed && !sockets.areInUse)
    #expect(set(0, time: 5, minimum: 1).isProceed && !sockets.areInUse)
    #expect(set(0, time: 5, minimum: 0).isProceed && sockets.areInUse)
  }

  // MARK: - ReceivedMessages

  private func messages(isVirtual: Bool = true) -> ReceivedMessages {
    ReceivedMessages(kernel: kernel, sockets: sockets, isVirtual: isVirtual)
  }

  @Test(
    "Receipts that wait for all, and questions for a packet's time, are seen in virtual time only")
  func receiptRules() {
    let all = UInt64(MSG_WAITALL)

    #expect(messages().sees(SystemCallNumber.recvfrom, 3, 0, 0, all))
    #expect(!messages().sees(SystemCallNumber.recvfrom, 3, 0, 0, 0))
    #expect(messages().sees(SystemCallNumber.recvmsg, 3, 0, all))
    #expect(messages().sees(SystemCallNumber.ioctl, 3, 0x8906))
    #expect(!messages().sees(SystemCallNumber.ioctl, 3, 0x5401))
    #expect(messages(isVirtual: false).filterRules.isEmpty)
    #expect(messages().obstacleToFork == nil)
  }

  @Test(
    "The time of a packet that ioctl tells is the scenario's; one that it does not tell stays away")
  func packetTimes() {
    let messages = messages()
    let (told, failed) = (target.place((Int64(9), Int64(9))), target.place((Int64(9), Int64(9))))
    let call = target.call(SystemCallNumber.ioctl, 3, 0x8907, told)
    messages.enter(call).exit(of: call, 0)
    let refused = target.call(SystemCallNumber.ioctl, 3, 0x8907, failed)
    messages.enter(refused).exit(of: refused, -Int(ENOENT))

    #expect(target.read(Int64.self, at: told) == TimeValue(WallInstant.epoch - .epoch).seconds)
    #expect(target.read(Int64.self, at: failed) == 9)
    #expect(messages.enter(target.call(SystemCallNumber.ioctl, 3, 0x5401, told)).isPass)
    #expect(self.messages(isVirtual: false).enter(call).isPass)
  }

  @Test("A receipt goes on at once, unless its process may learn from it when packets came")
  func receipts() {
    let messages = messages()

    #expect(messages.enter(target.call(SystemCallNumber.recvmsg, 3)).isTaken)
    #expect(kernel.resumed.count == 1 && kernel.completed.isEmpty)
    target.process.lateFilters = [.packetTimes]
    #expect(messages.enter(target.call(SystemCallNumber.recvmsg, 3)).isTaken)
    #expect(kernel.resumed.count == 1 && kernel.completed.count == 1)
    #expect(messages.enter(target.call(SystemCallNumber.recvfrom, 3)).isTaken)
    #expect(kernel.resumed.count == 2)
    // With a timeout it is a wait.
    let timed = target.call(SystemCallNumber.recvmmsg, 3, 0, 1, 0, target.place(Int64(1)))
    #expect(messages.enter(timed).isPass)
  }

  // MARK: - PacketTimeRequests

  @Test("Who asks for the times of packets gets the filter that shows how it receives them, once")
  func packetTimeRequests() {
    let requests = PacketTimeRequests(kernel: kernel)
    func ask(_ option: UInt64, _ value: Int32 = 1, level: UInt64) -> CallDisposition {
      requests.enter(
        target.call(SystemCallNumber.setsockopt, 3, level, option, target.place(value), 4))
    }

    #expect(requests.sees(SystemCallNumber.setsockopt, 3, level, 29))
    #expect(!requests.sees(SystemCallNumber.setsockopt, 3, level, UInt64(SO_REUSEADDR)))
    #expect(ask(29, 0, level: level).isPass && ask(2, level: level).isPass)
    #expect(ask(29, level: 6).isPass && target.process.lateFilters.isEmpty)
    #expect(ask(29, level: level).isTaken)
    #expect(target.process.lateFilters == [.packetTimes])
    #expect(ask(35, level: level).isPass)
  }
}
