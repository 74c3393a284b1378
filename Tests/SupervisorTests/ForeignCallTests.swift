import Testing

@testable import Supervisor

@Suite("Calls that reach other processes")
struct ForeignCallTests {
  private func call(
    _ number: Int, _ arguments: [UInt64], word: (Int32, Int32)? = nil
  ) -> ForeignCall? {
    ForeignCall(number, { $0 < arguments.count ? arguments[$0] : 0 }, word: { _ in word })
  }

  private func number(_ value: Int32) -> UInt64 { UInt64(UInt32(bitPattern: value)) }

  @Test("What the first argument of kill means")
  func kill() {
    #expect(call(SystemCallNumber.kill, [7])?.receiver == .process(7))
    #expect(call(SystemCallNumber.kill, [0])?.receiver == .group(0))
    #expect(call(SystemCallNumber.kill, [number(-7)])?.receiver == .group(7))
    #expect(call(SystemCallNumber.kill, [number(-1)])?.receiver == .everybody)
    #expect(call(SystemCallNumber.kill, [number(-1)])?.deed == .signal)
  }

  @Test("Threads, descriptors and groups behind descriptors are receivers as well")
  func others() {
    #expect(call(SystemCallNumber.tgkill, [7, 9, 15])?.receiver == .process(9))
    #expect(call(SystemCallNumber.tkill, [7, 15])?.receiver == .process(7))
    #expect(call(SystemCallNumber.rtSigqueueinfo, [7, 15])?.receiver == .process(7))
    #expect(call(SystemCallNumber.rtTgsigqueueinfo, [7, 7, 15])?.receiver == .process(7))
    #expect(call(SystemCallNumber.pidfdSendSignal, [5, 15, 0, 0])?.receiver == .descriptor(5))
    #expect(
      call(SystemCallNumber.pidfdSendSignal, [5, 15, 0, 4])?.receiver == .groupOfDescriptor(5))
  }

  @Test("Owners of descriptors are receivers of later signals; no owner is nobody")
  func owners() {
    let own = call(SystemCallNumber.fcntl, [3, 8, number(-7)])
    #expect(own?.receiver == .group(7))
    #expect(own?.deed == .ownership)
    #expect(call(SystemCallNumber.fcntl, [3, 8, 0]) == nil)
    #expect(call(SystemCallNumber.fcntl, [3, 15, 1], word: (2, 7))?.receiver == .group(7))
    #expect(call(SystemCallNumber.fcntl, [3, 15, 1], word: (1, 7))?.receiver == .process(7))
    #expect(call(SystemCallNumber.ioctl, [3, 0x8901, 1], word: (7, 0))?.receiver == .process(7))
    #expect(call(SystemCallNumber.ioctl, [3, 0x5401, 1], word: (7, 0)) == nil)
  }

  @Test("What a process does to itself is no such call")
  func itself() {
    #expect(call(SystemCallNumber.prlimit64, [0, 7, 1]) == nil)
    // Who only asks for limits changes nothing.
    #expect(call(SystemCallNumber.prlimit64, [9, 7, 0]) == nil)
    #expect(call(SystemCallNumber.prlimit64, [9, 7, 1])?.deed == .access)
    #expect(call(SystemCallNumber.setpriority, [0, 0]) == nil)
    #expect(call(SystemCallNumber.ioprioSet, [1, 0]) == nil)
    #expect(call(SystemCallNumber.ptrace, [0, 9]) == nil)
    #expect(call(SystemCallNumber.ptrace, [0x4206, 9])?.receiver == .process(9))
  }

  @Test("Zero is the caller's whole group or user where a priority is one of these")
  func priorities() {
    let calls: [(Int, UInt64)] = [
      (SystemCallNumber.setpriority, 0), (SystemCallNumber.ioprioSet, 1),
    ]
    for (number, first) in calls {
      #expect(call(number, [first, 7])?.receiver == .process(7))
      #expect(call(number, [first + 1, 0])?.receiver == .group(0))
      #expect(call(number, [first + 2, 0])?.receiver == .user)
      #expect(call(number, [first + 3, 7]) == nil)
    }
  }

  @Test("The filter shows them, and lets pass what means nobody else")
  func filter() {
    let machine = FilterMachine(program: FilterProgram(rules: ForeignCall.filterRules).instructions)

    #expect(machine.run(SystemCallNumber.kill, [number(-1)]) == .trace)
    #expect(machine.run(SystemCallNumber.pidfdSendSignal, [5]) == .trace)
    #expect(machine.run(SystemCallNumber.prlimit64, [9]) == .trace)
    #expect(machine.run(SystemCallNumber.prlimit64, [0]) == .allow)
    #expect(machine.run(SystemCallNumber.fcntl, [3, 8]) == .trace)
    #expect(machine.run(SystemCallNumber.fcntl, [3, 15]) == .trace)
    #expect(machine.run(SystemCallNumber.fcntl, [3, 1]) == .allow)
    #expect(machine.run(SystemCallNumber.ioctl, [3, 0x8901]) == .trace)
    #expect(machine.run(SystemCallNumber.ioctl, [3, 0x8902]) == .trace)
    #expect(machine.run(SystemCallNumber.ioctl, [3, 0x5401]) == .allow)
    #expect(machine.run(SystemCallNumber.ioctl, [3, 0x5412]) == .trace)
    #expect(machine.run(SystemCallNumber.setpriority, [0, 0]) == .allow)
    #expect(machine.run(SystemCallNumber.setpriority, [0, 7]) == .trace)
    #expect(machine.run(SystemCallNumber.setpriority, [2, 0]) == .trace)
    #expect(machine.run(SystemCallNumber.setpriority, [2, number(-2)]) == .trace)
    #expect(machine.run(SystemCallNumber.ioprioSet, [1, 0]) == .allow)
    #expect(machine.run(SystemCallNumber.ioprioSet, [2, 0]) == .trace)
    #expect(machine.run(SystemCallNumber.ioprioSet, [3, number(-2)]) == .trace)
    #expect(machine.run(SystemCallNumber.write, [1]) == .allow)
  }

  @Test("A path into a process's folder, by whatever way it leads there")
  func entries() {
    #expect(ProcessEntry("/proc/12/environ")?.number == 12)
    #expect(ProcessEntry("/proc/12/task/13/mem")?.number == 13)
    #expect(ProcessEntry("/proc/self/root/proc/12/fd/3")?.names == ["fd", "3"])
    #expect(ProcessEntry("/proc/self/environ") == nil)
    #expect(ProcessEntry("/home/proc.txt") == nil)
    #expect(ProcessEntry("/proc/12/stat")?.isHarmless == true)
    #expect(ProcessEntry("/proc/12")?.isHarmless == true)
    #expect(ProcessEntry("/proc/12/environ")?.isHarmless == false)
    #expect(ProcessEntry("/proc/12/cwd/file")?.isHarmless == false)
  }

  @Test("A process's line, whatever its name")
  func status() {
    let status = ProcessStatus("12 (a) Z (b)) S 3 4 5 0 -1")
    #expect(status?.name == "a) Z (b)")
    #expect(status?.state == "S")
    #expect(status?.parent == 3)
    #expect(status?.group == 4)
    #expect(ProcessStatus("12 (x) Z 1 2 3")?.hasEnded == true)
    #expect(ProcessStatus("nothing") == nil)
  }

  @Test("The client's socket is found by the ports at both ends")
  func sockets() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 41 1 0
         1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 42 1 0
         2: 0100007F:C351 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0
      """
    #expect(LoopbackClient(sourcePort: 50000, port: 8080).inode(in: table) == 42)
    #expect(LoopbackClient(sourcePort: 50001, port: 8080).inode(in: table) == nil)
    #expect(LoopbackClient(sourcePort: 50002, port: 8080).inode(in: table) == nil)
  }
}
