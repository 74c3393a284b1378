import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls that open files, run programs and make terminals")
final class FileInterceptorTests {
  private let kernel = FakeKernel()
  private let target: FakeTarget
  private let folder: ProgramFolder

  init() throws {
    target = FakeTarget(kernel)
    folder = try ProgramFolder()
  }

  private func opening(_ path: String, _ flags: Int32) -> InterceptedCall {
    target.call(
      SystemCallNumber.openat, UInt64(bitPattern: Int64(AT_FDCWD)), target.place(path),
      UInt64(UInt32(bitPattern: flags)))
  }

  // MARK: - FileReplacer

  @Test("A replaced file is another one for who reads it, and itself for who writes it")
  func replacements() throws {
    try target.mapImage(replacementPaths: ["/first", "/second"])
    let path = folder.write([1], to: "certificates")
    let other = folder.write([1], to: "other")
    let replacer = FileReplacer([
      FileReplacement(paths: ["/nowhere"], replacement: "/first"),
      FileReplacement(paths: [path], replacement: "/second", isTrust: true),
    ])

    let made = try #require(replacer.enter(opening(path, O_RDONLY)).made)
    #expect(target.bytes(8, at: made[argument: 1]) == Array("/second".utf8) + [0])
    #expect(target.process.program.trust.files == [path])
    #expect(replacer.enter(opening(path, O_WRONLY)).isPass)
    #expect(replacer.enter(opening(other, O_RDONLY)).isPass)
    #expect(replacer.sees(SystemCallNumber.openat) && !replacer.sees(SystemCallNumber.stat))
  }

  @Test(
    "Programs also find a file that the machine does not have where they ask for it before they open it"
  )
  func additions() throws {
    try target.mapImage(replacementPaths: ["/second"])
    let path = folder.write([1], to: "added")
    func enter(isAddition: Bool) -> CallDisposition {
      FileReplacer([FileReplacement(paths: [path], replacement: "/second", isAddition: isAddition)])
        .enter(target.call(SystemCallNumber.stat, target.place(path), 0))
    }

    #expect(enter(isAddition: true).made != nil)
    #expect(enter(isAddition: false).isPass)
    let replacer = FileReplacer([
      FileReplacement(paths: [path], replacement: "/second", isAddition: true)
    ])
    #expect(replacer.sees(SystemCallNumber.stat))
  }

  // MARK: - FileTemplateWriter

  @Test(
    "A file of the template's name that a program makes to read and write it begins with the contents"
  )
  func templates() throws {
    let writer = FileTemplateWriter(
      FileTemplate(name: "cacerts", folder: folder.path, contents: [7, 8, 9]))
    func make(_ name: String, _ flags: Int32) -> [UInt8]? {
      let path = folder.file(name)
      let call = opening(path, flags)
      let disposition = writer.enter(call)
      let descriptor = open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      disposition.exit(of: call, Int(descriptor))
      return ProgramFolder.read(path)
    }

    #expect(make("cacerts", O_RDWR | O_CREAT) == [7, 8, 9])
    #expect(target.process.program.trust.files == ["\(folder.path)/cacerts"])
    unlink("\(folder.path)/cacerts")
    for flags in [O_RDWR | O_CREAT | O_EXCL, O_RDWR | O_CREAT | O_TRUNC, O_RDONLY | O_CREAT] {
      #expect(make("cacerts", flags) == [], "\(flags)")
      unlink("\(folder.path)/cacerts")
    }
    #expect(make("others", O_RDWR | O_CREAT) == [])
    // What it held before stays.
    _ = folder.write([1], to: "cacerts")
    #expect(make("cacerts", O_RDWR | O_CREAT) == [1])
  }

  // MARK: - FileObserver

  /// What an observer reports, in order.
  private final class Sights: @unchecked Sendable {
    /// All on the test's thread.
    var seen: [FileTouch] = []
  }

  @Test("Each file is reported before the call that is about it, and as what it will be done to it")
  func observer() {
    let sights = Sights()
    let observer = FileObserver(FileWatch { sights.seen.append($0) })
    let path = folder.write([1], to: "data")
    let calls = [
      opening(path, O_RDONLY), opening(path, O_WRONLY), opening(path, O_RDWR | O_TRUNC),
      opening(folder.path, O_RDONLY), target.call(87, target.place(path)),
      target.call(90, target.place(path), 0o600),
      target.call(SystemCallNumber.stat, target.place(path)),
      target.call(SystemCallNumber.execve, target.place(path), 0, 0),
    ]

    for call in calls { #expect(observer.enter(call).isPass) }
    #expect(
      sights.seen == [
        .read(path), .write(path, keepsContent: true), .write(path, keepsContent: false),
        .list(folder.path), .remove(path), .changeMode(path), .look(path), .run(path),
      ])
    #expect(observer.sees(SystemCallNumber.openat) && !observer.sees(SystemCallNumber.read))
  }

  // MARK: - LeakDetectors

  @Test("Programs without a leak detector run with the environment that they are given")
  func leakDetectors() throws {
    try target.mapImage()
    let detectors = LeakDetectors(kernel: kernel)
    let variable = target.place("A=b")
    let environment = target.place((variable, UInt64(0)))
    func run(_ path: String) -> CallDisposition {
      detectors.enter(
        target.call(SystemCallNumber.execve, target.place(path), environment, environment))
    }

    #expect(detectors.sees(SystemCallNumber.execve) && detectors.sees(SystemCallNumber.execveat))
    #expect(run("/bin/sh").isProceed && run("/nothing").isProceed)
    #expect(kernel.replaced.isEmpty && kernel.notices.isEmpty)
  }

  @Test(
    "A target that a leak detector is loaded into is started without, unless its author has decided"
  )
  func quietEnvironment() {
    let detectors = LeakDetectors(kernel: kernel)
    func environment(_ variables: String...) -> [String] {
      detectors.quietEnvironment(
        of: LaunchRequest(
          path: "/bin/sh", arguments: ["sh"], environment: variables, directory: "/",
          input: .bytes([])))
    }

    #expect(environment("A=b") == ["A=b"])
    let preload = "LD_PRELOAD=/usr/lib/libasan.so.8"
    #expect(environment(preload) == [preload, "LSAN_OPTIONS=detect_leaks=0"])
    #expect(
      environment("LSAN_OPTIONS=x=1", preload) == [preload, "LSAN_OPTIONS=detect_leaks=0:x=1"])
    let own = "ASAN_OPTIONS=detect_leaks=1"
    #expect(environment(own, preload) == [own, preload])
  }

  // MARK: - Terminals

  @Test(
    "A terminal that a target makes has all sleepers examined from then on, and speaks against a fork"
  )
  func terminals() {
    let terminals = Terminals(kernel: kernel, isVirtual: true)
    func request(_ number: UInt64) -> CallDisposition {
      terminals.enter(target.call(SystemCallNumber.ioctl, 3, number))
    }

    #expect(terminals.sees(SystemCallNumber.ioctl, 3, UInt64(TerminalRequest.unlock)))
    #expect(!terminals.sees(SystemCallNumber.ioctl, 3, 0x5401))
    #expect(Terminals(kernel: kernel, isVirtual: false).filterRules.isEmpty)
    #expect(request(0x5401).isProceed && !terminals.areInUse && terminals.obstacleToFork == nil)
    #expect(request(UInt64(TerminalRequest.unlock)).isProceed)
    #expect(terminals.areInUse && terminals.obstacleToFork != nil && kernel.looksAtAll == 1)
  }
}
