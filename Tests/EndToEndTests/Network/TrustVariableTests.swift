import ScenarioModel
import Testing

@Suite("Variables by which programs are told whom to trust")
struct TrustVariableTests {
  /// Runs a script of bash; the names of all variables about trust stand in its file `names`.
  private func run(
    _ script: String, environment: String = "", network: String = "unused: ignore",
    expect: String = "", options: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: [bash, script.sh]
        env: { \(environment) }
        files:
          names: "\(TrustVariable.allCases.map { "^\($0.rawValue)=\\n" }.joined())"
          script.sh: |
      \(script.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
      responses:
        - GET https://secure.example.com/a: { text: secure }
      network: { \(network) }
      expect: { exit: 0\(expect.isEmpty ? "" : ", stdout: { lines: \(expect) }") }

      """, to: "variables.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let named =
    #"node -p 'Object.keys(process.env).filter(n => "#
    + #"require("fs").readFileSync("names", "utf8").split("\n").includes(`^${n}=`)).join()'"#
  private static let value = "node -p process.env.NODE_EXTRA_CA_CERTS"

  @Test("A program that needs none has none, and Node has the one of its kind")
  func byKind() throws {
    let outcome = try run(
      """
      env | grep -c -f names || true
      python3 -c 'import os; print(sum(f"^{name}=" in open("names").read().split() for name in os.environ))'
      \(Self.named)
      """, expect: #"["0", "0", NODE_EXTRA_CA_CERTS]"#)

    outcome.expectExit(0)
  }

  @Test("A client that a variable ends runs, and one that is given it by name does not")
  func clientThatBearsNone() throws {
    let client = "for name in $(tr -d '^=' < names); do test -z \"${!name+set}\" || exit 9; done"
    let outcome = try run(client)
    let named = try run(client, network: "unused: ignore, trust: { variables: [AWS_CA_BUNDLE] }")

    outcome.expectExit(0)
    named.expectExit(1)
  }

  @Test(
    "Node learns whom to trust however it is started",
    arguments: [
      "env -i \"$(command -v node)\" get.js", "sh -c 'true; node get.js; true'",
      "{ echo \"#!$(command -v node)\"; cat get.js; } > get; chmod +x get; ./get",
      "{ echo '#!/usr/bin/env node'; cat get.js; } > get; chmod +x get; ./get",
      "ln \"$(realpath \"$(command -v node)\")\" ./other || cp \"$(command -v node)\" other; ./other get.js",
      "python3 -c 'import os, shutil; os.waitpid(os.posix_spawn(shutil.which(\"node\"), [\"node\", \"get.js\"], {}), 0)'",
      "python3 -c 'import os, shutil; os.execve(os.open(shutil.which(\"node\"), 0), [\"node\", \"get.js\"], {})'",
      "python3 -c 'import subprocess; subprocess.run([\"node\", \"get.js\"], env={f\"A{n}\": \"x\" for n in range(10000)})'",
      "node -e 'require(\"child_process\").spawnSync(\"env\", [\"-i\", process.execPath, \"get.js\"], { stdio: \"inherit\" })'",
    ])
  func startedAnyhow(command: String) throws {
    let request =
      #"require("https").get("https://secure.example.com/a", r => r.pipe(process.stdout))"#
    let script = "echo '\(request)' > get.js\n\(command)"
    let told = try run(script, expect: "[secure]")
    let unreported = try run(
      script, network: "unused: ignore, trust: { variables: none }", expect: "[secure]")

    told.expectExit(0)
    #expect(unreported.exitCode != 0, "\(unreported.text)")
    #expect(
      unreported.output.contains("did not trust the mock server's certificate"),
      "\(unreported.text)")
  }

  @Test("With 10,000 variables a program keeps each, and its arguments")
  func manyVariables() throws {
    let count =
      "Object.keys(process.env).filter(n => /^A[0-9]+$/.test(n) && process.env[n] === n).length"
    let outcome = try run(
      """
      for i in $(seq 10000); do export A$i=A$i; done
      node -p '[\(count), process.argv.slice(1), !!process.env.NODE_EXTRA_CA_CERTS].join()' -- x 'y z' ''
      """, expect: #"["10000,x,y z,,true"]"#)

    outcome.expectExit(0)
  }

  @Test("What a program was told by its kind, one of another kind does not inherit")
  func handedOn() throws {
    let outcome = try run(
      """
      node -e 'require("child_process").execSync("env | grep -c -f names || true", { stdio: "inherit" })'
      NODE_EXTRA_CA_CERTS=own node -e 'require("child_process").execSync("env | grep -f names", { stdio: "inherit" })'
      """, expect: #"["0", NODE_EXTRA_CA_CERTS=own]"#)

    outcome.expectExit(0)
  }

  @Test("What the author or a program has set stays as it is")
  func ownVariable() throws {
    let outcome = try run(
      """
      \(Self.value)
      NODE_EXTRA_CA_CERTS= \(Self.value)
      env -u NODE_EXTRA_CA_CERTS \(Self.value) | grep -c /ca.pem
      """, environment: "NODE_EXTRA_CA_CERTS: mine", expect: #"[mine, "", "1"]"#)

    outcome.expectExit(0)
  }

  @Test("A program of an installation with an OpenSSL of its own is told what OpenSSL reads")
  func ownOpenSSL() throws {
    let outcome = try run(
      """
      mkdir -p here/bin here/ssl other/bin
      for place in here other; do cp /bin/bash $place/bin/some; done
      touch here/ssl/cert.pem
      for place in here other; do $place/bin/some -c 'echo "$(basename "$SSL_CERT_FILE")"'; done
      """, expect: #"[ca-bundle.pem, ""]"#)

    outcome.expectExit(0)
  }

  @Test("The virtual machine of Erlang, known by its name alone, is told what Hex reads")
  func erlang() throws {
    let outcome = try run(
      """
      cp /bin/bash beam.smp
      ./beam.smp -c 'echo "$(basename "$HEX_CACERTS_PATH")"'
      """, expect: #"[ca-bundle.pem]"#)

    outcome.expectExit(0)
  }

  @Test(
    "A program that holds the name of its variable gets it, static or not, and keeps all else",
    arguments: ["", "-static", "-static-pie"])
  func compiled(flag: String) throws {
    let source = #"""
      cat > own.c <<'END'
      #define _GNU_SOURCE
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/auxv.h>
      #include <unistd.h>
      int main(int count, char **words) {
        const char *file = getenv("DENO_CERT");
        int named = 0;
        for (char **variable = environ; *variable; variable++) named += !strncmp(*variable, "DENO_CERT=", 10);
        printf("%s %d %s %s %lu %d\n", file ? strrchr(file, '/') + 1 : "none", count, words[count - 1],
               getenv("OTHER"), getauxval(AT_PAGESZ), named);
        return 0;
      }
      END
      """#
    let script =
      "\(source)\ncc \(flag) -o own own.c\nOTHER=x ./own a 'b c'\nDENO_CERT=/mine OTHER=x ./own a 'b c'"
    let told = try run(script, expect: #"["ca-bundle.pem 3 b c x 4096 1", "mine 3 b c x 4096 1"]"#)
    let unreported = try run(
      script, network: "unused: ignore, trust: { variables: none }",
      expect: #"["none 3 b c x 4096 0", "mine 3 b c x 4096 1"]"#)

    told.expectExit(0)
    unreported.expectExit(0)
  }

  @Test("A list names what every program has, and nothing else is set")
  func listed() throws {
    let outcome = try run(
      "env | grep -f names | cut -d= -f1 | sort\n\(Self.named)",
      network: "unused: ignore, trust: { variables: [REQUESTS_CA_BUNDLE, PIP_CERT] }",
      expect: #"[PIP_CERT, REQUESTS_CA_BUNDLE, "PIP_CERT,REQUESTS_CA_BUNDLE"]"#)
    let none = try run(
      "env | grep -c -f names || true\n\(Self.named)",
      network: "unused: ignore, trust: { variables: none }", expect: #"["0", ""]"#)

    outcome.expectExit(0)
    none.expectExit(0)
  }

  @Test("The events say which program was told by which variable")
  func told() throws {
    let folder = try TemporaryFolder()
    let events = "\(folder.path)/events.jsonl"
    let trace = "\(folder.path)/trace.json"
    let outcome = try run(
      "node -e 0\npython3 -c 0",
      options: ["--report", "jsonl=\(events)", "--report", "trace=\(trace)"])

    outcome.expectExit(0)
    let starts = (TemporaryFolder.read(events) ?? "").split(separator: "\n")
      .filter { $0.contains("\"processStarted\"") }
    let told = starts.filter { $0.contains(#""trustVariables":["NODE_EXTRA_CA_CERTS"]"#) }
    #expect(starts.count == 3, "\(starts)")
    #expect(told.count == 1 && told[0].contains(#""node","-e""#), "\(starts)")
    let traced = TemporaryFolder.read(trace) ?? ""
    #expect(traced.contains(#""trustVariables":["NODE_EXTRA_CA_CERTS"]"#), "\(traced)")
  }
}
