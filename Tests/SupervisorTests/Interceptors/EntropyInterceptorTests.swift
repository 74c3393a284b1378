import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls that bring random numbers, and the time stamp counter")
struct EntropyInterceptorTests {
  private let kernel = FakeKernel()
  private let target: FakeTarget

  init() { target = FakeTarget(kernel) }

  private func seeder() -> EntropySeeder { EntropySeeder(.seeded(7)) }

  /// The first numbers of the seed for the target's process.
  private func numbers(_ count: Int) throws -> [UInt8] {
    var stream = try #require(
      EntropySource.seeded(7).stream(processOrdinal: target.process.ordinal))
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { stream.fill($0) }
    return bytes
  }

  private func draw(_ seeder: EntropySeeder, _ result: Int) -> [UInt8] {
    let place = target.place([UInt8](repeating: 0xAA, count: 16))
    let call = target.call(SystemCallNumber.getrandom, place, 16, 0)
    let disposition = seeder.enter(call)
    #expect(disposition.isObserve)
    #expect(disposition.exit(of: call, result).result == result)
    return target.bytes(16, at: place)
  }

  // MARK: - EntropySeeder

  @Test("getrandom is made, and as many bytes as it brings are those of the seed")
  func getrandom() throws {
    let seeder = seeder()

    #expect(seeder.sees(SystemCallNumber.getrandom))
    let expected = try numbers(8)
    #expect(draw(seeder, 8) == expected + [UInt8](repeating: 0xAA, count: 8))
    #expect(draw(seeder, -Int(EAGAIN)) == [UInt8](repeating: 0xAA, count: 16))
    #expect(draw(seeder, 8) != expected + [UInt8](repeating: 0xAA, count: 8))
  }

  @Test("What is read from a file of random numbers is seeded, from other files it is not")
  func reads() throws {
    let seeder = seeder()
    let random = open("/dev/urandom", O_RDONLY | O_CLOEXEC)
    let other = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    defer {
      close(random)
      close(other)
    }
    let parts = [target.place([0, 0, 0, 0]), target.place([0, 0, 0, 0])]
    let list = target.place((parts[0], UInt64(4), parts[1], UInt64(4)))
    let read = target.call(SystemCallNumber.readv, UInt64(random), list, 2)

    seeder.enter(read).exit(of: read, 6)
    let bytes = target.bytes(4, at: parts[0]) + target.bytes(4, at: parts[1])
    #expect(try bytes == numbers(6) + [0, 0])
    #expect(seeder.enter(target.call(SystemCallNumber.read, UInt64(other), list, 4)).isPass)
    let sent = target.call(SystemCallNumber.sendfile, 1, UInt64(random), 0, 10)
    #expect(seeder.enter(sent).skipped == -Int(EINVAL))
    #expect(seeder.enter(target.call(SystemCallNumber.sendfile, 1, UInt64(other), 0, 10)).isPass)
  }

  @Test("A branch goes on with the trunk's numbers, and a process that ends leaves none")
  func branches() throws {
    let trunk = seeder()
    let first = draw(trunk, 16)
    let branch = seeder()
    branch.inherit(from: trunk)

    #expect(draw(branch, 16) == draw(trunk, 16))
    trunk.processEnded(target.process.identifier)
    #expect(draw(trunk, 16) == first)
  }

  // MARK: - RandomFileOpens

  @Test("Who opens a file of random numbers gets the filter that shows its reads, once")
  func opens() {
    let opens = RandomFileOpens(kernel: kernel)
    func open(_ path: String) -> CallDisposition {
      opens.enter(target.call(SystemCallNumber.open, target.place(path), UInt64(O_RDONLY)))
    }

    #expect(opens.sees(SystemCallNumber.open) && opens.sees(SystemCallNumber.openat))
    #expect(open("/dev/zero").isPass && open("/dev/nothing").isPass)
    #expect(target.process.lateFilters.isEmpty)
    #expect(open("/dev/urandom").isTaken)
    #expect(target.process.lateFilters == [.randomReads])
    #expect(open("/dev/urandom").isPass)
  }

  @Test("Where a process cannot get the filter, its open is made")
  func refusedFilter() {
    kernel.refusesFilters = true
    let path = target.place("/dev/random")

    let call = target.call(SystemCallNumber.open, path, UInt64(O_RDONLY))
    #expect(RandomFileOpens(kernel: kernel).enter(call).isPass)
  }

  // MARK: - TimestampCounterGuard, TimestampCounterFlags

  private func counter(isSeeded: Bool) -> TimestampCounterGuard {
    TimestampCounterGuard(kernel: kernel, time: kernel, isSeeded: isSeeded, isVirtual: true)
  }

  private func ask(_ counter: TimestampCounterGuard, by thread: Tracee? = nil) -> Int? {
    let place = target.place(Int32(0))
    let call = target.call(SystemCallNumber.prctl, UInt64(CounterFlag.get), place, by: thread)
    let result = TimestampCounterFlags(counter).enter(call).skipped
    return result == 0 ? Int(target.read(Int32.self, at: place)) : result
  }

  private func set(
    _ counter: TimestampCounterGuard, _ value: UInt64, by thread: Tracee? = nil
  ) -> CallDisposition {
    TimestampCounterFlags(counter).enter(
      target.call(SystemCallNumber.prctl, UInt64(CounterFlag.set), value, by: thread))
  }

  @Test(
    "A thread that is watched does not learn of it, and one that forbids itself the counter does so"
  )
  func counterFlags() {
    let counter = counter(isSeeded: true)

    #expect(counter.filterRules.keys.contains(SystemCallNumber.prctl))
    #expect(ask(counter) == Int(CounterFlag.enabled))
    #expect(set(counter, CounterFlag.enabled).skipped == 0)
    #expect(set(counter, CounterFlag.forbidden).isProceed)
    #expect(ask(counter) == nil)
    #expect(set(counter, CounterFlag.enabled).skipped == 0)
    #expect(ask(counter) == Int(CounterFlag.enabled))
  }

  @Test("Where no numbers are seeded, who is allowed the counter again reads the processor's own")
  func freeCounter() {
    let counter = counter(isSeeded: false)

    #expect(ask(counter) == nil)
    _ = set(counter, CounterFlag.forbidden)
    #expect(set(counter, CounterFlag.enabled).isProceed)
    #expect(ask(counter) == nil)
  }

  @Test("What a thread may do with the counter goes to those that it makes, and ends with it")
  func counterThreads() {
    let counter = counter(isSeeded: true)
    let child = target.thread(.max)
    _ = set(counter, CounterFlag.forbidden)

    counter.threadStarted(child.identifier, by: target.tracee.identifier)
    #expect(ask(counter, by: child) == nil)
    counter.threadEnded(child.identifier)
    #expect(ask(counter, by: child) == Int(CounterFlag.enabled))
    let branch = self.counter(isSeeded: true)
    branch.inherit(from: counter)
    #expect(ask(branch) == nil)
    counter.threadRenamed(child.identifier, to: target.tracee.identifier)
    #expect(ask(counter) == Int(CounterFlag.enabled))
  }
}
