import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls that reach out of the scenario")
struct ContainmentInterceptorTests {
  private let kernel = FakeKernel()
  private let target: FakeTarget

  init() { target = FakeTarget(kernel) }

  // MARK: - ProcessContainment

  private func processes(isRoot: Bool = false) -> ProcessContainment {
    ProcessContainment(kernel: kernel, runner: RunnerGuard(isNeeded: isRoot, namespace: nil))
  }

  private func kill(_ number: Int32) -> InterceptedCall {
    target.call(
      SystemCallNumber.kill, UInt64(bitPattern: Int64(number)), UInt64(SIGUSR1))
  }

  @Test(
    "A signal to a process of the scenario passes, and one to another fails with EPERM and is reported"
  )
  func signals() {
    let containment = processes()

    #expect(containment.sees(SystemCallNumber.kill, 1))
    #expect(containment.enter(kill(getpid())).isPass)
    #expect(kernel.notices.isEmpty)
    #expect(containment.enter(kill(getppid())).skipped == -KernelError.notPermitted)
    #expect(kernel.notices.count == 1 && kernel.notices[0].contains("kill fails with EPERM"))
    // Who does not exist is for the kernel to say, and the same refusal is reported once.
    #expect(containment.enter(kill(.max)).isPass)
    #expect(containment.enter(kill(getppid())).skipped == -KernelError.notPermitted)
    #expect(kernel.notices.count == 1)
  }

  @Test("A signal to everybody reaches the scenario's other processes, one after the other")
  func everybody() {
    let containment = processes()
    for number: Int32 in [.max - 1, .max] {
      target.thread(number, isProcess: true).process.ordinal = 2
    }
    let call = kill(-1)

    let first = containment.enter(call)
    #expect([.max - 1, .max].contains(Int32(truncatingIfNeeded: first.made?[argument: 0] ?? 0)))
    // It is made again for the next one.
    let place = first.exit(of: call, 0).instructionPointer
    #expect(place != call.registers.instructionPointer)
    let second = containment.enter(call)
    #expect(second.made != nil && second.made?[argument: 0] != first.made?[argument: 0])
    #expect(second.exit(of: call, 0).instructionPointer == call.registers.instructionPointer)
    #expect(kernel.notices.count == 1)
  }

  @Test("A signal to many that is under way is forgotten with its thread, and with its program")
  func brokenBroadcasts() {
    for ends in [true, false] {
      let containment = processes()
      for number: Int32 in [.max - 1, .max] { _ = target.thread(number, isProcess: true) }
      let call = kill(-1)
      let first = containment.enter(call).made?[argument: 0]
      if ends {
        containment.threadEnded(target.tracee.identifier)
      } else {
        containment.programStarted(in: target.tracee.identifier)
      }
      #expect(containment.enter(call).made?[argument: 0] == first)
    }
  }

  @Test("A target that could read anything does not get the files of the runner's entry in /proc")
  func runnerFiles() {
    kernel.processes = [:]
    func open(_ containment: ProcessContainment, _ path: String) -> CallDisposition {
      containment.enter(
        target.call(SystemCallNumber.open, target.place(path), UInt64(O_RDONLY)))
    }
    let path = "/proc/\(getpid())/environ"

    #expect(open(processes(isRoot: true), path).skipped == -Int(EACCES))
    #expect(kernel.notices.count == 1)
    #expect(open(processes(isRoot: true), "/etc/hostname").isPass)
    #expect(open(processes(), path).isPass)
    #expect(processes(isRoot: true).sees(SystemCallNumber.open))
    #expect(!processes().sees(SystemCallNumber.open))
  }

  // MARK: - FileContainment

