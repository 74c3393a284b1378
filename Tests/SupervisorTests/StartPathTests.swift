import FaultEngine
import Testing

@testable import Supervisor

@Suite("The path by which a program was started")
struct StartPathTests {
  @Test(
    "It is absolute where that is possible, and none where it is no name",
    arguments: [
      ("/usr/bin/redis-server", "/usr/bin/redis-server"), ("./own", "/case/own"),
      ("own", "/case/own"), ("../own", "/own"), ("/bin//../sbin/own", "/sbin/own"),
      ("/dev/fd/5/tools/own", "tools/own"), ("/dev/fd/5", nil), ("/proc/self/exe", nil), ("", nil),
    ])
  func paths(text: String, path: String?) {
    #expect(TargetProcess.startPath(text) { "/case" } == path)
  }

  @Test("Where the folder is not known, a relative path stays one")
  func unknownFolder() {
    #expect(TargetProcess.startPath("./own") { nil } == "./own")
  }

  @Test("A child of fork(2) keeps its maker's names, and another program has others")
  func children() {
    let parent = TargetProcess(
      ThreadIdentifier(.max), arguments: ["./own", "x"], memories: OpenMemories())
    parent.program.startPath = "/case/own"
    let child = TargetProcess(
      ThreadIdentifier(Int32.max - 1), forkedFrom: parent, memories: OpenMemories())

    #expect(child.names.started == "/case/own")
    #expect(child.names == parent.names)
    #expect(child.names.name == child.programName)
    child.start(["ls"])
    #expect(child.names.started == nil)
    #expect(child.names.name == "ls")
  }
}
