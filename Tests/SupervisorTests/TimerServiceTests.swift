import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("The timers of a target")
struct TimerServiceTests {
  private let kernel: FakeKernel
  private let timers: TimerService
  /// No process has this number, so that signals reach nobody and none is ever pending.
  private let process = ThreadIdentifier(.max)

  private var name: TimerName { .process(process, number: 0) }

  init() {
    kernel = FakeKernel()
    let descriptors = TimerDescriptors(kernel: kernel, openFiles: 4)
    timers = TimerService(
      kernel: kernel, time: kernel, descriptors: descriptors,
      cancelledReads: CancelledReads(kernel: kernel, descriptors: descriptors))
  }

  private func add(
    _ name: TimerName? = nil,
    _ delivery: TargetTimer.Delivery = .signal(
      TimerSignal(number: SIGALRM, thread: nil, value: 0))
  ) {
    timers.add(
      TargetTimer(
        timer: VirtualTimer(clock: .monotonic), delivery: delivery,
        owner: WaitDescription(
          program: "sh", thread: 1, systemCallNumber: SystemCallNumber.timerSettime, process: 1)),
      as: name ?? self.name)
  }

  private func arm(_ name: TimerName? = nil, after first: Int64, every interval: Int64 = 0) {
    timers.arm(
      name ?? self.name,
      with: TimerSetting(interval: .seconds(interval), rest: .seconds(first)), isAbsolute: false)
  }

  /// Fires what is due next; returns when, on the scenario's clock.
  private func fireNext() throws -> Nanoseconds? {
    guard let item = kernel.nextDeadline() else { return nil }
    guard case .timer(let name) = item.owner else {
      Issue.record("\(item.owner) is no timer")
      return nil
    }
    #expect(timers.isSet(name, to: item.ticket))
    timers.fire(name, at: item.instant)
    return kernel.elapsed
  }

  @Test("A timer moves the clock to its deadline, once, and counts as its owner's wait")
  func once() throws {
    add()
    arm(after: 5)

    #expect(try fireNext() == .seconds(5))
    #expect(kernel.waits == [.seconds(5)] && kernel.wakes == [.seconds(5)])
    #expect(try fireNext() == nil)
    #expect(!timers.hasUnaccepted)
  }

  @Test("A timer that repeats expires again only once its owner has taken note")
  func repeating() throws {
    add()
    arm(after: 2, every: 3)

    #expect(try fireNext() == .seconds(2))
    #expect(timers.hasUnaccepted)
    #expect(try fireNext() == nil)
    #expect(timers.accept())
    #expect(!timers.accept())
    #expect(try fireNext() == .seconds(5))
  }

  @Test("Where time flows a timer that repeats waits for nobody")
  func flowing() throws {
    add()
    arm(after: 2, every: 3)
    _ = try fireNext()
    kernel.clock.flow(at: try #require(ClockRate(billionths: 1_000_000_000)), real: .zero)
    timers.clocksChanged { _ in false }

    #expect(!timers.hasUnaccepted)
    #expect(try fireNext() == .seconds(5))
  }

  @Test("A timer that is set anew is due at its new time alone")
  func rearmed() throws {
    add()
    arm(after: 5)
    arm(after: 9)

    #expect(try fireNext() == .seconds(9))
    #expect(try fireNext() == nil)
    arm(after: 0)
    #expect(try fireNext() == nil)
  }

  @Test("A timer without a notification is set, and never moves time")
  func silent() throws {
    add(nil, .silent)
    arm(after: 5)

    #expect(timers.setting(of: name)?.first.length == .seconds(5))
    #expect(try fireNext() == nil)
  }

  @Test("A timer descriptor that nobody has moves no time and is forgotten")
  func closedDescriptor() throws {
    let name = TimerName.descriptor(7)
    add(name, .descriptor)
    arm(name, after: 5)

    #expect(try fireNext() == .zero)
    #expect(timers.isEmpty)
  }

  @Test(
    "A timer descriptor that the runner cannot look for is told of, once", arguments: [true, false])
  func shortage(isShort: Bool) {
    let descriptors = TimerDescriptors(kernel: kernel, openFiles: 4) { isShort ? EMFILE : nil }
    descriptors.record(7, as: 3, in: process)
    #expect(!descriptors.isHeld(7))
    #expect(!descriptors.add(1, to: 7))

    #expect(kernel.events.count == (isShort ? 1 : 0))
    if case .outOfReach(_, let reason)? = kernel.events.first {
      #expect(reason.contains("Too many open files (raise it: ulimit -n)"), "\(reason)")
    } else {
      #expect(!isShort, "\(kernel.events)")
    }
  }

  @Test("A new program keeps the alarm, and the end of the process ends it")
  func programs() throws {
    add()
    add(.alarm(process))
    arm(after: 5)
    arm(.alarm(process), after: 6)
    timers.programStarted(in: process)

    #expect(timers[name] == nil && timers[.alarm(process)] != nil)
    timers.processEnded(process)
    #expect(timers.isEmpty)
    #expect(try fireNext() == nil)
  }
}
