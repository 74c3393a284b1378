import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

/// Where threads stand in the tree, and how long anybody waits for it to rest.
struct RestTests {
  @Test("A lineage tells which child, of which of its makers, and counts connections")
  func lineage() {
    var first = SpawnPath()
    var child = first.nextChild()
    let second = first.nextChild()
    let grandchild = child.nextChild()

    #expect(first.path.isEmpty)
    #expect(child.path == [0])
    #expect(second.path == [1])
    #expect(grandchild.path == [0, 0])
    #expect([child.nextConnection(), child.nextConnection()] == [0, 1])
    #expect(first.nextConnection() == 0)
  }

  @Test("A chain of makers without end needs no memory without end")
  func chain() {
    var last = SpawnPath()
    for _ in 0..<10_000 { last = last.nextChild() }

    #expect(last.path.count < 1_000)
    #expect(SpawnPath.unknown.path == [.max])
  }

  private func waiters(after disappointments: Int) -> QuiescenceWaiters {
    var waiters = QuiescenceWaiters()
    for _ in 0..<disappointments { _ = waiters.take(isAtRest: false) }
    waiters.add({}, real: .seconds(100), used: .seconds(7))
    return waiters
  }

  @Test("Where time stands, patience ends with the processor time that the tree takes")
  func processorTime() {
    let waiters = waiters(after: 0)
    func isOver(real: Nanoseconds, used: Nanoseconds) -> Bool {
      waiters.isPatienceOver(
        flows: false, real: .seconds(100) + real, used: .seconds(7) + used)
    }

    #expect(!isOver(real: .seconds(4), used: .milliseconds(999)))
    #expect(isOver(real: .seconds(4), used: .seconds(1)))
    #expect(isOver(real: .seconds(5), used: .zero))
  }

  @Test("Where time flows, patience ends after a quarter second of work, or seconds without any")
  func flowing() {
    let waiters = waiters(after: 0)
    func isOver(real: Nanoseconds, used: Nanoseconds) -> Bool {
      waiters.isPatienceOver(
        flows: true, real: .seconds(100) + real, used: .seconds(7) + used)
    }

    #expect(!isOver(real: .milliseconds(4_999), used: .milliseconds(249)))
    #expect(isOver(real: .milliseconds(250), used: .milliseconds(250)))
    #expect(isOver(real: .seconds(5), used: .zero))
  }

  @Test("Patience gets shorter with each disappointment, and longer again with each rest")
  func shorter() {
    var waiters = waiters(after: 20)
    #expect(
      waiters.isPatienceOver(flows: true, real: .seconds(100) + .milliseconds(5), used: .zero))

    for _ in 0..<10 {
      waiters.add({}, real: .seconds(100), used: .zero)
      _ = waiters.take(isAtRest: true)
    }
    waiters.add({}, real: .seconds(100), used: .zero)
    #expect(
      !waiters.isPatienceOver(flows: true, real: .seconds(100) + .milliseconds(4_999), used: .zero))
  }

  @Test("Where everything sleeps, whoever waits for rest is reported, and time has not moved")
  func rest() throws {
    let program = try SupervisedProgram(
      clock: PlannedClock(at: WallInstant(seconds: 1_000), flow: .auto))
    let told = OneShot<Nanoseconds>()

    try program.start(["/bin/sleep", "3600"])
    let view = program.view
    program.supervisor.whenAtRest { told.leave(view.reading().elapsed) }

    #expect(told.value() == .zero)
  }

  @Test("What is called off does not come, and what is not does")
  func appointments() throws {
    let program = try SupervisedProgram(
      clock: PlannedClock(at: WallInstant(seconds: 1_000), flow: .auto))
    let told = OneShot<Int>()

    program.supervisor.appoint(after: .seconds(1)) { told.leave(1) }.cancel()
    _ = program.supervisor.appoint(after: .seconds(2)) { told.leave(2) }
    _ = program.supervisor.tick(.duration(.seconds(3)), deadline: .forever)

    #expect(told.value() == 2)
  }
}
