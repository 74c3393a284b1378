import Testing

/// What authors are told of entries that fired, or did not, and of limits.
@Suite("The account of chaos, as authors see it")
struct ChaosAccountTests {
  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let outcome = try BuiltRunner.run(
      ["run", folder.write("version: 2\n" + text, to: "account.yaml")] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  private func quiet(_ expect: String, step: String = "") throws -> BuiltRunner.Outcome {
    try run(
      """
      target: { command: [/bin/echo, hello] }
      clock: { flow: auto }
      chaos: [ { name: a, call: fsync, provide: { error: EIO } } ]
      steps:
        - run:
      \(step)
      expect: { stdout: hello\(expect) }

      """)
  }

  @Test("Whoever expects an entry not to fire is not told that it has not")
  func firedNever() throws {
    let last = "    expect: { chaos: { a: { fired: 0 } } }"

    #expect(try quiet("").text.contains("\"a\" never fired"))
    try quiet(", chaos: { a: { fired: 0 } }").expectExit(0)
    try quiet(", chaos: { a: { fired: { less_than: 2 } } }").expectExit(0)
    try quiet("", step: last).expectExit(0)
    // That it did not match says nothing of whether it was to fire.
    #expect(try quiet(", chaos: { a: { matched: 0 } }").text.contains("\"a\" never fired"))
    // The last word counts.
    let more = try quiet(", chaos: { a: { fired: 1 } }", step: last)
    more.expectExit(1)
  }

  @Test("A corruption of no bytes has not fired, and leaves its turn to the next call")
  func withoutEffect() throws {
    func read(_ sizes: String, fired: Int) throws -> BuiltRunner.Outcome {
      try run(
        """
        target:
          command:
            - /usr/bin/python3
            - -S
            - -c
            - |
              import os
              file = os.open('data.txt', os.O_RDONLY)
              print([sum(os.read(file, size)) for size in \(sizes)][-1])
          files: { data.txt: text }
        chaos:
          - name: a
            call: read
            where: { path: data.txt }
            when: { times: 1 }
            provide: { corrupt: { zero: 4 } }
        expect: { stdout: "0", chaos: { a: { fired: \(fired) } } }

        """)
    }

    let none = try read("[0]", fired: 1)
    none.expectExit(1)
    #expect(none.text.contains("1 call matched, but the fault had no effect"), "\(none.text)")
    let expected = try read("[0]", fired: 0)
    expected.expectExit(0)
    let next = try read("[0, 4]", fired: 1)
    next.expectExit(0)
  }

  @Test("A handshake fault of a plain connection says what was missing")
  func plainConnection() throws {
    let outcome = try run(
      """
      target: { command: [curl, --silent, "http://api.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses: [ { GET http://api.example.com/: { text: up } } ]
      chaos: [ { name: a, link: api.example.com, provide: { tls: expired } } ]
      expect: { stdout: up }

      """)

    outcome.expectExit(1)
    #expect(outcome.text.contains("no TLS handshake began on it"), "\(outcome.text)")
  }

  @Test("Functions that are all excepted are not said to be missing, and lists are cut")
  func functions() throws {
    func functions(_ entry: String) throws -> String {
      try run(
        """
        target: { command: [/bin/cat, /dev/null] }
        chaos: [ { name: a, \(entry), provide: nil } ]
        expect: { exit: 0 }

        """
      ).text
    }

    let excepted = try functions("function: 'mallo*', except: ['malloc*', mallopt]")
    #expect(
      excepted.contains("no function \"mallo*\" except \"malloc*\""), "\(excepted)")
    let many = try functions("function: 'wcs*', in: libc")
    #expect(many.count(of: " was never called") == 8, "\(many)")
    #expect(many.contains("nor was any of "), "\(many)")
  }

  @Test("The terminal and JUnit tell which entries fired, where, and which limits struck")
  func reports() throws {
    let folder = try TemporaryFolder()
    let report = "\(folder.path)/TEST-account.xml"
    let text = """
      target: { command: [/usr/bin/python3, -S, -c], limits: { open_files: 20 } }
      clock: { flow: auto }
      chaos: [ { name: no sync, call: sync, where: { process: "python*" }, provide: { delay: 1s } } ]
      steps:
        - run:
            - |
              import os
              os.sync(); os.sync()
              try:
                  while True: os.open('/dev/null', os.O_RDONLY)
              except OSError: print('full')
      expect: { stdout: EXPECTED }

      """

    let good = try run(
      text.replacing("EXPECTED", with: "full"), ["--report", "junit=\(report)"])
    let bad = try run(text.replacing("EXPECTED", with: "empty"))

    good.expectExit(0)
    #expect(!good.output.contains("chaos:"))
    let document = try #require(TemporaryFolder.read(report))
    #expect(document.contains("value=\"no sync fired 2 times (sync in python3)\""), "\(document)")
    #expect(document.contains("value=\"limit files 20 reached once, by openat in python3\""))
    bad.expectExit(1)
    #expect(
      bad.output.contains("\nchaos: no sync fired 2 times (sync in python3)\n"), "\(bad.text)")
    #expect(bad.output.contains("\nlimit files 20 reached once, by openat in python3\n"))
    withExtendedLifetime(folder) {}
  }
}

extension String {
  fileprivate func count(of text: String) -> Int { split(separator: text).count - 1 }
}
