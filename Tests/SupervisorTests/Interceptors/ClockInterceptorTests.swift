import CSupervisor
import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls that set and read clocks")
struct ClockInterceptorTests {
  private let kernel = FakeKernel(flow: .held)
  private let target: FakeTarget

  init() { target = FakeTarget(kernel) }

  private func setting(isSettable: Bool) -> ClockSetting {
    ClockSetting(kernel: kernel, time: kernel, isSettable: isSettable)
  }

  private func set(_ seconds: Int64, _ nanoseconds: Int64 = 0) -> InterceptedCall {
    target.call(
      SystemCallNumber.clockSettime, UInt64(CLOCK_REALTIME),
      target.place(TimeValue(seconds: seconds, fraction: nanoseconds)))
  }

  // MARK: - ClockSetting

  @Test("Only calls that set or steer the wall clock are seen, not those on other clocks")
  func settingCalls() {
    let setting = setting(isSettable: true)

    #expect(setting.sees(SystemCallNumber.clockSettime, UInt64(CLOCK_REALTIME)))
    #expect(!setting.sees(SystemCallNumber.clockSettime, UInt64(CLOCK_MONOTONIC)))
    #expect(setting.sees(SystemCallNumber.clockAdjtime, UInt64(CLOCK_REALTIME)))
    #expect(!setting.sees(SystemCallNumber.clockAdjtime, UInt64(CLOCK_TAI)))
    #expect(setting.sees(SystemCallNumber.settimeofday) && setting.sees(SystemCallNumber.adjtimex))
    let other = target.call(SystemCallNumber.clockSettime, UInt64(CLOCK_MONOTONIC))
    #expect(setting.enter(other).isProceed)
  }

  @Test("A target that may sets the scenario's wall clock, and never the machine's")
  func settable() {
    let disposition = setting(isSettable: true).enter(set(2_000_000_000, 5))

    #expect(disposition.skipped == 0)
    let shown = TimeValue(kernel.moment.wall(of: target.process.wall(on: kernel.clock)) - .epoch)
    #expect(shown.seconds == 2_000_000_000 && shown.fraction == 5)
    guard case .clockSet(_, _, "clock_settime", nil)? = kernel.events.first else {
      Issue.record("the step is reported: \(kernel.events)")
      return
    }
  }

  @Test("A target that may not is refused with EPERM, which is reported, and no clock moves")
  func notSettable() {
    let setting = setting(isSettable: false)

    #expect(setting.enter(set(1_000)).skipped == -KernelError.notPermitted)
    let time = target.place(TimeValue(seconds: 5, fraction: 0))
    let legacy = target.call(SystemCallNumber.settimeofday, time, 0)
    #expect(setting.enter(legacy).skipped == -KernelError.notPermitted)
    #expect(kernel.moment.wall(of: target.process.wall(on: kernel.clock)) == .epoch)
    #expect(kernel.events.count == 2)
    guard case .clockSet(_, _, _, "EPERM")? = kernel.events.first else {
      Issue.record("the refusal is reported: \(kernel.events)")
      return
    }
  }

  @Test("A time that is none, and memory that is none, are refused as the kernel refuses them")
  func wrongTimes() {
    let setting = setting(isSettable: true)

    #expect(setting.enter(set(1, 1_000_000_000)).skipped == -KernelError.invalidArgument)
    #expect(setting.enter(set(-1)).skipped == -KernelError.invalidArgument)
    let nowhere = target.call(SystemCallNumber.clockSettime, UInt64(CLOCK_REALTIME), 8)
    #expect(setting.enter(nowhere).skipped == -KernelError.badAddress)
    let late = target.place(TimeValue(seconds: 1, fraction: 1_000_001))
    #expect(
      setting.enter(target.call(SystemCallNumber.settimeofday, late, 0)).skipped
        == -KernelError.invalidArgument)
    let zone = target.place((Int32(901), Int32(0)))
    #expect(
      setting.enter(target.call(SystemCallNumber.settimeofday, 0, zone)).skipped
        == -KernelError.invalidArgument)
    #expect(kernel.events.isEmpty)
  }

  // MARK: - ClockFiles

  @Test("times and sysinfo are made, and tell the scenario's time")
  func uptime() {
    let files = ClockFiles(kernel: kernel, time: kernel)
    kernel.advance(to: kernel.virtualNow + .seconds(90), because: .step)
    let times = target.call(SystemCallNumber.times)
    let ticks = Int(kernel.moment.monotonic.count / 10_000_000)

    #expect(files.enter(times).exit(of: times, 7).result == ticks)
    #expect(files.enter(times).exit(of: times, -Int(EFAULT)).result == -Int(EFAULT))
    let place = target.place(Int64(3))
    let sysinfo = target.call(SystemCallNumber.sysinfo, place)
    files.enter(sysinfo).exit(of: sysinfo, 0)
    let boot = TimeValue(kernel.moment.boot)
    #expect(target.read(Int64.self, at: place) == boot.seconds + (boot.fraction > 0 ? 1 : 0))
    let failed = target.call(SystemCallNumber.sysinfo, target.place(Int64(3)))
    files.enter(failed).exit(of: failed, -Int(EFAULT))
    #expect(target.read(Int64.self, at: failed.registers[argument: 0]) == 3)
  }

  @Test("Only opens that may be of a file that tells a time are watched to their exit")
  func openings() {
    let files = ClockFiles(kernel: kernel, time: kernel)
    func open(_ path: String) -> CallDisposition {
      files.enter(
        target.call(
          SystemCallNumber.openat, UInt64(bitPattern: Int64(AT_FDCWD)), target.place(path),
          UInt64(O_RDONLY)))
    }

    #expect(open("/proc/uptime").isWatch && open("/proc/self/stat").isWatch)
    #expect(open("/etc/hostname").isPass && open("/proc/self/maps").isPass)
    #expect(files.sees(SystemCallNumber.openat, 0, 0, UInt64(O_RDONLY)))
    #expect(!files.sees(SystemCallNumber.openat, 0, 0, UInt64(O_WRONLY)))
    #expect(files.obstacleToFork == nil && !files.hasOpenFiles)
  }

  // MARK: - SpinCalls

  @Test("Reads of the clock are seen, and yields only where a thread that yields may be held")
  func spins() {
    let spinners = SpinDetector(kernel: kernel, idleTurn: .zero)
    let holding = SpinCalls(spinners: spinners, holdsYields: true)
    let flowing = SpinCalls(spinners: spinners, holdsYields: false)

    #expect(holding.sees(SystemCallNumber.schedYield) && !flowing.sees(SystemCallNumber.schedYield))
    for calls in [holding, flowing] {
      #expect(calls.sees(SystemCallNumber.time) && calls.sees(SystemCallNumber.gettimeofday))
      #expect(calls.sees(SystemCallNumber.clockGettime, UInt64(CLOCK_REALTIME)))
      #expect(!calls.sees(SystemCallNumber.clockGettime, UInt64(CLOCK_PROCESS_CPUTIME_ID)))
    }
  }
}
