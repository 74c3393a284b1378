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
    #expect(outcome.exitCode == 0, "\(outcome.text)")
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
    #expect(compiler.exitCode == 0, "\(compiler.text)")
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
    #expect(outcome.exitCode == 0, "\(outcome.text)")
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
      #expect(outcome.exitCode == 0, "\(outcome.text)")
      #expect(
        outcome.text.contains("\"main.Half\" is assumed to return a double")
          == (chaos != "[]"), "\(outcome.text)")
    }
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
    #expect(compiler.exitCode == 0, "\(compiler.text)")
    for (function, provide, code, words) in [
      ("app::Store::name", "delay: 1h", Int32(0), ""),
      ("app::Store::name()", "delay: 1h", 0, ""),
      ("app::Store::size", "constant: 0", 1, "abc 0"),
      (
        "app::Store::name", "constant: 0", 1,
        "_ZN3app5Store4nameB5cxx11Ev returns a std::string or a reference to one"
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
    #expect(outcome.exitCode == 2, "\(outcome.text)")
    #expect(outcome.text.contains("returns a floating point number"), "\(outcome.text)")
    #expect(outcome.text.contains("{ constant: 0, errno: EDOM }"), "\(outcome.text)")
  }
}
