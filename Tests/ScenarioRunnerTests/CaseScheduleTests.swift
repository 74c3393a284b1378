import Foundations
import Testing

@testable import ScenarioRunner

@Suite("Which case runs next")
struct CaseScheduleTests {
  private typealias Entry = CaseSchedule.Entry

  @Test("Cases that want nothing for themselves run in order, all at once")
  func plain() {
    var schedule = CaseSchedule([Entry(index: 2), Entry(index: 0), Entry(index: 1)])

    #expect(schedule.next() == .run(2))
    #expect(schedule.next() == .run(0))
    #expect(schedule.next() == .run(1))
    #expect(schedule.next() == .over)
    #expect(schedule.runningCount == 3)
  }

  @Test("A case that shares a name with one that runs waits, and others pass it")
  func sharedName() {
    var schedule = CaseSchedule([
      Entry(index: 0, exclusive: ["db"]), Entry(index: 1, exclusive: ["port", "db"]),
      Entry(index: 2, exclusive: ["port"]), Entry(index: 3),
    ])

    #expect(schedule.next() == .run(0))
    #expect(schedule.next() == .run(2))
    #expect(schedule.next() == .run(3))
    #expect(schedule.next() == .wait)
    schedule.finish(0)
    #expect(schedule.next() == .wait, "the other name is still taken")
    schedule.finish(2)
    #expect(schedule.next() == .run(1))
    #expect(schedule.next() == .over)
  }

  @Test("A case that wants to be alone waits for all others, and they wait for it")
  func alone() {
    var schedule = CaseSchedule([
      Entry(index: 0), Entry(index: 1, isAlone: true), Entry(index: 2),
    ])

    #expect(schedule.next() == .run(0))
    #expect(schedule.next() == .run(2))
    #expect(schedule.next() == .wait)
    schedule.finish(0)
    #expect(schedule.next() == .wait)
    schedule.finish(2)
    #expect(schedule.next() == .run(1))
    #expect(schedule.next() == .over)

    var other = CaseSchedule([Entry(index: 0, isAlone: true), Entry(index: 1)])
    #expect(other.next() == .run(0))
    #expect(other.next() == .wait)
    other.finish(0)
    #expect(other.next() == .run(1))
  }

  @Test("No more cases begin once it is closed, and those that run may end")
  func closed() {
    var schedule = CaseSchedule([Entry(index: 0), Entry(index: 1)])

    #expect(schedule.next() == .run(0))
    schedule.close()
    #expect(schedule.next() == .over)
    #expect(schedule.runningCount == 1)
    schedule.finish(0)
    #expect(schedule.runningCount == 0)
  }

  @Test(
    "Whatever cases want, all of them run once, none beside whom it must not, and nobody waits for ever",
    arguments: 0..<200)
  func anything(seed: Int) {
    var state = UInt64(seed &+ 1)
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let entries = (0..<random(60)).map { index in
      Entry(
        index: index, exclusive: ["a", "b", "c", "d"].filter { _ in random(5) == 0 },
        isAlone: random(8) == 0)
    }
    var schedule = CaseSchedule(entries)
    var running: [Int] = []
    var ended: [Int] = []
    let workers = 1 + random(8)

    while ended.count < entries.count {
      var isWaiting = false
      while running.count < workers, !isWaiting {
        guard case .run(let index) = schedule.next() else {
          isWaiting = true
          continue
        }
        for other in running {
          #expect(!entries[index].isAlone && !entries[other].isAlone)
          #expect(Set(entries[index].exclusive).isDisjoint(with: entries[other].exclusive))
        }
        running.append(index)
      }
      guard !running.isEmpty else {
        Issue.record("nothing runs, and \(entries.count - ended.count) cases wait")
        return
      }
      let done = running.remove(at: random(running.count))
      schedule.finish(done)
      ended.append(done)
    }
    #expect(ended.sorted() == Array(entries.indices))
    #expect(schedule.next() == .over)
  }

