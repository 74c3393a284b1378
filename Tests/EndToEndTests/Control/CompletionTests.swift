import Testing

@Suite("Completions and the manual page")
struct CompletionTests {
  private static let complete = """
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
    COMP_TYPE=9; COMP_KEY=9
    _scenario "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "${COMPREPLY[@]}"

    """

  private func completed(_ words: [String], in project: ProjectFolder) throws -> [String] {
    let script = try BuiltRunner.run(["completions", "bash"])
    script.expectExit(0)
    try project.write(script.output, to: "scenario.bash")
    try project.write(Self.complete, to: "complete.bash")
    let outcome = try BuiltRunner.command(
      ["env", "-C", project.path, "bash", "complete.bash", "scenario.bash", BuiltRunner.executable]
        + words)
    return outcome.output.split(separator: "\n").map {
      $0.last == " " ? String($0.dropLast()) : String($0)
    }
  }

  @Test("bash completes commands, options, scenario files and the names of cases")
  func bash() throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\ntarget: { command: [date] }\nscenarios:\n  - { name: alpha }\n  - { name: beta }\n",
      to: "first.yaml")
    try project.write("", to: "notes.txt")

    #expect(try completed(["re"], in: project).contains("rerun"))
    #expect(try !completed(["re"], in: project).contains("run"))
    #expect(try completed(["run", "--las"], in: project) == ["--last-failed"])
    let files = try completed(["run", "fi"], in: project)
    #expect(files == ["first.yaml"], "\(files)")
    #expect(try completed(["run", "no"], in: project).isEmpty)
    let cases = try completed(["run", "first.yaml", "--case", ""], in: project)
    #expect(cases == ["alpha", "beta"], "\(cases)")
  }

  @Test("Each shell has its script, and others are refused")
  func shells() throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try BuiltRunner.run(["completions", shell])
      #expect(script.exitCode == 0 && script.output.contains("last-failed"), "\(shell)")
    }
    try BuiltRunner.run(["completions", "csh"]).expectExit(2)
  }

  @Test("The manual page has every option of help, and man reads it without a warning")
  func manual() throws {
    let page = try BuiltRunner.run(["manual"])
    #expect(
      page.output == TemporaryFolder.read("\(BuiltRunner.root)/Documentation/scenario.1"),
      "make schema writes it anew")
    for option in ["last-failed", "changed", "tags", "report", "profile"] {
      #expect(page.output.contains("\\-\\-\(option.replacing("-", with: "\\-"))"), "\(option)")
    }
    let warnings = try BuiltRunner.command([
      "sh", "-c", "man --warnings -E UTF-8 -l \"$0\" > /dev/null",
      "\(BuiltRunner.root)/Documentation/scenario.1",
    ])
    #expect(warnings.exitCode == 0 && warnings.errorOutput.isEmpty, "\(warnings.text)")
  }

  @Test("What is installed runs, and brings its page and its completions")
  func installation() throws {
    let project = try ProjectFolder()
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/Tests/install-program.sh", BuiltRunner.executable, "\(project.path)/usr",
    ])
    outcome.expectExit(0)
    #expect(project.read("usr/share/man/man1/scenario.1")?.hasPrefix(".TH SCENARIO 1") == true)
    #expect(project.read("usr/share/bash-completion/completions/scenario")?.isEmpty == false)
    try BuiltRunner.command(["\(project.path)/usr/bin/scenario", "--version"]).expectExit(0)
  }
}
