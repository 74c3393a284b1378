import Testing

@Suite("scenario doctor")
struct DoctorTests {
  @Test("A machine that can run these tests is well")
  func well() throws {
    let outcome = try BuiltRunner.run(["doctor"])

    outcome.expectExit(0)
    #expect(
      outcome.output.contains("ok    hold its time             sleep 86400 took 1d of virtual"))
    #expect(!outcome.output.contains("fail "))
  }

  @Test("A machine that forbids ptrace is told so, with what to change, and what still works")
  func forbidden() throws {
    let outcome = try BuiltRunner.run(
      ["doctor"], prefix: ["\(BuiltRunner.root)/.build/programs/deny_call", "ptrace"])

    outcome.expectExit(3)
    #expect(
      outcome.output.contains(
        "fail  hold a process            PTRACE_SEIZE: Operation not permitted\n      help: "))
    #expect(outcome.output.contains("ok    filter calls "))
    #expect(outcome.output.contains("skip  stop at a call "))
    #expect(outcome.output.contains("fail  hold its time "))
    #expect(outcome.output.contains("\nscenarios cannot run here: 2 of "))
  }

  @Test("Programs read the findings as JSON")
  func json() throws {
    let outcome = try BuiltRunner.run(["doctor", "--format", "json"])

    outcome.expectExit(0)
    #expect(outcome.output.hasPrefix("{\n  \"findings\" : ["))
  }

  @Test("A run that may not trace points to the doctor")
  func pointer() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      "version: 2\nname: x\ntarget: { command: [/bin/true] }\nclock: { flow: auto }\n",
      to: "x.yaml")

    let outcome = try BuiltRunner.run(
      ["run", path], prefix: ["\(BuiltRunner.root)/.build/programs/deny_call", "ptrace"])

    outcome.expectExit(3)
    #expect(outcome.text.contains("run `scenario doctor` to see the fix"))
  }
}
