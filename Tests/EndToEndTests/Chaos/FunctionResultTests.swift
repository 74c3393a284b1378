import Glibc
import Testing

@Suite("Results of functions that are no integers")
struct FunctionResultTests {
  @Test(
    "A function of libm returns the number that is said",
    arguments: [
      ("constant: 0", "0.0"), ("constant: 2", "2.0"), ("constant: -1", "-1.0"),
      ("constant: 0.5", "0.5"), ("constant: -1.25e-3", "-0.00125"),
    ])
  func sine(provide: String, output: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: sine
      target: { command: [python3, -c, "import math; print(math.sin(1.0))"] }
      chaos: [ { name: s, function: sin, provide: { \(provide) } } ]
      expect: { stdout: "\(output)" }

      """, to: "case.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    outcome.expectExit(0)
  }

  @Test(
    "A fraction says that a function of the program's own returns a double, and a float stays one"
  )
  func ownFunctions() throws {
    let folder = try TemporaryFolder()
    let source = folder.write(
      """
      #include <math.h>
      #include <stdio.h>
      __attribute__((noinline)) double price(int n) { __asm__ volatile(""); return n * 1.5; }
      int main(int count, char **arguments) {
        (void)arguments;
        volatile float three = 3;
        double first = price(count), second = price(count);
        printf("%g %g %g\\n", first, sqrtf(three), second);
        return 0;
      }

      """, to: "own.c")
    let compiler = try BuiltRunner.command([
      "cc", "-O1", "-fno-builtin", "-o", "\(folder.path)/own", source, "-lm",
    ])
    compiler.expectExit(0)
    let path = folder.write(
      """
      version: 2
      name: own
      target: { command: [./own] }
      chaos:
        - { name: p, function: price, provide: { constant: 0.25 }, when: { nth: 1 } }
        - { name: f, function: sqrtf, provide: { constant: 0.75 } }
      expect: { stdout: "0.25 0.75 1.5\\n" }

      """, to: "case.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    outcome.expectExit(0)
  }

  @Test("Further results of a function of Go are zero, whatever registers they are in")
  func go() throws {
    let folder = try TemporaryFolder()
    let program = "\(BuiltRunner.root)/.build/programs/results"
    for (chaos, output) in [
      ("[]", "1 1.5 2.5 1.5 none"),
      (
        "[ { function: main.Two, provide: { constant: 9 } }, { function: main.Half, provide: { constant: 0.25 } } ]",
        "9 0 0 0.25 <nil>"
      ),
    ] {
      let path = folder.write(
        """
        version: 2
        name: go
        target: { command: [\(program)] }
        chaos: \(chaos)
        expect: { stdout: "\(output)\\n" }

        """, to: "case.yaml")
      let outcome = try BuiltRunner.run(["run", path])
      outcome.expectExit(0)
      #expect(!outcome.text.contains("warning"), "\(outcome.text)")
    }
  }

  private static func result(
    _ function: String, _ provide: String, of command: String, output: String? = nil
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: result
      target: { command: [\(command)] }
      chaos: [ { name: c, function: "\(function)", provide: { \(provide) } } ]
      expect: { exit: 0\(output.map { ", stdout: \"\($0)\\n\"" } ?? "") }

      """, to: "case.yaml")
    return try BuiltRunner.run(["run", path])
  }

  @Test(
    "A constant of Go stands where the function has its first result",
    arguments: [
      ("Two", "7", "7 0 0 1.5 none", "0.25 failed [a] [1 2 3 4] a 6 5 2"),
      ("Half", "7", "1 1.5 2.5 7 <nil>", "0.25 failed [a] [1 2 3 4] a 6 5 2"),
      ("Single", "7", "1 1.5 2.5 1.5 none", "7 failed [a] [1 2 3 4] a 6 5 2"),
      ("Single", "0.5", "1 1.5 2.5 1.5 none", "0.5 failed [a] [1 2 3 4] a 6 5 2"),
      ("Fail", "0", "1 1.5 2.5 1.5 none", "0.25 <nil> [a] [1 2 3 4] a 6 5 2"),
      ("Words", "0", "1 1.5 2.5 1.5 none", "0.25 failed [] [1 2 3 4] a 6 5 2"),
      ("(*Store).Save", "9", "1 1.5 2.5 1.5 none", "0.25 failed [a] [1 2 3 4] a 6 9 2"),
    ])
  func goResults(function: String, constant: String, first: String, second: String) throws {
    let outcome = try Self.result(
      "main.\(function)", "constant: \(constant)",
      of: "\(BuiltRunner.root)/.build/programs/results, all", output: "\(first)\\n\(second)")
    outcome.expectExit(0)
    #expect(!outcome.text.contains("warning"), "\(outcome.text)")
  }

  @Test(
    "What a function of Go cannot return is not given, and the program goes on",
    arguments: [
      ("Fail", "constant: 5", "\"main.Fail\" first returns the type \"error\""),
      ("Words", "constant: 5", "\"main.Words\" first returns the type \"[]string\""),
      ("Two", "constant: 0.5", "\"main.Two\" returns an integer"),
      ("Half", "compute: result / 2", "\"main.Half\" returns a floating point number"),
      ("Table", "constant: 0", "\"main.Table\" returns on the stack"),
      ("Many", "constant: 0", "\"main.Many\" returns on the stack"),
    ])
  func goObstacles(function: String, provide: String, words: String) throws {
    let outcome = try Self.result(
      "main.\(function)", provide, of: "\(BuiltRunner.root)/.build/programs/results, all",
      output: "1 1.5 2.5 1.5 none\\n0.25 failed [a] [1 2 3 4] a 6 5 2")
    outcome.expectExit(1)
    #expect(outcome.text.contains("the chaos entry \"c\" never fired"), "\(outcome.text)")
    #expect(outcome.text.contains(words), "\(outcome.text)")
    #expect(!outcome.text.contains("error: stdout"), "\(outcome.text)")
  }

  @Test("Where no debugging information says what a function of Go returns, that is told")
  func strippedGo() throws {
    let folder = try TemporaryFolder()
    let program = "\(folder.path)/stripped"
    let strip = try BuiltRunner.command([
      "strip", "--strip-debug", "-o", program, "\(BuiltRunner.root)/.build/programs/results",
    ])
    strip.expectExit(0)
    defer { unlink(program) }
    let outcome = try Self.result("main.Two", "constant: 9", of: program, output: "9 0 0 1.5 none")
    outcome.expectExit(0)
    #expect(
      outcome.text.contains("\"main.Two\" is assumed to return an integer first"),
      "\(outcome.text)")
  }

  @Test(
    "Of a pattern's functions those that cannot return what is given are left out, with the reason")
  func patterns() throws {
    let program = "\(BuiltRunner.root)/.build/programs/results"
    let all = try Self.result("main.*.Save", "error: EIO", of: "\(program), all")
    all.expectExit(1)
    #expect(all.text.contains("the chaos entry \"c\" never fired"), "\(all.text)")
    #expect(
      all.text.contains("\"main.(*Store).Save\" is a Go function, whose errors are values"),
      "\(all.text)")
    #expect(!all.text.contains("SIG"), "\(all.text)")

    let folder = try TemporaryFolder()
    let source = folder.write(
      """
      #include <errno.h>
      #include <stdio.h>
      __attribute__((noinline)) double sinh(double n) { __asm__ volatile(""); return n * 2; }
      __attribute__((noinline)) int sink(int n) { __asm__ volatile(""); return n; }
      int main(int count, char **arguments) {
        (void)arguments;
        double half = sinh(count / 4.0);
        int sunk = sink(count);
        printf("%g %d %d\\n", half, sunk, errno == EIO);
        return 0;
      }

      """, to: "own.c")
    let compiler = try BuiltRunner.command([
      "cc", "-O1", "-fno-builtin", "-o", "\(folder.path)/own", source,
    ])
    compiler.expectExit(0)
    defer { unlink("\(folder.path)/own") }
    let some = try Self.result(
      "sin*", "error: EIO", of: "\(folder.path)/own", output: "0.5 -1 1")
    some.expectExit(0)
    #expect(
      some.text.contains(
        "left out of the chaos entry \"c\": \"sinh\" returns a floating point number"),
      "\(some.text)")
  }

  @Test("A function of C++ that returns a std::string is met, and given no value")
  func strings() throws {
    let folder = try TemporaryFolder()
    let source = folder.write(
      """
      #include <cstdio>
      #include <string>
      namespace app {
      struct Store {
        __attribute__((noinline)) std::string name() { __asm__ volatile(""); return "abc"; }
        __attribute__((noinline)) int size() { __asm__ volatile(""); return 3; }
      };
      }
      int main() {
        app::Store store;
        std::printf("%s %d\\n", store.name().c_str(), store.size());
      }

      """, to: "own.cc")
    let compiler = try BuiltRunner.command([
      "g++", "-O1", "-o", "\(folder.path)/own", source,
    ])
    compiler.expectExit(0)
    for (function, provide, code, words) in [
      ("app::Store::name", "delay: 1h", Int32(0), ""),
      ("app::Store::name()", "delay: 1h", 0, ""),
      ("app::Store::size", "constant: 0", 1, "abc 0"),
      (
        "app::Store::name", "constant: 0", 1,
        "_ZN3app5Store4nameB5cxx11Ev\" returns a std::string or a reference to one"
      ),
    ] {
      let path = folder.write(
        """
        version: 2
        name: own
        target: { command: [./own] }
        clock: { at: 2030-01-01T00:00:00Z, flow: auto }
        chaos: [ { name: c, function: "\(function)", provide: { \(provide) } } ]
        expect: { stdout: "abc 3\\n", duration: 1h }

        """, to: "case.yaml")
      let outcome = try BuiltRunner.run(["run", path])
      #expect(outcome.exitCode == code, "\(outcome.text)")
      #expect(words.isEmpty || outcome.text.contains(words), "\(outcome.text)")
    }
  }

  @Test("What it cannot return is refused before anything runs")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: sine
      target: { command: [python3, -c, "import math; print(math.sin(1.0))"] }
      chaos: [ { name: s, function: sin, provide: { error: EDOM } } ]

      """, to: "case.yaml")
    let outcome = try BuiltRunner.run(["check", path])
    outcome.expectExit(2)
    #expect(outcome.text.contains("returns a floating point number"), "\(outcome.text)")
    #expect(outcome.text.contains("{ constant: 0, errno: EDOM }"), "\(outcome.text)")
  }
}
