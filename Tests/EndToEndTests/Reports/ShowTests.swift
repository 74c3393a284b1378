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

  /// A browser that writes down what it is to open, keeps what that is if it is a file, and stays.
  private static func browser(in folder: TemporaryFolder) -> String {
    folder.write(
      """
      #!/bin/sh
      for word; do :; done
      file=${word#file://}
      cp "$file" '\(folder.path)/page' 2> /dev/null
      stat -c '%a' "$file" "${file%/*}" > '\(folder.path)/modes' 2> /dev/null
      echo "$*" > '\(folder.path)/opening'
      mv '\(folder.path)/opening' '\(folder.path)/opened'
      [ -z "$STAYS" ] || sleep 1000

      """, to: "browser", mode: 0o755)
  }

  /// The processes whose command line has a text.
  private static func processes(named text: String) -> [pid_t] {
    TemporaryFolder.names("/proc").compactMap { pid_t($0) }.filter {
      TemporaryFolder.read("/proc/\($0)/cmdline")?.contains(text) ?? false
    }
  }

  /// Waits until a browser was started, and returns the address to which the file leads that it was given.
  private static func address(
    openedBy running: BuiltRunner.Running, in folder: TemporaryFolder
  ) throws -> String {
    try running.await("opened a browser") {
      TemporaryFolder.read("\(folder.path)/opened")?.hasSuffix("\n") ?? false
    }
    let page = TemporaryFolder.read("\(folder.path)/page") ?? ""
    let beginning = try #require(page.firstRange(of: "url="), "\(page)")
    return String(page[beginning.upperBound...].prefix { $0 != "\"" })
  }

  @Test("A page is opened where it lies, by the browser that is named, and its address is printed")
  func page() throws {
    let folder = try Self.reports()
    let browser = Self.browser(in: folder)
    let outcome = try BuiltRunner.run(
      ["show", "\(folder.path)/a b.html"], prefix: ["env", "BROWSER=\(browser) --new %s"])
    let address = "file://\(folder.path)/a%20b.html"

    outcome.expectExit(0)
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

    outcome.expectExit(0)
    #expect(outcome.output.hasPrefix("file:///"))
    #expect(outcome.errorOutput.contains("the browser \"/nowhere/browser\" cannot start"))
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
    let address = try Self.address(openedBy: running, in: folder)
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
    #expect(try status([String(address.dropLast()) + "x/"]) == "404")
    #expect(try status([String(address.dropLast(2)) + "/"]) == "404")
    #expect(try status([address + "other"]) == "404")
    #expect(try status(["-d", "x", address]) == "405")
    #expect(try status(["-H", "Host: evil.test", address]) == "421")
  }

  @Test(
    "No command line has the token: a file leads there that only its owner may read, until the browser came"
  )
  func secret() throws {
    let folder = try Self.reports()
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(
      ["show", "\(folder.path)/run.jsonl"], prefix: ["env", "STAYS=1", "BROWSER=\(browser)"])
    defer {
      kill(running.process, SIGKILL)
      _ = running.wait()
    }
    let address = try Self.address(openedBy: running, in: folder)
    let token = try #require(address.split(separator: "/").last)
    let opened = String((TemporaryFolder.read("\(folder.path)/opened") ?? "").dropLast())
    let file = String(opened.dropFirst("file://".count))
    let browsers = Self.processes(named: file)
    defer { for process in browsers { kill(-process, SIGKILL) } }

    #expect(token.count > 16)
    #expect(opened.hasPrefix("file://") && opened.hasSuffix("/open.html"), "\(opened)")
    #expect(TemporaryFolder.read("\(folder.path)/modes") == "600\n700\n")
    // The browser is there, and found by what its command line has.
    #expect(!browsers.isEmpty)
    #expect(Self.processes(named: String(token)) == [])
    #expect(access(file, F_OK) == 0)
    #expect(try BuiltRunner.command(["curl", "-s", address]).output.hasPrefix("<!DOCTYPE html>"))
    #expect(access(file, F_OK) != 0)
  }

  @Test("A run is followed in the browser, and again when a file changes")
  func live() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(Self.scenario + "\nexpect: { stdout: hello }\n", to: "a.yaml")
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(["ui", path], prefix: ["env", "BROWSER=\(browser)"])
    defer { kill(running.process, SIGKILL) }
    let address = try Self.address(openedBy: running, in: folder)
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
      "until:document.querySelector('.mistakes:not([hidden])')?.textContent.includes('a.yaml:1:')",
    ])

    look.expectExit(0)
    #expect(look.output.hasPrefix("\"hello\"\n\"says hello\"\n"), "\(look.text)")
    kill(running.process, SIGINT)
    #expect(running.wait().exitCode == 2)
  }

  @Test("Cases are shown as they end, while others run, and what was searched for stays")
  func progress() throws {
    let folder = try TemporaryFolder()
    let go = "\(folder.path)/go"
    let path = folder.write(
      """
      version: 2
      timeout: 2m
      scenarios:
        - { name: first, target: { command: [echo, hello] } }
        - { name: second, target: { command: [bash, -c, "until [ -e \(go) ]; do sleep 0.1; done"] } }

      """, to: "a.yaml")
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(
      ["ui", path, "-j", "2"], prefix: ["env", "BROWSER=\(browser)"])
    defer { kill(running.process, SIGKILL) }
    let address = try Self.address(openedBy: running, in: folder)
    let find =
      "(() => { const field = document.querySelector('.finder input'); field.value = 'hello';"
      + " field.dispatchEvent(new Event('input')); return 1; })()"

    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address,
      "until:document.querySelector('.row .state')?.textContent === 'passed'",
      "eval:document.querySelector('.live').textContent",
      "eval:[...document.querySelectorAll('.row .state')].map((each) => each.textContent).join()",
      "key:Enter", "until:document.querySelector('.finder input')", "eval:" + find,
      "sh:touch '\(go)'",
      "until:document.querySelector('.live')?.textContent === 'waiting for changes'",
      "eval:document.querySelector('.finder input').value", "key:Escape", "key:Escape",
      "eval:[...document.querySelectorAll('.row .state')].map((each) => each.textContent).join()",
    ])

    look.expectExit(0)
    let lines = look.output.split(separator: "\n")
    try #require(lines.count > 4, "\(look.text)")
    #expect(lines[0].contains("1 of 2"), "\(look.text)")
    #expect(lines[1] == "\"passed,running\"" && lines[3] == "\"hello\"", "\(look.text)")
    #expect(lines[4] == "\"passed,passed\"", "\(look.text)")
  }

  @Test(
    "A case is shown while it runs, and the part of it that its reader has chosen stays in sight")
  func underWay() throws {
    let folder = try TemporaryFolder()
    let (middle, end) = ("\(folder.path)/middle", "\(folder.path)/end")
    let path = folder.write(
      """
      version: 2
      timeout: 2m
      scenarios:
        - name: slow
          clock: { at: 2030-01-01T00:00:00Z, flow: real }
          target:
            command:
              - bash
              - -c
              - |
                echo one
                until [ -e \(middle) ]; do sleep 0.1; done
                echo two
                until [ -e \(end) ]; do sleep 0.1; done

      """, to: "a.yaml")
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(["ui", path], prefix: ["env", "BROWSER=\(browser)"])
    defer { kill(running.process, SIGKILL) }
    let address = try Self.address(openedBy: running, in: folder)
    let state = "document.querySelector('.case .title > span').textContent"
    let output =
      "[...document.querySelectorAll('.piece pre')].map((each) => each.textContent).join()"

    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address,
      "until:document.querySelector('.row .state')?.textContent === 'running'", "key:Enter",
      "until:\(output) === 'one'", "eval:\(state)",
      "eval:document.querySelector(\"[title='the axis shows virtual time']\").ariaPressed",
      "click:[title^='shorten long periods']", "sh:touch '\(middle)'",
      "until:\(output) === 'one,two'", "eval:\(state)",
      "eval:document.querySelector(\"[title^='shorten long periods']\").ariaPressed",
      "sh:touch '\(end)'", "until:\(state) === 'passed'", "eval:\(output)",
      "eval:document.querySelector(\"[title='the axis shows virtual time']\").ariaPressed",
    ])

    look.expectExit(0)
    #expect(
      look.output.split(separator: "\n").prefix(6) == [
        "\"running\"", "\"true\"", "\"running\"", "\"false\"", "\"one,two\"", "\"true\"",
      ], "\(look.text)")
  }

  @Test("A case whose run is killed does not run on in the page")
  func killed() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      timeout: 2m
      name: endless
      target: { command: [bash, -c, 'while :; do echo on; sleep 0.1; done'] }

      """, to: "a.yaml")
    let other = folder.write(
      "version: 2\nname: other\ntarget: { command: ['false'] }\nexpect: { exit: 0 }\n", to: "b.yaml"
    )
    let browser = Self.browser(in: folder)
    let running = try BuiltRunner.start(
      ["ui", path, other, "-j", "1", "--order", "file"], prefix: ["env", "BROWSER=\(browser)"])
    defer { kill(running.process, SIGKILL) }
    let address = try Self.address(openedBy: running, in: folder)
    let states =
      "[...document.querySelectorAll('.row .state')].map((each) => each.textContent).join()"

    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address,
      "until:\(states) === 'running'",
      "sh:kill -KILL $(cat /proc/\(running.process)/task/*/children)",
      "until:document.querySelector('.live')?.textContent === 'waiting for changes'",
      "until:\(states) === 'errored'", "sh:echo >> '\(other)'",
      "until:\(states).endsWith('failed')", "eval:\(states)",
    ])

    look.expectExit(0)
    #expect(look.output.hasPrefix("\"errored,failed\"\n"), "\(look.text)")
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
    let address = try Self.address(openedBy: running, in: folder)
    let part = "document.querySelector('#difference + .box')"
    let look = try BuiltRunner.command([
      "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address, "key:Enter",
      "eval:\(part).querySelector('p.first').textContent",
      "eval:\(part).querySelector('.gone').textContent",
      "eval:\(part).querySelector('.come').textContent",
      "click:#difference + .box button", "eval:document.querySelector('.event td').textContent",
    ])
    let lines = look.output.split(separator: "\n")

    try #require(look.exitCode == 0, "\(look.text)")
    #expect(lines[0].contains("sleep differs from event 1 on, at +1 s"), "\(look.text)")
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

  @Test(
    "A case that fails is compared with the last run in which it passed, which the project remembers"
  )
  func remembered() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      clock: { flow: auto }
      target: { command: [sh, \(project.path)/program.sh] }
      expect: { stdout: { contains: a } }

      """, to: "a.yaml")
    func run(_ program: String, _ options: [String] = ["--report", "jsonl=run.jsonl"]) throws {
      try project.write(program, to: "program.sh")
      _ = try project.scenario(["run", "a.yaml"] + options)
    }
    let folder = try TemporaryFolder()
    let browser = Self.browser(in: folder)
    /// What the page of the last run's stream says of what differs.
    func difference() throws -> String {
      for name in ["opened", "page"] { unlink("\(folder.path)/\(name)") }
      let running = try BuiltRunner.start(
        ["show", "run.jsonl"], prefix: ["env", "-C", project.path, "BROWSER=\(browser)"])
      defer {
        kill(running.process, SIGKILL)
        _ = running.wait()
      }
      let address = try Self.address(openedBy: running, in: folder)
      let look = try BuiltRunner.command([
        "python3", "\(BuiltRunner.root)/Tests/Browser/look.py", address, "key:Enter",
        "eval:document.querySelector('#difference + .box')?.textContent ?? null",
      ])
      return String(look.output.prefix { $0 != "\n" })
    }

    // What fails from the first run on has nothing to be compared with.
    try run("sleep 1; echo b")
    #expect(try difference() == "null")
    try run("sleep 1; echo a")
    try run("sleep 2; echo a")
    try run("sleep 3; echo b")
    let text = try difference()
    #expect(text.contains("it passed in the run of "), "\(text)")
    // The last one that passed, and no other.
    #expect(text.contains("sleep 2") && !text.contains("sleep 1"), "\(text)")
    #expect(project.read(".scenario/passed/.gitignore") == "*\n")

    // The page that a run writes itself says the same; a run without a timeline remembers nothing.
    try run("sleep 4; echo a", [])
    try run("sleep 5; echo b", ["--report", "html=run.html"])
    let page = project.read("run.html") ?? ""
    #expect(page.contains("id=\"baseline\"") && page.contains("sleep\",\"2"), "\(page.count)")
    #expect(!page.contains("sleep\",\"4"))
  }

  @Test("What somebody has put in the place of a case that passed is not taken for one")
  func tampered() throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\nname: n\ntarget: { command: [sh, -c, 'exit $CODE'], env: { CODE: '0' } }\nexpect: { exit: 0 }\n",
      to: "a.yaml")
    _ = try project.scenario(["run", "a.yaml", "--report", "jsonl=run.jsonl"])
    let names = TemporaryFolder.names("\(project.path)/.scenario/passed")
    let name = try #require(names.first)
    let former = try #require(project.read(".scenario/passed/\(name)"))
    try project.write(
      (project.read("a.yaml") ?? "").replacing("CODE: '0'", with: "CODE: '3'"), to: "a.yaml")
    func page() throws -> String {
      _ = try project.scenario(["run", "a.yaml", "--report", "html=run.html"])
      return project.read("run.html") ?? ""
    }

    #expect(names.count == 1)
    #expect(try page().contains("id=\"baseline\""))
    for other in [
      former.replacing("\"seed\"", with: "\"x\":\"</script><script>alert(1)</script>\",\"seed\""),
      former.replacing("\"version\":\"", with: "\"version\":\"9-"), "{}\n{}\n",
      String(former.dropLast(40)),
    ] {
      #expect(other != former)
      try project.write(other, to: ".scenario/passed/\(name)")
      #expect(try !page().contains("id=\"baseline\""), "\(other.prefix(200))")
    }
  }

  @Test("Cases of equal names in two folders of a project are not compared with each other")
  func folders() throws {
    let project = try ProjectFolder()
    for (folder, code) in [("a", 0), ("b", 3)] {
      try project.write(
        "version: 2\nname: n\ntarget: { command: [sh, -c, 'exit \(code)'] }\nexpect: { exit: 0 }\n",
        to: "\(folder)/x.yaml")
    }
    func page(_ folder: String, _ file: String) throws -> String {
      _ = try project.scenario(["run", file, "--report", "html=run.html"], below: folder)
      return project.read("\(folder)/run.html") ?? ""
    }

    _ = try page("a", "x.yaml")
    #expect(try !page("b", "x.yaml").contains("id=\"baseline\""))
    // The same case is known from anywhere.
    try project.write(
      (project.read("a/x.yaml") ?? "").replacing("exit 0'", with: "exit 4'"), to: "a/x.yaml")
    #expect(try page("b", "../a/x.yaml").contains("id=\"baseline\""))
  }

  @Test("Of the cases that passed the newest are kept, and what else lies there stays")
  func pruned() throws {
    let project = try ProjectFolder()
    try project.write("version: 2\nname: n\ntarget: { command: [date] }\n", to: "a.yaml")
    try project.write("mine", to: "other/notes.txt")
    let fill = "for i in $(seq 10005); do : > $(printf '%032d.json' $i); done"
    for folder in [".scenario/passed", "other"] {
      try project.write("mine", to: "\(folder)/notes.txt")
      #expect(
        try BuiltRunner.command(["sh", "-c", "cd \(project.path)/\(folder) && \(fill)"]).exitCode
          == 0)
    }
    func count(_ folder: String) -> Int {
      TemporaryFolder.names("\(project.path)/\(folder)").filter { $0.hasSuffix(".json") }.count
    }
    let arguments = ["run", "a.yaml", "--report", "html=run.html"]

    _ = try project.scenario(arguments)
    #expect(count(".scenario/passed") <= 10_001)
    #expect(project.read(".scenario/passed/notes.txt") == "mine")

    // A link to another place, as somebody's repository may hold it, leads nowhere.
    let path = "\(project.path)/.scenario/passed"
    #expect(rename(path, path + "-former") == 0)
    #expect(symlink("\(project.path)/other", path) == 0)
    _ = try project.scenario(arguments)
    #expect(count("other") == 10_005)
  }

  @Test("An automatic build has nobody to look")
  func automatic() throws {
    let outcome = try BuiltRunner.run(
      ["ui", "--no-open", "scenarios"], prefix: ["env", "CI=true"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("\"scenario ui\" is not allowed in an automatic build"))
  }

  @Test(
    "A stream is read through a pipe, behind a byte order mark, and with events of a later release")
  func readable() throws {
    let folder = try Self.reports()
    let path = "\(folder.path)/run.jsonl"
    let events = TemporaryFolder.read(path) ?? ""
    let later = events.replacing("\"version\":\"", with: "\"version\":\"9-").replacing(
      "{\"data\":{\"duration\"",
      with: "{\"event\":\"later\",\"realTime\":1,\"data\":{}}\n{\"data\":{\"duration\"")
    #expect(later.contains("\"later\""))
    for command in [
      "show <(cat '\(path)')",
      "report show '\(folder.write("\u{FEFF}\n" + events, to: "mark.jsonl"))'",
      "report show '\(folder.write(later, to: "later.jsonl"))'",
    ] {
      // What serves is ended by the time limit.
      let outcome = try BuiltRunner.command([
        "bash", "-c",
        "timeout -s KILL 5 \(BuiltRunner.executable) \(command)\(command.hasPrefix("show") ? " --no-open" : "")",
      ])
      #expect(
        outcome.exitCode == (command.hasPrefix("show") ? 137 : 0), "\(command): \(outcome.text)")
      #expect(!outcome.text.contains("E119"), "\(outcome.text)")
    }
  }

  @Test("A file that has changed since the run shows no lines, and that is told")
  func changed() throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\ntarget: { command: [echo, a] }\nexpect: { stdout: b }\n", to: "a.yaml")
    _ = try project.scenario(["run", "a.yaml", "--report", "jsonl=run.jsonl"])
    let same = try project.scenario(["report", "show", "run.jsonl"])
    try project.write("# one\n# two\n" + (project.read("a.yaml") ?? ""), to: "a.yaml")
    let changed = try project.scenario(["report", "show", "run.jsonl"])
    _ = try project.scenario(["report", "convert", "run.jsonl", "--report", "html=run.html"])

    #expect(same.output.contains("3 | expect:"), "\(same.text)")
    #expect(!same.text.contains("has changed"))
    #expect(!changed.output.contains("3 | "), "\(changed.text)")
    #expect(changed.errorOutput.contains("\"a.yaml\" has changed since the run"), "\(changed.text)")
    #expect(project.read("run.html")?.contains("{\"a.yaml\":null}") ?? false)
  }

  @Test(
    "What is no report is refused, and so is a stream of another release that is not understood")
  func refused() throws {
    let folder = try Self.reports()
    let page = folder.write("<!DOCTYPE html><title>other</title>", to: "other.html")
    let events = TemporaryFolder.read("\(folder.path)/run.jsonl") ?? ""
    let line = try #require(events.split(separator: "\n").first)
    let old = folder.write(
      "\(line.replacing("\"version\":\"", with: "\"version\":\"9-"))\n{\"event\":\"caseStarted\",\"realTime\":1,\"data\":{}}\n",
      to: "old.jsonl")
    let cases = [
      (page, "is not a report of a run"), ("\(folder.path)/none", "cannot be read"),
      (old, "is not an event of this version; scenario 9-"),
      (folder.write("{}\n", to: "empty.jsonl"), "is not an event of this version"),
      (
        folder.write(
          String((TemporaryFolder.read("\(folder.path)/a b.html") ?? "").dropLast(100)),
          to: "cut.html"), "its end is missing"
      ),
    ]
    for (path, message) in cases {
      let outcome = try BuiltRunner.run(["show", path, "--no-open"])
      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains(message), "\(outcome.text)")
      #expect(outcome.errorOutput.contains(message == "cannot be read" ? "[E001]" : "[E119]"))
      #expect(outcome.output.isEmpty)
    }
  }
}