  private func files(_ folder: String, refuses: Bool) throws -> FileContainment {
    try #require(
      FileContainment(kernel: kernel, bounds: FileBounds(folders: [folder], refuses: refuses)))
  }

  private func remove(_ path: String) -> InterceptedCall {
    target.call(87, target.place(path))
  }

  @Test(
    "A change within the case's folders passes, and one beyond is refused with EROFS and reported")
  func refusedChanges() throws {
    let folder = try ProgramFolder()
    let beyond = try ProgramFolder()
    _ = folder.write([], to: "own")
    _ = beyond.write([], to: "other")
    let containment = try files(folder.path, refuses: true)

    #expect(containment.sees(87))
    #expect(containment.enter(remove("\(folder.path)/own")).isPass)
    #expect(containment.enter(remove("\(beyond.path)/none")).isPass)
    #expect(kernel.events.isEmpty)
    #expect(containment.enter(remove("\(beyond.path)/other")).skipped == -Int(EROFS))
    #expect(kernel.events.count == 1 && containment.account.changes.count == 1)
    let branch = try files(folder.path, refuses: true)
    branch.inherit(from: containment)
    #expect(branch.account.changes.count == 1)
  }

  @Test("A change that is only to be reported is made, and reported if it succeeds")
  func reportedChanges() throws {
    let folder = try ProgramFolder()
    let beyond = try ProgramFolder()
    _ = beyond.write([], to: "other")
    let containment = try files(folder.path, refuses: false)
    let call = remove("\(beyond.path)/other")

    let disposition = containment.enter(call)
    #expect(disposition.isWatch)
    disposition.exit(of: call, -Int(EACCES))
    #expect(kernel.events.isEmpty)
    disposition.exit(of: call, 0)
    #expect(kernel.events.count == 1)
  }

  // MARK: - CloneWatch

  private static let untraced = UInt64(CloneFlags.untraced)

  @Test(
    "A child that is to be made untraced is made traced, and its maker finds its own flags again")
  func untracedChildren() {
    let watch = CloneWatch(kernel: kernel, isAsking: true)
    let call = target.call(SystemCallNumber.clone, Self.untraced | 17)

    #expect(watch.sees(SystemCallNumber.clone, Self.untraced))
    #expect(!watch.sees(SystemCallNumber.clone, 17))
    #expect(
      !CloneWatch(kernel: kernel, isAsking: false).sees(SystemCallNumber.clone, Self.untraced))
    let disposition = watch.enter(call)
    #expect(disposition.made?[argument: 0] == 17)
    #expect(disposition.exit(of: call, 5)[argument: 0] == Self.untraced | 17)
    #expect(watch.enter(target.call(SystemCallNumber.clone, 17)).isProceed)
  }

  @Test("Flags in memory are changed there, and put back once the call has returned")
  func flagsInMemory() {
    let watch = CloneWatch(kernel: kernel, isAsking: true)
    let place = target.place(Self.untraced | 0x100)
    let call = target.call(SystemCallNumber.clone3, place, 88)

    let disposition = watch.enter(call)
    #expect(target.read(UInt64.self, at: place) == 0x100)
    disposition.exit(of: call, 5)
    #expect(target.read(UInt64.self, at: place) == Self.untraced | 0x100)
    #expect(kernel.looksAtAll == 0)
    _ = watch.enter(target.call(SystemCallNumber.clone, UInt64(CloneFlags.descriptor) | 0x1_0000))
    #expect(kernel.looksAtAll == 1)
  }

  @Test(
    "The child of a changed call gets the flags back as well, unless it has ended or runs a program"
  )
  func children() {
    for (ends, restored) in [(false, true), (true, false)] {
      let watch = CloneWatch(kernel: kernel, isAsking: true)
      let place = target.place(Self.untraced)
      _ = watch.enter(target.call(SystemCallNumber.clone3, place, 88))
      let child = target.thread(.max)
      watch.threadStarted(child.identifier, by: target.tracee.identifier)
      if ends { watch.threadEnded(child.identifier) }

      watch.restoreBirth(of: child)
      #expect((target.read(UInt64.self, at: place) == Self.untraced) == restored)
    }
  }
}
