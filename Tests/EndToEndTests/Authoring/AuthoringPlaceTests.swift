import Glibc
import Testing

/// What a scenario that was written by a command expects of paths: those of a case's folders are others in each run.
@Suite("Authored scenarios in other places")
struct AuthoringPlaceTests {
  /// Runs a file as the second case, in another folder for temporary files; its name has a space and a dot.
  private func runElsewhere(
    _ path: String, in project: ProjectFolder
  ) throws -> BuiltRunner.Outcome {
    let other = "\(project.path)/other t.mp"
    mkdir(other, 0o700)
    try project.write("version: 2\ntarget: { command: ['true'] }\n", to: "0.yaml")
    return try project.scenario(["run", "0.yaml", path], variables: ["TMPDIR=\(other)"])
  }

  private func expectPassing(_ path: String, in project: ProjectFolder, _ why: String) throws {
    let usual = try project.scenario(["run", path])
    #expect(usual.exitCode == 0 && usual.output.contains("1 passed"), "\(usual.text)\(why)")
    let elsewhere = try runElsewhere(path, in: project)
    #expect(
      elsewhere.exitCode == 0 && elsewhere.output.contains("2 passed"), "\(elsewhere.text)\(why)")
  }

  private static let everything = """
    echo "Home: $HOME/.gnupg (a+b) [\\$5]"; pwd; echo "$TMPDIR and ${HOME%/home}"
    echo "$HOME: oops" >&2; echo "$PWD" >&2
    """

  @Test(
    "What names a case's folders holds for a case of another number and another TMPDIR",
    arguments: [
      (everything, #"/home/\.gnupg \(a\+b\) \[\$5\]$"#, "(a+b)", "(aab)"),
      ("pwd; echo \"$PWD/x\"", "${{ dir }}/x", "$PWD/x", "$PWD/y"),
      ("mktemp", #"'^/.+/tmp/tmp\.\w+$'"#, "mktemp", "mktemp --suffix=.txt"),
      (
        "printf '{\"home\":\"%s\",\"b\":\"%s\"}\\n' \"$HOME\" \"$PWD\" | sed 's,/,\\\\/,g'",
        #""home":"\\/.+\\/home","b":"\\/.+\\/work""#, "home", "house"
      ),
      // A spelling of the path that is not known as one.
      (
        "python3 -c 'import os, urllib.parse as u; print(u.quote(os.environ[\"HOME\"], safe=\"\"))'",
        "matches: '^%2F.*%2Fhome$'", "HOME", "TMPDIR"
      ),
      ("echo \"at $HOME\"; seq 1 5000", "matches: at /.+/home", "at ", "in "),
    ])
  func new(script: String, part: String, right: String, wrong: String) throws {
    let project = try ProjectFolder()
    try project.write(script + "\n", to: "script.sh")

    let outcome = try project.scenario(
      ["new", "-o", "a.yaml", "--file", "script.sh", "--", "sh", "script.sh"])
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    let text = try #require(project.read("a.yaml"))
    #expect(text.contains(part) && !text.contains("/case-"), "\(text)")
    #expect(!text.contains("clock:"), "\(text)")
    try expectPassing("a.yaml", in: project, text)
    let changed = script.replacing(right, with: wrong)
    #expect(changed != script)
    try project.write(changed + "\n", to: "script.sh")
    #expect(try project.scenario(["run", "a.yaml"]).exitCode == 1, "\(text)")
  }

  @Test("Outputs, files and links that a recorded command writes hold in any place, too")
  func record() throws {
    let project = try ProjectFolder()
    let script =
      Self.everything + "\n" + """
        echo "home=$HOME" > out.txt; echo "dir=$PWD/in" >> out.txt; echo "tmp=$TMPDIR" > tmp.txt
        chmod 600 tmp.txt; ln -s "$PWD/out.txt" near; ln -s "$HOME/x" far
        """
    try project.write(script + "\n", to: "script.sh")

    let outcome = try project.record(["-o", "a.yaml"], ["sh", "script.sh"])
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    let text = try #require(project.read("a.yaml"))
    for part in [
      #"'^Home: /.+/home/\.gnupg \(a\+b\) \[\$5\]$'"#, "matches: ^home=/.+/home$",
      "- dir=${{ dir }}/in", "'^tmp=/.+/tmp$'", "symlink: '${{ dir }}/out.txt'",
      "far: { symlink: { matches: ^/.+/home/x$ } }",
    ] where !text.replacing("'", with: "").contains(part.replacing("'", with: "")) {
      Issue.record("\(part) is missing: \(text)")
    }
    #expect(!text.contains("/case-") && !text.contains("/tmp/scenario"), "\(text)")
    try expectPassing("a.yaml", in: project, text)
    for (right, wrong) in [
      ("home=", "house="), ("$PWD/in", "$PWD/out"), ("tmp=$TMPDIR", "tmp=$HOME"),
      ("$PWD/out.txt", "$PWD/in.txt"), ("\"$HOME/x\"", "\"$TMPDIR/x\""), ("oops", "ooops"),
    ] {
      try project.write(script.replacing(right, with: wrong) + "\n", to: "script.sh")
      #expect(try project.scenario(["run", "a.yaml"]).exitCode == 1, "\(right)")
    }
  }

  @Test("What is written is formatted, and a file in another form is found")
  func formatted() throws {
    let project = try ProjectFolder(configuration: nil)
    let server = try ProjectServer(
      RecordTests.server(answering: #"b'{"name": "ada", "it\'s": "x: y"}\n'"#), in: project)
    defer { server.stop() }
    var files = ["scenario.yml", "scenarios/example.yaml"]
    try project.scenario(["init"]).expectExit(0)
    for (index, script) in [
      "echo \"it's\"; echo 'a: \"b\"'; echo 12", "echo hi; cat /proc/sys/kernel/random/uuid",
      "date",
      "echo $HOME; echo '- x'; printf 'a\\tb'", "printf 'magic\\000\\377'", "seq 1 5000", "exit 3",
    ].enumerated() {
      for command in ["new", "record"] {
        let path = "\(command)-\(index).yaml"
        let outcome = try project.scenario(
          [command, "-o", path, "--", "sh", "-c", script], variables: [])
        #expect([0, 3].contains(outcome.exitCode), "\(outcome.text)")
        files.append(path)
      }
    }
    try project.write("key\n", to: "key", mode: 0o600)
    let fetch =
      "cat key > 'a b.txt'; chmod 640 key; curl -s http://127.0.0.1:\(server.port)/x > got; sleep 1"
    let outcome = try project.record(["-o", "net.yaml"], ["sh", "-c", fetch])
    outcome.expectExit(0)
    files += ["net.yaml", "__recordings__/net.yaml"]
    let check = try project.scenario(["fmt", "--check"] + files)
    #expect(check.exitCode == 0 && check.text.isEmpty, "\(check.text)")

    let text = try #require(project.read("net.yaml"))
    try project.write(text.replacing("'0640'", with: "\"0640\""), to: "net.yaml")
    let again = try project.scenario(["fmt", "--check"] + files)
    #expect(again.exitCode == 1 && again.output == "net.yaml\n", "\(again.text)")
  }

  @Test(
    "In a folder that takes no files, what writes files says so, what to do, and ends with 3",
    arguments: [
      ["init"], ["new", "--", "true"], ["record", "--", "true"],
      ["new", "-o", "a.yaml", "--", "true"],
      ["record", "-o", "a.yaml", "--", "true"],
    ])
  func readOnly(arguments: [String]) throws {
    let trial = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    guard try BuiltRunner.command(trial).exitCode == 0 else {
      print("skipped: nothing can be mounted here")
      return
    }
    for isReadOnly in [true, false] {
      let project = try ProjectFolder(configuration: nil)
      let script = """
        mkdir disk && mount -t tmpfs \(isReadOnly ? "-o ro" : "") tmpfs disk && cd disk || exit 99
        exec "$@"
        """
      let outcome = try BuiltRunner.command(
        [
          "unshare", "--mount", "env", "-C", project.path, "bash", "-c", script, "bash",
          BuiltRunner.executable,
        ] + arguments)
      #expect(outcome.exitCode == (isReadOnly ? 3 : 0), "\(outcome.text)")
      #expect(outcome.errorOutput.contains("error[E111]: cannot ") == isReadOnly, "\(outcome.text)")
      #expect(
        outcome.errorOutput.contains(": Read-only file system\n") == isReadOnly, "\(outcome.text)")
      #expect(
        outcome.errorOutput.contains("help: choose a path on a writable file system")
          == isReadOnly, "\(outcome.text)")
    }
  }
}
