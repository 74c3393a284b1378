import Testing

@testable import Supervisor

@Suite("The mappings of a process")
struct MappingListTests {
  @Test(
    "Others may have the memory that is a file's which they can find",
    arguments: [
      ("rw-s 00000000 00:1a 12 /dev/shm/data", true),
      ("rw-s 00000000 00:1a 12 /dev/shm/sem.Xy1z (deleted)", true),
      ("rw-s 00000000 00:01 12 /SYSV00000000 (deleted)", true),
      ("rw-s 00000000 fe:00 12 /srv/a file", true),
      ("rw-s 00000000 fe:00 12 /srv/a file (deleted)", false),
      ("rw-s 00000000 00:01 12 /dev/zero (deleted)", false),
      ("rw-s 00000000 00:01 12 /memfd:x (deleted)", false),
      ("rw-p 00000000 fe:00 12 /srv/a file", false), ("rw-p 00000000 00:00 0 ", false),
    ])
  func shared(line: String, isNamed: Bool) {
    let list = MappingList("7f0000000000-7f0000001000 \(line)\n")
    #expect(list.isInNamedSharedFile(0x7f00_0000_0ff8) == isNamed)
    #expect(!list.isInNamedSharedFile(0x7f00_0000_1000))
  }
}
