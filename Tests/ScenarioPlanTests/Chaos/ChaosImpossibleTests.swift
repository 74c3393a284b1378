@testable import FaultEngine
import Foundations
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Chaos that cannot be")
struct ChaosImpossibleTests {
  private func plan(_ entry: String) throws -> [Diagnostic] {
    try Samples.plan("target: { command: [./program] }\nchaos:\n  - { \(entry) }").diagnostics
  }

  @Test(
    "A condition that no call can fulfil is an error, and its like that can be is none",
    arguments: [
      (
        "call: fsync, where: { port: 80 }", "call: read, where: { port: 80 }",
        "\"fsync\" takes no address"
      ),
      (
        "call: fsync, where: { fd: tcp }", "call: fsync, where: { fd: file }",
        "\"fsync\" cannot be called on a TCP socket"
      ),
      (
        "call: read, where: { path: a, host: b }", "call: sendfile, where: { path: a, host: b }",
        "no call of \"read\" has both a path and a host"
      ),
      (
        "call: '@write', where: { path: a, port: 80 }", "call: '@write', where: { port: 80 }",
        "no call of \"@write\" has both a path and a port"
      ),
      (
        "call: recv, where: { fd: file }", "call: recv, where: { fd: udp }",
        "\"recv\" cannot be called on a file"
      ),
      (
        "call: pread, where: { fd: pipe }", "call: read, where: { fd: pipe }",
        "\"pread\" cannot be called on a pipe"
      ),
      (
        "call: read, where: { fd: file, port: 80 }",
        "call: read, where: { fd: [file, tcp], port: 80 }",
        "descriptors of \"fd: file\" have no host or port"
      ),
      (
        "call: read, where: { fd: tcp, path: x }", "call: read, where: { fd: pipe, path: x }",
        "descriptors of \"fd: tcp\" have no path"
      ),
      (
        "call: read, where: { fd: tcp, offset: 3 }", "call: read, where: { fd: file, offset: 3 }",
        "descriptors of \"fd: tcp\" have no offset"
      ),
      (
        "call: connect, where: { port: 99999 }", "call: connect, where: { port: 65535 }",
        "\"port\" can never be 99999"
      ),
      (
        "call: read, where: { size: { less_than: 0 } }",
        "call: read, where: { size: { less_than: 1 } }", "\"size\" can never be less than 0"
      ),
      (
        "call: read, where: { size: { greater_than: 10, less_than: 5 } }",
        "call: read, where: { size: { greater_than: 5, less_than: 10 } }",
        "\"size\" can never be greater than 10 and less than 5"
      ),
      (
        "call: fsync, where: { args: { 1: 4 } }", "call: fsync, where: { args: { 0: 4 } }",
        "\"fsync\" has 1 argument"
      ),
      (
        "call: sync, where: { args: { 1: 4 } }", "call: [sync, write], where: { args: { 2: 4 } }",
        "\"sync\" has 2 arguments"
      ),
      ("call: read, where: { path: '' }", "call: read, where: { path: '*' }", "\"path\" is empty"),
    ])
  func conditions(entry: String, other: String, message: String) throws {
    let message = message == "\"sync\" has 2 arguments" ? "\"sync\" has 1 argument" : message
    #expect(try plan(entry + ", provide: nil").map(\.message) == [message])
    #expect(try plan(other + ", provide: nil").map(\.message) == [])
  }

