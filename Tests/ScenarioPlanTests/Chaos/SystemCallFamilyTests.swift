@testable import FaultEngine
import Foundations
@testable import ScenarioPlan
import Testing

@Suite("Families of system calls")
struct SystemCallFamilyTests {
  @Test("A family has its members, with places for what they act on")
  func members() throws {
    let open = try SystemCallFamily.named("open")
    let rename = try #require(SystemCall.named("renameat2"))

    #expect(open.members.map(\.name) == ["open", "openat", "openat2", "creat"])
    #expect(open.members[1].subjects == [.path(argument: 1, directory: 0)])
    #expect(rename.subjects.count == 2)
  }

  @Test("What the kernel moves by itself is read from one descriptor and written to the other")
  func transfers() throws {
    for name in ["sendfile", "copy_file_range", "splice"] {
      for word in ["read", "@read"] {
        #expect(try PlannedCall.named(word).filter { $0.name == name }.map(\.end) == [.source])
      }
      for word in ["write", "@write"] {
        #expect(try PlannedCall.named(word).filter { $0.name == name }.map(\.end) == [.target])
      }
      #expect(try PlannedCall.named(name).map(\.end) == [nil])
      #expect(SystemCall.named(name)?.subjects.count == 2)
    }
  }

  @Test("A single call can be named by its kernel name")
  func single() throws {
    #expect(try SystemCallFamily.named("openat").members.map(\.name) == ["openat"])
  }

  @Test("No family and no call stands twice")
  func unique() {
    let names = SystemCallFamily.all.map(\.name)
    // unlinkat(2) belongs to two families, by its flag; transfers between descriptors, by their ends.
    let calls = SystemCallFamily.all.flatMap(\.members).map {
      "\($0.name) \($0.setFlags) \($0.end?.rawValue ?? "both")"
    }

    #expect(names == names.sorted())
    #expect(Set(names).count == names.count)
    #expect(Set(calls).count == calls.count)
  }

  @Test(
    "An errno has its number",
    arguments: [
      ("EPERM", 1), ("EAGAIN", 11), ("EWOULDBLOCK", 11), ("ENOSPC", 28), ("ETIMEDOUT", 110),
      ("EHWPOISON", 133),
    ])
  func errorNumbers(name: String, code: Int32) throws {
    #expect(try ErrorNumber.named(name) == ErrorNumber(name: name, code: code))
  }

  @Test("What does not exist is refused with the nearest name")
  func unknown() throws {
    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      chaos:
        - { call: fsnyc, provide: { error: EIO } }
        - { call: open, provide: { error: ENSPC } }
        - { call: open, where: { host: h }, provide: { error: EIO } }
        - { call: connect, where: { path: /x }, provide: { error: EIO } }
        - { call: open, where: { path: "[x" }, provide: { error: EIO } }
      """)

    #expect(
      errors.map(\.message) == [
        "unknown call \"fsnyc\"", "unknown error \"ENSPC\"", "\"open\" takes no address",
        "\"connect\" takes neither a path nor a file",
        "the pattern \"[x\" has a set that does not end or runs backwards",
      ])
    #expect(errors[0].help?.hasPrefix("did you mean \"fsync\"?") == true)
    #expect(errors[1].help?.hasPrefix("did you mean \"ENOSPC\"?") == true)
  }
}
