import Testing

@Suite("A target that writes more than memory holds")
struct LongOutputTests {
  /// Twelve million bytes of lines, and then a last word.
  private static let command =
    "yes 'a line of the log, like all' | head -c 12000000; echo; printf 'LAST %s' 7"

  private func run(_ body: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\ntimeout: 60s\n" + body, to: "long.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "is judged as far as its last byte, on both streams",
    arguments: ["stdout", "stderr"])
  func verdict(stream: String) throws {
    let redirection = stream == "stderr" ? "{ \(Self.command); } >&2" : Self.command
    func body(_ condition: String) -> String {
      """
      target: { command: "\(redirection)" }
      expect: { \(stream): \(condition) }

      """
    }
    let passed = try run(body("{ all_of: [{ contains: LAST 7 }, { matches: 'LAST \\d$' }] }"))
    passed.expectExit(0)

    let failed = try run(body("{ contains: LAST 8 }"))
    failed.expectExit(1)
    #expect(failed.text.contains("\(stream): expected text that contains \"LAST 8\""))
  }

  @Test("is no JSON, and not what is shown for it, where one byte of it is not UTF-8")
  func otherEncodings() throws {
    func body(_ letter: String, _ condition: String) -> String {
      #"""
      target:
        command:
          - python3
          - -c
          - |
            import sys
            sys.stdout.buffer.write(b'{"a": "' + b"x" * 12_000_000 + bytes.fromhex("\#(letter)") + b'"}')
      expect: { stdout: \#(condition) }

      """#
    }
    for (sound, condition) in [
      ("c3a9", "{ json: { $.a: { exists: true } } }"), ("efbfbd", #"{ contains: "\uFFFD" }"#),
    ] {
      let passed = try run(body(sound, condition))
      passed.expectExit(0)
      let failed = try run(body("e9", condition))
      failed.expectExit(1)
      #expect(failed.text.contains("UTF-8"), "\(failed.text)")
    }
  }

  @Test("can be waited for, and a command beside the world is judged as well")
  func waited() throws {
    let outcome = try run(
      """
      target: { command: "\(Self.command); read line; printf 8" }
      steps:
        - start:
        - wait: { stdout: 'LAST 7$' }
        - close: stdin
        - wait: exit
        - exec: "\(Self.command)"
          expect: { stdout: { contains: LAST 7 } }
      expect: { stdout: { contains: LAST 78 } }

      """)
    outcome.expectExit(0)
  }

  @Test("takes no more memory for it, and a kept folder holds all of it")
  func memory() throws {
    let folder = try TemporaryFolder()
    let command = "yes 'a line of the log, like all' | head -c 200000000; printf 'LAST %s' 7"
    func measured(_ condition: String, _ options: [String]) throws -> (code: Int?, size: Int) {
      let path = folder.write(
        """
        version: 2
        timeout: 120s
        target: { command: "\(command)" }
        expect: { stdout: { contains: \(condition) } }

        """, to: "huge.yaml")
      let script = """
        import resource, subprocess, sys
        print(subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """
      let outcome = try BuiltRunner.command(
        [
          "TMPDIR=\(folder.path)", "\(BuiltRunner.root)/.build/python/bin/python", "-c", script,
          BuiltRunner.executable, "run", path,
        ] + options)
      let numbers = outcome.output.split(separator: "\n").compactMap { Int($0) }
      try #require(numbers.count == 2, "\(outcome.text)")
      return (numbers[0], numbers[1])
    }

    let passed = try measured("LAST 7", [])
    #expect(passed.code == 0 && passed.size < 200_000, "\(passed)")
    let failed = try measured("LAST 8", ["--keep-workdir=failed"])
    #expect(failed.code == 1 && failed.size < 200_000, "\(failed)")
    let kept = try BuiltRunner.command(
      ["find", folder.path, "-name", "stdout", "-printf", "%s %f\n"])
    #expect(kept.output == "200000006 stdout\n", "\(kept.text)")
  }

  @Test("Many cases at once run with few descriptors, and none is left open")
  func descriptors() throws {
    let folder = try TemporaryFolder()
    let cases = (1...200).map { "  - name: case \($0)\n" }.joined()
    let path = folder.write(
      """
      version: 2
      target: { command: [/bin/echo, hi] }
      expect: { stdout: hi }
      scenarios:
      \(cases)
      """, to: "many.yaml")
    func run(_ limit: Int) throws -> BuiltRunner.Outcome {
      try BuiltRunner.run(
        ["run", "-j2", path], prefix: ["sh", "-c", "ulimit -n \(limit); exec \"$@\"", "sh"])
    }

    let outcome = try run(100)
    #expect(outcome.exitCode == 0, "\(outcome.text.suffix(600))")
    #expect(outcome.text.contains("200 passed"))
    #expect(try run(12).exitCode != 0)
  }
}