  @Test("Ten thousand cases that all want the same are handed out one by one in no time")
  func many() {
    var schedule = CaseSchedule((0..<10_000).map { Entry(index: $0, exclusive: ["db"]) })
    for index in 0..<10_000 {
      #expect(schedule.next() == .run(index))
      schedule.finish(index)
    }
    #expect(schedule.next() == .over)
  }
}

@Suite("In which order cases begin")
struct CaseOrderTests {
  private let names = (0..<50).map { "f.yaml::\($0)" }

  @Test("By chance: each once, the same way for the same seed, and otherwise for another")
  func random() {
    let one = CaseOrder.random(seed: 7).places(of: names) { _ in nil }

    #expect(one.sorted() == Array(names.indices))
    #expect(one != Array(names.indices))
    #expect(one == CaseOrder.random(seed: 7).places(of: names) { _ in nil })
    #expect(one != CaseOrder.random(seed: 8).places(of: names) { _ in nil })
    // Who has written a seed down gets the order back that it gave.
    let eight = CaseOrder.random(seed: 42).places(of: (0..<8).map(String.init)) { _ in nil }
    #expect(eight == [3, 1, 6, 2, 4, 0, 7, 5])
  }

  @Test("Slowest first: by earlier times, the median for those without, ties as the plan has them")
  func slowest() {
    let names = ["a", "b", "c", "d", "e"]
    let times = ["a": 1, "b": 9, "c": 5] as [String: Int64]
    let earlier: (String) -> Nanoseconds? = { times[$0].map { .seconds($0) } }

    #expect(CaseOrder.slowest.places(of: names, earlier: earlier) == [1, 2, 3, 4, 0])
    #expect(CaseOrder.slowest.places(of: names) { _ in nil } == [0, 1, 2, 3, 4])
    #expect(CaseOrder.file.places(of: names, earlier: earlier) == [0, 1, 2, 3, 4])
  }
}

@Suite("How many processors control groups allow")
struct CPUQuotaTests {
  @Test("The least bound of a group and those around it counts, in both versions")
  func quotas() {
    let second = [
      "/sys/fs/cgroup/a/cpu.max": "150000 100000\n", "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
    ]
    #expect(CPUQuota.count(groups: "0::/a/b\n") { second[$0] } == 2)
    #expect(CPUQuota.count(groups: "0::/\n") { second[$0] } == nil)
    let first = [
      "/sys/fs/cgroup/cpu,cpuacct/j/cpu.cfs_quota_us": "300000\n",
      "/sys/fs/cgroup/cpu,cpuacct/j/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
    ]
    #expect(CPUQuota.count(groups: "4:cpu,cpuacct:/j\n2:memory:/j\n") { first[$0] } == 3)
    #expect(CPUQuota.count(groups: "2:memory:/j\n") { first[$0] } == nil)
    #expect(CPUQuota.count(groups: "nonsense\n::\n") { _ in "nonsense" } == nil)
  }
}

@Suite("A crew of threads")
struct WorkCrewTests {
  @Test("Everything that is reported arrives, each worker's in its order, however much it is")
  func order() {
    let pool = WorkerPool<[Int]> { number, pool in
      for step in 0..<20_000 { pool.report([number, step]) }
    }
    var next = [Int](repeating: 0, count: 4)
    var isInOrder = true

    pool.run(workers: 4) { messages in
      for message in messages {
        isInOrder = isInOrder && next[message[0]] == message[1]
        next[message[0]] += 1
      }
    }

    #expect(isInOrder)
    #expect(next == [20_000, 20_000, 20_000, 20_000])
  }

  @Test("Who takes the messages is not woken before there are any, and ends with the last worker")
  func ending() {
    let pool = WorkerPool<Int> { number, pool in if number == 1 { pool.report(5) } }
    var taken: [Int] = []
    pool.run(workers: 3) { taken += $0 }
    #expect(taken == [5])
  }
}

@Suite("How many processors a thread may use")
struct AffinityMaskTests {
  @Test("Every bit of the mask is one")
  func mask() {
    #expect(
      AffinityMask.count(
        status: "Name:\tx\nCpus_allowed:\t00000001,ff000003\nCpus_allowed_list:\t0") == 11)
    #expect(AffinityMask.count(status: "Name:\tx\n") == nil)
  }
}
