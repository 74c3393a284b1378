import Glibc
import Testing

@Suite("scenario show opens reports", .serialized)
struct ShowTests {
  private static let scenario = """
    version: 2
    name: says hello
    target: { command: [echo, hello] }
    """

  /// A folder with both reports of a run.
  private static func reports() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let path = folder.write(scenario, to: "a.yaml")
    let outcome = try BuiltRunner.run([
      "run", path, "--report", "html=\(folder.path)/a b.html", "--report",
      "jsonl=\(folder.path)/run.jsonl",
    ])
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    return folder
  }

  /// A browser that writes down what it is to open.
  private static func browser(in folder: TemporaryFolder) -> String {
    folder.write("#!/bin/sh\necho \"$*\" > \(folder.path)/opened\n", to: "browser", mode: 0o755)
  }

  @Test("A page is opened where it lies, by the browser that is named, and its address is printed")
  func page() throws {
    let folder = try Self.reports()
    let browser = Self.browser(in: folder)
    let outcome = try BuiltRunner.run(
      ["show", "\(folder.path)/a b.html"], prefix: ["env", "BROWSER=\(browser) --new %s"])
    let address = "file://\(folder.path)/a%20b.html"

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(outcome.output == address + "\n")
    for _ in 0..<2_000 where TemporaryFolder.read("\(folder.path)/opened") == nil { usleep(10_000) }
    #expect(TemporaryFolder.read("\(folder.path)/opened") == "--new \(address)\n")
  }

  @Test("Without a display, and where it is not wanted, nothing is started")
  func closed() throws {
    let folder = try Self.reports()
    let browser = Self.browser(in: folder)
    for (words, prefix) in [
      (["--no-open"], ["env", "BROWSER=\(browser)"]),
      ([], ["env", "-u", "BROWSER", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"]),
    ] {
      let outcome = try BuiltRunner.run(
        ["show", "\(folder.path)/a b.html"] + words, prefix: prefix)
      #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("file:///"), "\(outcome.text)")
    }
    #expect(TemporaryFolder.read("\(folder.path)/opened") == nil)
  }

  @Test("A browser that is not there is told, and the address stays")
  func noBrowser() throws {
    let folder = try Self.reports()
    let outcome = try BuiltRunner.run(
      ["show", "\(folder.path)/a b.html"], prefix: ["env", "BROWSER=/nowhere/browser"])

    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("file:///"))
    #expect(outcome.errorOutput.contains("the browser \"/nowhere/browser\" cannot be started"))
  }

  @Test("A stream is served to whoever knows the address, and to nobody else")
  func stream() throws {
    let folder = try Self.reports()
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(
      ["show", "\(folder.path)/run.jsonl"], prefix: ["env", "BROWSER=\(browser)"])
    defer {
      kill(running.process, SIGKILL)
      _ = running.wait()
    }
    try running.await("opened a browser") {
      TemporaryFolder.read("\(folder.path)/opened")?.hasSuffix("\n") ?? false
    }
    let address = String((TemporaryFolder.read("\(folder.path)/opened") ?? "").dropLast())
    #expect(address.hasPrefix("http://127.0.0.1:"))
    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address, "key:Enter",
      "eval:document.querySelector('h1[tabindex]').textContent",
      "eval:document.querySelector('.piece pre').textContent",
    ])
    #expect(look.output.hasPrefix("\"says hello\"\n\"hello\"\n"), "\(look.text)")
    #expect(
      look.output.contains("\"problems\": []") || look.output.contains("favicon"), "\(look.text)")

    func status(_ words: [String]) throws -> String {
      try BuiltRunner.command(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"] + words)
        .output
    }
    let site = address.split(separator: "/").prefix(2).joined(separator: "//") + "/"
    #expect(try status([address]) == "200")
    #expect(try status(["-I", address]) == "200")
    #expect(try status([site]) == "404")
    #expect(try status([String(address.dropLast(2)) + "x/"]) == "404")
    #expect(try status([address + "other"]) == "404")
    #expect(try status(["-d", "x", address]) == "405")
    #expect(try status(["-H", "Host: evil.test", address]) == "421")
  }

  @Test("A run is followed in the browser, and again when a file changes")
  func live() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(Self.scenario + "\nexpect: { stdout: hello }\n", to: "a.yaml")
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(["ui", path], prefix: ["env", "BROWSER=\(browser)"])
    defer { kill(running.process, SIGKILL) }
    try running.await("opened a browser") {
      TemporaryFolder.read("\(folder.path)/opened")?.hasSuffix("\n") ?? false
    }
    let address = String((TemporaryFolder.read("\(folder.path)/opened") ?? "").dropLast())
    let isWaiting = "document.querySelector('.live')?.textContent === 'waiting for changes'"
    func state(_ word: String) -> String {
      "until:document.querySelector('.row .state')?.textContent === '\(word)' && \(isWaiting)"
    }

    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address, state("passed"),
      "key:Enter", "eval:document.querySelector('.piece pre').textContent",
      "sh:sed -i 's/stdout: hello/stdout: goodbye/' '\(path)'",
      // The case is still open, and shows the new result.
      "until:document.querySelector('.comparison')?.textContent.includes('goodbye')",
      "eval:document.querySelector('h1[tabindex]').textContent", "key:Escape", state("failed"),
      "sh:sed -i 's/version: 2/version: [/' '\(path)'",
      "until:document.querySelector('.live')?.textContent.includes('mistakes')",
    ])

    #expect(look.exitCode == 0, "\(look.text)")
    #expect(look.output.hasPrefix("\"hello\"\n\"says hello\"\n"), "\(look.text)")
    kill(running.process, SIGINT)
    #expect(running.wait().exitCode == 2)
  }

  @Test("A case that fails is compared with the run in which it passed: what differs first")
  func against() throws {
    let folder = try TemporaryFolder()
    let program = folder.write("", to: "program.sh")
    let path = folder.write(
      """
      version: 2
      clock: { flow: auto }
      target: { command: [sh, \(program)] }
      expect: { duration: 3s }
      """, to: "a.yaml")
    for seconds in [2, 4] {
      _ = folder.write("sleep 1; echo a; sleep \(seconds); echo b", to: "program.sh")
      _ = try BuiltRunner.run([
        "run", path, "--report", "jsonl=\(folder.path)/\(seconds).jsonl",
      ])
    }
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(
      ["show", "\(folder.path)/4.jsonl", "--against", "\(folder.path)/2.jsonl"],
      prefix: ["env", "BROWSER=\(browser)"])
    defer {
      kill(running.process, SIGKILL)
      _ = running.wait()
    }
    try running.await("opened a browser") {
      TemporaryFolder.read("\(folder.path)/opened")?.hasSuffix("\n") ?? false
    }
    let address = String((TemporaryFolder.read("\(folder.path)/opened") ?? "").dropLast())
    let part = "document.querySelector('#difference + .box')"
    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address, "key:Enter",
      "eval:\(part).querySelector('p').textContent",
      "eval:\(part).querySelector('.gone').textContent",
      "eval:\(part).querySelector('.come').textContent",
      "click:#difference + .box button", "eval:document.querySelector('.event td').textContent",
    ])
    let lines = look.output.split(separator: "\n")

    try #require(look.exitCode == 0, "\(look.text)")
    #expect(lines[0].contains("that differs is number"), "\(look.text)")
    #expect(lines[1].contains("sleep 2") && lines[2].contains("sleep 4"), "\(look.text)")
    #expect(lines[3] == "\"runs sleep 4\"", "\(look.text)")

    _ = try BuiltRunner.run([
      "report", "convert", "\(folder.path)/4.jsonl", "--report", "html=\(folder.path)/4.html",
    ])
    let refused = try BuiltRunner.run([
      "show", "\(folder.path)/4.html", "--against", "\(folder.path)/2.jsonl", "--no-open",
    ])
    #expect(refused.exitCode == 2 && refused.errorOutput.contains("is a page"), "\(refused.text)")
  }

  @Test("An automatic build has nobody to look")
  func automatic() throws {
    let outcome = try BuiltRunner.run(
      ["ui", "--no-open", "scenarios"], prefix: ["env", "CI=true"])

    #expect(outcome.exitCode == 2)
    #expect(outcome.errorOutput.contains("nobody looks at an automatic build"))
  }

  @Test(
    "What is no report is refused, and so is a stream of another release that is not understood")
  func refused() throws {
    let folder = try Self.reports()
    let page = folder.write("<!DOCTYPE html><title>other</title>", to: "other.html")
    let events = TemporaryFolder.read("\(folder.path)/run.jsonl") ?? ""
    let line = try #require(events.split(separator: "\n").first)
    let old = folder.write(
      "\(line.replacing("\"version\":\"", with: "\"version\":\"9-"))\n{\"event\":\"later\",\"realTime\":1,\"data\":{}}\n",
      to: "old.jsonl")
    let cases = [
      (page, "is no report of a run"), ("\(folder.path)/none", "cannot be read"),
      (old, "is no event of this release; scenario 9-"),
      (folder.write("{}\n", to: "empty.jsonl"), "is no event of this release"),
    ]
    for (path, message) in cases {
      let outcome = try BuiltRunner.run(["show", path, "--no-open"])
      #expect(outcome.exitCode == 2, "\(outcome.text)")
      #expect(outcome.errorOutput.contains(message), "\(outcome.text)")
      #expect(outcome.output.isEmpty)
    }
  }
}
