import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls that make, set and read timers")
struct TimerInterceptorTests {
  private let kernel = FakeKernel()
  private let target: FakeTarget
  private let timers: TimerService
  private let calls: TimerCalls

  init() {
    target = FakeTarget(kernel)
    let descriptors = TimerDescriptors(kernel: kernel, openFiles: 4)
    let cancelledReads = CancelledReads(kernel: kernel, descriptors: descriptors)
    timers = TimerService(
      kernel: kernel, time: kernel, descriptors: descriptors, cancelledReads: cancelledReads)
    calls = TimerCalls(
      time: kernel, timers: timers,
      descriptors: TimerDescriptorCalls(
        time: kernel, timers: timers, descriptors: descriptors,
        cancelledReads: cancelledReads))
  }

  /// Makes a timer by timer_create(2); its number is 3.
  private func create(clock: Int32 = CLOCK_MONOTONIC) -> CallDisposition {
    let place = target.place(Int32(3))
    let call = target.call(SystemCallNumber.timerCreate, UInt64(clock), 0, place)
    let disposition = calls.enter(call)
    disposition.exit(of: call, 0)
    return disposition
  }

  private func set(_ seconds: Int64, old: UInt64 = 0) -> CallDisposition {
    let setting = target.place((Int64(0), Int64(0), seconds, Int64(0)))
    return calls.enter(target.call(SystemCallNumber.timerSettime, 3, 0, setting, old))
  }

  private func alarm(_ seconds: UInt64) -> Int? {
    calls.enter(target.call(SystemCallNumber.alarm, seconds)).skipped
  }

  @Test("All calls on timers are seen, of interval timers only those of real time")
  func rules() {
    for number in [
      SystemCallNumber.timerCreate, SystemCallNumber.timerSettime, SystemCallNumber.timerGettime,
      SystemCallNumber.timerGetoverrun, SystemCallNumber.timerDelete,
      SystemCallNumber.timerfdCreate,
      SystemCallNumber.timerfdSettime, SystemCallNumber.timerfdGettime, SystemCallNumber.alarm,
      SystemCallNumber.rtSigtimedwait,
    ] {
      #expect(calls.sees(number), "\(SystemCallTable.current.name(of: number))")
    }
    #expect(calls.sees(SystemCallNumber.setitimer, 0) && calls.sees(SystemCallNumber.getitimer, 0))
    #expect(
      !calls.sees(SystemCallNumber.setitimer, 2) && !calls.sees(SystemCallNumber.getitimer, 1))
  }

  @Test("A timer is the kernel's by its number alone: set and read it is in virtual time")
  func timer() {
    #expect(create().made != nil)
    let old = target.place((Int64(0), Int64(0), Int64(7), Int64(7)))
    #expect(set(5).skipped == 0 && set(9, old: old).skipped == 0)

    #expect(target.read(Int64.self, at: old + 16) == 5)
    let shown = target.place((Int64(0), Int64(0), Int64(0), Int64(0)))
    #expect(
      calls.enter(target.call(SystemCallNumber.timerGettime, 3, shown)).skipped == 0)
    #expect(target.read(Int64.self, at: shown + 16) == 9)
    #expect(kernel.nextDeadline()?.instant == kernel.virtualNow + .seconds(9))
    #expect(calls.enter(target.call(SystemCallNumber.timerGetoverrun, 3)).skipped == 0)
    #expect(
      calls.enter(target.call(SystemCallNumber.timerGettime, 3, 8)).skipped
        == -KernelError.badAddress)
  }

  @Test("Timers of processor time, of others, and wrong settings are the kernel's")
  func kernelTimers() {
    #expect(create(clock: CLOCK_PROCESS_CPUTIME_ID).isProceed)
    #expect(set(5).isProceed)
    #expect(calls.enter(target.call(SystemCallNumber.timerDelete, 3)).isProceed)
    _ = create()
    #expect(set(-5).isProceed)
    #expect(calls.enter(target.call(SystemCallNumber.setitimer, 2, 0, 0)).isProceed)
    #expect(calls.enter(target.call(SystemCallNumber.getitimer, 1, 0)).isProceed)
  }

  @Test(
    "A timer that cannot be deleted stays, and one that is deleted speaks against no fork any more")
  func deletion() {
    #expect(calls.obstacleToFork == nil)
    _ = create()
    #expect(calls.obstacleToFork != nil)
    let call = target.call(SystemCallNumber.timerDelete, 3)

    calls.enter(call).exit(of: call, -Int(EINVAL))
    #expect(!timers.isEmpty)
    calls.enter(call).exit(of: call, 0)
    #expect(timers.isEmpty && calls.obstacleToFork == nil)
  }

  @Test("alarm returns what the last one had left, rounded to whole seconds and never to none")
  func alarms() {
    #expect(alarm(10) == 0)
    kernel.advance(to: kernel.virtualNow + .milliseconds(400), because: .step)
    #expect(alarm(1) == 10)
    kernel.advance(to: kernel.virtualNow + .milliseconds(700), because: .step)
    #expect(alarm(5) == 1)
    kernel.advance(to: kernel.virtualNow + .milliseconds(2_600), because: .step)
    #expect(alarm(0) == 2)
    #expect(alarm(0) == 0)
  }

  @Test("The interval timer of real time is the alarm, in microseconds")
  func intervalTimers() {
    let setting = target.place((Int64(0), Int64(0), Int64(2), Int64(500_000)))
    let old = target.place((Int64(1), Int64(1), Int64(1), Int64(1)))

    #expect(alarm(7) == 0)
    let set = target.call(SystemCallNumber.setitimer, 0, setting, old)
    #expect(calls.enter(set).skipped == 0)
    #expect(target.read(Int64.self, at: old + 16) == 7)
    let get = target.call(SystemCallNumber.getitimer, 0, old)
    #expect(calls.enter(get).skipped == 0)
    #expect(target.read(Int64.self, at: old + 16) == 2)
    #expect(target.read(Int64.self, at: old + 24) == 500_000)
    #expect(alarm(0) == 3)
  }

  @Test("The timers of a process end with it, and with its program, but for the alarm")
  func ends() {
    _ = create()
    calls.programStarted(in: target.process.identifier)
    #expect(timers.isEmpty)
    _ = alarm(5)
    calls.programStarted(in: target.process.identifier)
    #expect(!timers.isEmpty)
    calls.processEnded(target.process.identifier)
    #expect(timers.isEmpty)
  }
}
