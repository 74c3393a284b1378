import Glibc
import Testing

@Suite("Snapshots and expected texts that are written anew")
struct SnapshotTests {
  private static func text(_ words: String, _ matcher: String = "{ snapshot: true }") -> String {
    """
    version: 2
    name: talk
    target: { command: [sh, -c, '\(words)'] }
    expect:
      exit: 0
      stdout: \(matcher)  # what it says

    """
  }
  private static let path = "s/__snapshots__/a.yaml/talk.stdout.snap"

  @Test("A snapshot is written once, holds then, and differs with a diff where the program does")
  func lifetime() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one; echo two"), to: "s/a.yaml")
    let first = try project.scenario(["run", "s"])
    #expect(
      first.exitCode == 0 && first.errorOutput.contains("wrote \(Self.path)"), "\(first.text)")
    #expect(project.read(Self.path) == "one\ntwo\n")
    let second = try project.scenario(["run", "s"])
    #expect(second.exitCode == 0 && !second.errorOutput.contains("wrote"), "\(second.text)")

    try project.write(Self.text("echo one; echo three"), to: "s/a.yaml")
    let third = try project.scenario(["run", "s"])
    #expect(third.exitCode == 1 && third.output.contains("-two"), "\(third.text)")
    #expect(third.output.contains("+three") && third.output.contains("scenario review s/a.yaml"))
    #expect(
      third.errorOutput.contains("1 snapshot change needs a review: scenario review s/a.yaml"))
    #expect(project.read(Self.path) == "one\ntwo\n")
    #expect(project.read(Self.path + ".new") == "one\nthree\n")

    let shown = try project.scenario(["review", "s"])
    #expect(shown.exitCode == 1 && shown.output.contains("+three"), "\(shown.text)")
    try project.scenario(["review", "s", "--accept"]).expectExit(0)
    #expect(project.read(Self.path) == "one\nthree\n" && project.read(Self.path + ".new") == nil)
    try project.scenario(["run", "s"]).expectExit(0)
  }

  @Test(
    "Of what is looked at again and again, the text at which all holds becomes the snapshot",
    arguments: [
      """
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target: { command: 'echo half; sleep 2; echo full; touch done; exec sleep 1000' }
      steps:
        - start:
        - expect:
            eventually:
              within: 5s
              stdout: { snapshot: out }
              files: { done: { exists: true } }
        - stop:
      """,
      """
      target:
        command: 'echo half; test -e once || { touch once; exit 1; }; echo full'
      steps:
        - run:
          retry: 2
          expect: { exit: 0, stdout: { snapshot: out } }
      """,
    ])
  func tries(text: String) throws {
    let project = try ProjectFolder()
    try project.write("version: 2\n" + text + "\n", to: "s/a.yaml")
    let first = try project.scenario(["run", "s"])
    first.expectExit(0)
    #expect(project.read("s/__snapshots__/a.yaml/out.snap") == "half\nfull\n")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(
      "version: 2\n" + text.replacing("echo full", with: "echo empty") + "\n", to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
  }

  @Test("On a terminal each change is asked about")
  func asking() throws {
    let project = try ProjectFolder()
    let names = ["a", "b", "c", "d"]
    for word in ["one", "two"] {
      let scenarios = names.map { name in
        "  - { name: \(name), target: { command: [echo, \(word)] }, expect: { stdout: { snapshot: \(name) } } }"
      }
      try project.write(
        "version: 2\nscenarios:\n" + scenarios.joined(separator: "\n") + "\n", to: "s/a.yaml")
      _ = try project.scenario(["run", "s"])
    }
    try project.write(
      """
      version: 2
      name: review
      target:
        command: [sh, -c, 'cd \(project.path) && exec \(BuiltRunner.executable) review s']
        terminal: 80x24
      steps:
        - start:
        - wait: { stdout: '1/4 .*a.snap[^?]*uit\\?' }
        - send: "a\\n"
        - wait: { stdout: '2/4 .*b.snap[^?]*uit\\?' }
        - send: "what\\n"
        - wait: { stdout: 'what\\s+\\[a\\]ccept' }
        - send: "r\\n"
        - wait: { stdout: '3/4 .*c.snap[^?]*uit\\?' }
        - send: "s\\n"
        - wait: { stdout: '4/4 .*d.snap[^?]*uit\\?' }
        - send: "q\\n"
        - wait: exit
      expect:
        exit: 1
        stdout: { contains: "2 left" }

      """, to: "review.yaml")
    let run = try project.scenario(["run", "review.yaml"])
    run.expectExit(0)
    let held = names.map { project.read("s/__snapshots__/a.yaml/\($0).snap") }
    #expect(held == ["two\n", "one\n", "one\n", "one\n"])
    let pending = names.map { project.read("s/__snapshots__/a.yaml/\($0).snap.new") }
    #expect(pending == [nil, nil, "two\n", "two\n"])
  }

  @Test("What is rejected goes, and the snapshot stays")
  func rejection() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(Self.text("echo two"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
    try project.scenario(["review", "s", "--reject"]).expectExit(0)
    #expect(project.read(Self.path) == "one\n" && project.read(Self.path + ".new") == nil)
  }

  @Test(
    "Services that do not set CI are known, and CI says no for all of them",
    arguments: [
      ["TF_BUILD=True"], ["TEAMCITY_VERSION=2026.1"], ["CODEBUILD_BUILD_ID=a:1"],
      ["JENKINS_URL=http://j/"], ["JENKINS_HOME=/var/j", "BUILD_ID=7"], ["bamboo_buildKey=A-B"],
      ["GITLAB_CI=true"],
    ])
  func services(variables: [String]) throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one"), to: "s/a.yaml")
    let update = try project.scenario(["run", "-u", "missing", "s"], variables: variables)
    let built = try project.scenario(["run", "s"], variables: variables + ["CI="])

    let name = try #require(variables[0].split(separator: "=").first)
    #expect(
      update.exitCode == 2 && update.text.contains("variable \(name) is set"), "\(update.text)")
    built.expectExit(1)
    #expect(project.read(Self.path) == nil)
    let desk = try project.scenario(["run", "s"], variables: variables + ["CI=false"])
    #expect(desk.exitCode == 0 && project.read(Self.path) == "one\n", "\(desk.text)")
  }

  @Test("Where CI is set nothing is written: a missing snapshot fails, and --update is refused")
  func automatic() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one"), to: "s/a.yaml")
    let missing = try project.scenario(["run", "s"], variables: ["CI=true"])
    #expect(missing.exitCode == 1 && missing.output.contains("there is no snapshot"))
    #expect(missing.output.contains("--update missing"), "\(missing.text)")
    #expect(project.read(Self.path) == nil && project.read(Self.path + ".new") == nil)
    let refused = try project.scenario(["run", "s", "-u", "all"], variables: ["CI=true"])
    #expect(refused.exitCode == 2 && refused.errorOutput.contains("variable CI"))
  }

  @Test("A scenario that fails otherwise writes no snapshot")
  func failing() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one; exit 3"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
    #expect(project.read(Self.path) == nil && project.read(Self.path + ".new") == "one\n")
  }

  @Test("Elisions survive an update; the case's directory has a name, and secrets have none")
  func elisions() throws {
    let project = try ProjectFolder()
    try project.write(
      Self.text("echo in $PWD; echo took 12 ms; echo x; echo y; echo end sesame-open"),
      to: "s/a.yaml")
    let run = ["run", "s", "-u", "changed", "--secret", "WORD"]
    let first = try project.scenario(run, variables: ["WORD=sesame-open"])
    first.expectExit(0)
    #expect(project.read(Self.path) == "in $DIR\ntook 12 ms\nx\ny\nend ***\n")
    try project.write("in $DIR\ntook [..] ms\n...\nend ***\n", to: Self.path)
    try project.scenario(run, variables: ["WORD=sesame-open"]).expectExit(0)
    #expect(project.read(Self.path) == "in $DIR\ntook [..] ms\n...\nend ***\n")
    try project.write(
      Self.text("echo here: $PWD; echo took 99 ms; echo z; echo end"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
    try project.scenario(["run", "s", "-u", "changed"]).expectExit(0)
    #expect(project.read(Self.path) == "here: $DIR\ntook [..] ms\n...\nend\n")
  }

  @Test("A text in the scenario file is written anew in its place, comments kept")
  func literals() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one", "zero"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
    #expect(project.read("s/a.yaml") == Self.text("echo one", "zero"))
    let update = ["run", "s", "-u", "changed"]
    let run = try project.scenario(update)
    #expect(run.exitCode == 0 && run.errorOutput.contains("rewrote s/a.yaml"), "\(run.text)")
    #expect(project.read("s/a.yaml") == Self.text("echo one", "one"))

    try project.write(Self.text("echo one; echo two", "one"), to: "s/a.yaml")
    try project.scenario(update).expectExit(0)
    let block = try #require(project.read("s/a.yaml"))
    #expect(block.hasSuffix("  stdout: |  # what it says\n    one\n    two\n"), "\(block)")
    try project.scenario(["run", "s"]).expectExit(0)

    try project.write(Self.text("echo one; echo two", "{ lines: [one, 2] }"), to: "s/a.yaml")
    try project.scenario(update).expectExit(0)
    #expect(
      project.read("s/a.yaml") == Self.text("echo one; echo two", "{ lines: [one, two] }"))
    // A secret, and the name of a folder that no other run has, are not written there.
    for words in ["echo sesame-open", "pwd"] {
      try project.write(Self.text(words, "one"), to: "s/a.yaml")
      let run = try project.scenario(
        update + ["--secret", "WORD"], variables: ["WORD=sesame-open"])
      #expect(run.exitCode == 1 && project.read("s/a.yaml") == Self.text(words, "one"))
    }
    // What is no text that is written out is not changed.
    let contains = Self.text("echo one", "{ contains: two }")
    try project.write(contains, to: "s/a.yaml")
    try project.scenario(update).expectExit(1)
    #expect(project.read("s/a.yaml") == contains)
  }

  @Test("Snapshots that no scenario names are listed, and removed if that is said")
  func unreferenced() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("echo one"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.scenario(["review", "s", "--unreferenced"]).expectExit(0)
    let stale = "s/__snapshots__/a.yaml/old.snap"
    try project.write("old\n", to: stale)
    let listed = try project.scenario(["review", "s", "--unreferenced"])
    #expect(listed.exitCode == 1 && listed.output == stale + "\n", "\(listed.text)")
    // Where cases are left out, so are their snapshots.
    for filter in [["-k", "other"], ["--case", "x"], ["-t", "slow"]] {
      let refused = try project.scenario(["review", "s", "--unreferenced", "--delete"] + filter)
      #expect(refused.exitCode == 2 && project.read(stale) != nil, "\(refused.text)")
    }
    let nowhere = try project.scenario(["review", "nowhere"])
    #expect(nowhere.exitCode == 2 && nowhere.errorOutput.contains("there is no \"nowhere\""))
    let line = try project.scenario(["review", "s/a.yaml:2", "--unreferenced", "--delete"])
    #expect(line.exitCode == 2 && project.read(stale) != nil, "\(line.text)")
    try project.scenario(["review", "s", "--unreferenced", "--delete"]).expectExit(0)
    #expect(project.read(stale) == nil && project.read(Self.path) == "one\n")
  }

  @Test("Two conditions cannot name one snapshot; the rows of a matrix have one each")
  func conflict() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      scenarios:
        - { name: a, target: { command: [echo, a] }, expect: { stdout: { snapshot: both } } }
        - { name: b, target: { command: [echo, b] }, expect: { stdout: { snapshot: both } } }

      """, to: "s/a.yaml")
    let refused = try project.scenario(["check", "s"])
    #expect(refused.exitCode == 2 && refused.errorOutput.contains("name the snapshot \"both\""))
    try project.write(
      """
      version: 2
      name: rows
      matrix: { word: [one, two] }
      target: { command: [echo, "${{ matrix.word }}"] }
      expect: { exit: 0, stdout: { snapshot: both } }

      """, to: "s/a.yaml")
    let run = try project.scenario(["run", "s", "-j", "2"])
    run.expectExit(0)
    let written = run.errorOutput.split(separator: "\n").filter { $0.hasPrefix("wrote ") }
    #expect(written.count == 2, "\(run.text)")
    try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(0)
    // Repeated, a program that says something else each time is no ground for a snapshot.
    try project.write(Self.text("date +%N"), to: "s/a.yaml")
    let repeated = try project.scenario(["run", "s", "--repeat", "3", "-j", "2"])
    #expect(repeated.exitCode == 1 && repeated.output.contains("snapshot"), "\(repeated.text)")
  }

  @Test("What is not UTF-8 is no ground for a snapshot")
  func bytes() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("printf \"\\\\377\\\\n\""), to: "s/a.yaml")
    let run = try project.scenario(["run", "s"])
    #expect(run.exitCode == 1 && run.output.contains("not UTF-8"), "\(run.text)")
    #expect(project.read(Self.path) == nil)
  }

  @Test("As many cases at once as there may be write what one behind the other writes")
  func sameBytes() throws {
    let scenarios = (1...20).map { number in
      "  - { name: c\(number), target: { command: [echo, n\(number)] }, expect: { stdout: { snapshot: true } } }"
    }
    let text = "version: 2\nscenarios:\n" + scenarios.joined(separator: "\n") + "\n"
    var found: [[String: String?]] = []
    for jobs in ["1", "8"] {
      let project = try ProjectFolder()
      try project.write(text, to: "s/a.yaml")
      try project.scenario(["run", "s", "-j", jobs]).expectExit(0)
      let pairs = (1...20).map { number in
        ("c\(number)", project.read("s/__snapshots__/a.yaml/c\(number).stdout.snap"))
      }
      found.append(Dictionary(uniqueKeysWithValues: pairs))
    }
    #expect(found[0] == found[1] && found[0]["c7"] == "n7\n")
  }

  @Test("Names that lead elsewhere, and snapshots inside other conditions, are mistakes")
  func mistakes() throws {
    let project = try ProjectFolder()
    for matcher in [
      "{ snapshot: ../x }", "{ not: { snapshot: x } }", "{ snapshot: false }",
      "{ snapshot: x, equals: a }", "{ snapshot: x, empty: true }", "{ snapshto: x }",
    ] {
      try project.write(Self.text("echo one", matcher), to: "s/a.yaml")
      #expect(try project.scenario(["check", "s"]).exitCode == 2, "\(matcher)")
    }
    try project.write(Self.text("echo one", "{ line_count: 1 }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(Self.text("echo one", "{ line_count: { greater_than: 1 } }"), to: "s/a.yaml")
    let count = try project.scenario(["run", "s"])
    #expect(count.exitCode == 1 && count.output.contains("number of lines"), "\(count.text)")
  }
}