  @Test(
    "An error that what the entry names never meets is warned of",
    arguments: [
      ("call: read, where: { fd: file }", "EINTR", "EIO"),
      ("call: read, where: { fd: file }", "EAGAIN", "EIO"),
      ("call: recv, where: { fd: unix }", "EIO", "EINTR"),
      ("call: write, where: { fd: pipe }", "ENOSPC", "EPIPE"),
      ("call: write, where: { fd: file }", "EPIPE", "ENOSPC"),
    ])
  func errors(entry: String, never: String, sometimes: String) throws {
    let warnings = try plan("\(entry), provide: { error: \(never) }")
    let word = try #require(entry.split(separator: "fd: ").last?.prefix { $0 != " " })
    let kind = word == "unix" ? "Unix socket" : String(word)

    #expect(
      warnings.first?.message.hasSuffix(" on a \(kind) never fails with \(never)")
        == true)
    #expect(warnings.allSatisfy { $0.severity == .warning })
    #expect(try plan("\(entry), provide: { error: \(sometimes) }").map(\.message) == [])
  }

  @Test("An error within a branch is held against what the branch names")
  func branches() throws {
    func entry(_ kind: String) -> String {
      "call: read, provide: { match: [{ where: { fd: \(kind) }, provide: { error: EINTR } }] }"
    }

    #expect(try plan(entry("file")).map(\.message) == ["\"read\" on a file never fails with EINTR"])
    #expect(try plan(entry("pipe")).map(\.message) == [])
  }

  @Test("Places that are never reached, and branches that are never met, are warned of")
  func unreached() throws {
    let branches =
      "call: read, provide: { match: [{ where: { fd: FIRST }, provide: nil }, "
      + "{ where: { fd: tcp }, provide: nil }] }"

    #expect(
      try plan("call: read, when: { nth: [3, 5], times: 1 }, provide: nil").map(\.message)
        == ["\"times: 1\" excludes 1 of \"nth\""])
    #expect(
      try plan("call: read, when: { nth: [3, 5], times: 2 }, provide: nil").map(\.message) == [])
    #expect(
      try plan(branches.replacing("FIRST", with: "tcp")).map(\.message)
        == ["this branch never matches: branch 1 matches all of its calls"])
    #expect(try plan(branches.replacing("FIRST", with: "udp")).map(\.message) == [])
  }

  @Test("Chance draws what the descriptor can meet, whatever the page names")
  func documented() throws {
    func errors(_ kind: DescriptorKind) throws -> Set<String> {
      var table = try FaultRuleSet.of(
        "  - { call: write, provide: { random: { error: documented } } }")
      return Set((0..<200).compactMap { _ in table.meet("write", LaidFacts(kind: kind)) })
    }

    #expect(try errors(.file) == ["ENOSPC", "EIO", "EDQUOT", "EFBIG"])
    #expect(try errors(.pipe) == ["EPIPE", "EINTR"])
    #expect(try errors(.tcp) == ["EPIPE", "EINTR"])
    #expect(try errors(.tty) == ["EIO", "EINTR"])
  }

  @Test(
    "Bytes are computed where there are some, from themselves",
    arguments: [
      ("write", "bytes: byte ^ 32", nil),
      ("fsync", "bytes: byte", "\"fsync\" transfers no bytes to compute"),
      ("read", "result: byte", "\"byte\" and \"index\" are defined only in \"bytes\""),
      ("read", "bytes: result", "a byte cannot depend on the result"),
      ("read", "bytes: 'index + byte(args[1])'", nil),
    ] as [(String, String, String?)])
  func bytes(call: String, compute: String, message: String?) throws {
    let messages = try plan("call: \(call), provide: { compute: { \(compute) } }").map(\.message)

    #expect(messages == (message.map { [$0] } ?? []))
  }

  // MARK: - Calls and groups

  @Test(
    "Names of the C library stand for the calls that it makes",
    arguments: [
      ("pread", "preadv2"), ("nanosleep", "clock_nanosleep"), ("waitpid", "wait4"),
      ("setrlimit", "prlimit64"), ("fork", "clone"), ("getpid", "getpid"), ("futex", "futex"),
      ("sigprocmask", "rt_sigprocmask"), ("mq_send", "mq_timedsend"), ("umount2", "umount2"),
    ])
  func aliases(name: String, call: String) throws {
    #expect(try SystemCallFamily.named(name).members.map(\.name).contains(call))
  }

  @Test("One call belongs to two families by its flags")
  func flags() throws {
    var folders = try FaultRuleSet.of("  - { call: rmdir, provide: { error: EBUSY } }")
    #expect(folders.meet("unlinkat", LaidFacts(flagWord: 0x200)) == "EBUSY")
    #expect(folders.meet("unlinkat", LaidFacts(flagWord: 0)) == nil)
    var files = try FaultRuleSet.of("  - { call: unlink, provide: { error: EBUSY } }")
    #expect(files.meet("unlinkat", LaidFacts(flagWord: 0x200)) == nil)
    #expect(files.meet("unlinkat", LaidFacts(flagWord: 0)) == "EBUSY")
    var all = try FaultRuleSet.of("  - { call: '@remove', provide: { error: EBUSY } }")
    #expect(all.meet("unlinkat", LaidFacts(flagWord: 0x200)) == "EBUSY")
    #expect(all.meet("unlinkat", LaidFacts(flagWord: 0)) == "EBUSY")
    var single = try FaultRuleSet.of("  - { call: unlinkat, provide: { error: EBUSY } }")
    #expect(single.meet("unlinkat", LaidFacts(flagWord: 0x200)) == "EBUSY")
    var forks = try FaultRuleSet.of("  - { call: fork, provide: { error: EAGAIN } }")
    #expect(forks.meet("clone", LaidFacts(flagWord: 0x11)) == "EAGAIN")
    #expect(forks.meet("clone", LaidFacts(flagWord: 0x1_0000)) == nil)
  }

  @Test("Groups have every way to what they are about")
  func groups() throws {
    var entropy = try FaultRuleSet.of("  - { call: '@entropy', provide: { error: EIO } }")
    #expect(entropy.meet("getrandom") == "EIO")
    #expect(entropy.meet("read", path: "/dev/urandom") == "EIO")
    #expect(entropy.meet("openat", path: "/dev/random") == "EIO")
    #expect(entropy.meet("read", path: "/etc/passwd") == nil)
    var descriptors = try FaultRuleSet.of("  - { call: '@fd', provide: { error: EMFILE } }")
    #expect(descriptors.meet("fcntl", LaidFacts(arguments: [1: 1030])) == "EMFILE")
    #expect(descriptors.meet("fcntl", LaidFacts(arguments: [1: 3])) == nil)
    #expect(descriptors.meet("signalfd4") == "EMFILE")
    for (group, call) in [("@read", "sendfile"), ("@write", "setxattr"), ("@spawn", "vfork")] {
      #expect(try PlannedCall.named(group).map(\.name).contains(call))
    }
  }

  @Test("Reading the clock, which needs no call, is refused with what to write")
  func clock() throws {
    let error = try #require(
      try Samples.errors(
        "target: { command: [./program] }\nchaos:\n  - { call: gettimeofday, provide: nil }"
      ).first)

    #expect(error.message.hasPrefix("programs read the clock from memory"))
    #expect(error.help == "move the clock with a step, such as jump: -1h")
  }

  // MARK: - Near misses

  @Test("The nearest miss is the one that one condition alone passed over, and says which")
  func nearest() throws {
    var table = try FaultRuleSet.of(
      "  - { call: read, where: { path: /x/lines, process: ruby }, provide: { error: EIO } }")
    let names = ProgramNames(executable: "/usr/bin/ruby3.1")
    for number in 0..<300 {
      _ = table.meet("read", LaidFacts(path: "/l\(number)/lines", names: names))
    }
    _ = table.meet("read", LaidFacts(path: "/x/lines", names: names))
    for number in 0..<300 {
      _ = table.meet("read", LaidFacts(path: "/m\(number)/lines", names: names))
    }

    let unfired = try #require(table.unfired().first)
    #expect(unfired.closestSubjects.first == "/x/lines")
    #expect(unfired.explanation.last == "the nearest on /x/lines had the process ruby3.1")
  }
}

@Suite("Functions that cannot be")
struct ImpossibleFunctionTests {
  @Test(
    "Names of functions that mean nothing are errors",
    arguments: [
      ("function: ''", "a function's name is empty"),
      ("function: '*'", "\"*\" matches every function"),
      (
        "function: 'BN_*', except: RSA_free", "\"RSA_free\" is not among the named functions"
      ),
      ("function: BN_free, except: BN_free", "\"BN_free\" is not among the named functions"),
    ])
  func names(entry: String, message: String) throws {
    let errors = try Samples.errors(
      "target: { command: [./program] }\nchaos:\n  - { \(entry), provide: nil }")

    #expect(errors.map(\.message) == [message])
  }

  @Test("Names with asterisks go with exceptions, places and lists of errors")
  func patterns() throws {
    let entries = try FaultRuleSet.of(
      """
        - { function: 'BN_*', except: [BN_free, 'BN_is*'], in: libcrypto, provide: nil }
        - { function: '*', in: libz, provide: { random: { error: [EIO] } } }
      """
    ).entries

    #expect(entries[0].functions?.exceptions == ["BN_free", "BN_is*"])
    #expect(entries[1].provider == .randomError(["*": [ErrorNumber(name: "EIO", code: 5)]]))
  }
}
