@testable import FaultEngine
import Testing

@Suite("The names of programs in chaos")
struct ProgramNamesTests {
  /// Debian's redis-server.
  private static let link = ProgramNames(
    executable: "/usr/bin/redis-check-rdb", started: "/usr/bin/redis-server")
  private static let script = ProgramNames(
    executable: "/usr/bin/dash", started: "/srv/steps.sh", name: "sh")
  private static let renamed = ProgramNames(
    executable: "/usr/bin/bash", started: "/bin/bash", name: "-bash")
  private static let plain = ProgramNames(executable: "/usr/bin/curl", started: "/usr/bin/curl")

  private static let cases: [(names: ProgramNames, met: [String], unmet: [String])] = [
    (
      link,
      [
        "redis-server", "redis-check-rdb", "redis-*", "/usr/bin/redis-server",
        "/usr/bin/redis-check-rdb", "**/redis-server", "/usr/*/redis-server",
      ],
      ["redis", "server", "/redis-server", "/bin/redis-server", "/opt/**"]
    ),
    (
      script, ["sh", "dash", "steps.sh", "*.sh", "/srv/*", "/usr/bin/dash", "**/steps.sh"],
      ["bash", "steps", "/bin/sh", "/srv/dash", "/usr/bin/steps.sh", "**/sh"]
    ),
    (
      renamed, ["-bash", "bash", "/bin/bash", "/usr/bin/bash"], ["-*sh?", "/bin/-bash", "sh"]
    ),
    (plain, ["curl", "c*", "/usr/bin/*", "*"], ["wget", "/bin/curl", "curl?"]),
  ]

  @Test("A condition holds by each name and path of a program, and by no other")
  func conditions() throws {
    for (names, met, unmet) in Self.cases {
      for glob in met + unmet {
        let error = met.contains(glob) ? "EIO" : nil
        var table = try FaultRuleSet.of(
          "  - { call: read, where: { process: '\(glob)' }, provide: { error: EIO } }")

        #expect(table.meet("read", LaidFacts(names: names)) == error, "\(glob) of \(names.text)")
      }
    }
  }

  @Test("An entry about processes takes a program by each of its names and paths, and by no other")
  func processes() throws {
    for (names, met, unmet) in Self.cases {
      for glob in met + unmet {
        var table = try FaultRuleSet.of("  - { process: '\(glob)', provide: kill }")
        var facts = LaidFacts(names: names)

        let decision = table.decideStart(isFirst: true, &facts)
        #expect((decision != nil) == met.contains(glob), "\(glob) of \(names.text)")
      }
    }
  }

  @Test("A process that is about to run something else is taken by its number alone")
  func unknown() throws {
    for (process, isMet) in [("'*'", false), ("'**'", false), ("1", true)] {
      var table = try FaultRuleSet.of("  - { process: \(process), provide: kill }")
      var facts = LaidFacts(names: .unknown)

      #expect((table.decideStart(isFirst: true, &facts) != nil) == isMet, "\(process)")
    }
  }

  @Test("Reports tell all names under which a program can be found, their own first")
  func texts() {
    #expect(Self.cases.map(\.names.name) == ["redis-server", "sh", "-bash", "curl"])
    #expect(
      Self.cases.map(\.names.text) == [
        "redis-server (redis-check-rdb)", "sh (steps.sh, dash)", "-bash (bash)", "curl",
      ])
    #expect(Self.plain == ProgramNames(executable: "/usr/bin/curl"))
    #expect(Self.plain.started == nil)
  }

  @Test("An entry that never fired tells the names that would have been met")
  func nearMisses() throws {
    var processes = try FaultRuleSet.of("  - { name: a, process: redis, provide: kill }")
    for names in [Self.link, Self.plain, Self.link] {
      var facts = LaidFacts(names: names)
      _ = processes.decideStart(isFirst: false, &facts)
    }
    #expect(
      processes.unfired().first?.explanation == [
        "these programs started: redis-server (redis-check-rdb) 2 times, curl once",
        "none of them matches \"redis\"",
      ])

    var calls = try FaultRuleSet.of(
      "  - { call: read, where: { path: /x, process: redis }, provide: { error: EIO } }")
    _ = calls.meet("read", LaidFacts(path: "/x", names: Self.link))
    #expect(
      calls.unfired().first?.explanation.last
        == "the nearest on /x had the process redis-server (redis-check-rdb)")

    var paths = try FaultRuleSet.of(
      "  - { call: read, where: { path: /x, process: /redis }, provide: { error: EIO } }")
    _ = paths.meet("read", LaidFacts(path: "/x", names: Self.link))
    #expect(
      paths.unfired().first?.explanation.last
        == "the nearest on /x had the process redis-server (/usr/bin/redis-server, /usr/bin/redis-check-rdb)"
    )
  }

  @Test("A program without a name of its own has that of its file")
  func nameless() {
    let names = ProgramNames(executable: "/usr/bin/cat", started: "/bin/cat", name: "")
    #expect(names.name == "cat")
    #expect(names.text == "cat")
  }
}
