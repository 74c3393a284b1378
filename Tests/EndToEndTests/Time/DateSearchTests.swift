import Testing

@Suite("A search for dates")
struct DateSearchTests {
  /// A program that works until 2027-03-28T01:00:00Z, and ends with 1 from then on, or at one instant only.
  private func file(_ condition: String, clock: String = "{ at: 2027-01-01T09:00:00Z, flow: held }")
    -> String
  {
    """
    version: 1
    name: works
    target: { command: 'test "$(date +%s)" \(condition)', env: { TZ: Europe/Berlin } }
    clock: \(clock)

    """
  }

  private func run(_ text: String, _ arguments: [String]) throws -> (
    outcome: BuiltRunner.Outcome, junit: String
  ) {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "dates.yaml")
    let outcome = try BuiltRunner.run(
      ["run", path, "--report", "junit=\(folder.path)/junit.xml"] + arguments)
    return (outcome, TemporaryFolder.read("\(folder.path)/junit.xml") ?? "")
  }

  @Test(
    "A case is run at each date, and the first second at which it fails is found",
    arguments: [1, 4])
  func bisection(jobs: Int) throws {
    let (outcome, junit) = try run(
      file("-lt 1806195600"), ["--dates", "2027-03-25..2027-03-30", "-j", "\(jobs)"])

    outcome.expectExit(1)
    #expect(outcome.text.contains("3 passed, 3 failed"), "\(outcome.text)")
    #expect(
      outcome.text.contains(
        "\"works\" passes at 2027-03-28T00:59:59Z and first fails at 2027-03-28T01:00:00Z"),
      "\(outcome.text)")
    #expect(outcome.text.contains("--dates 2027-03-28T01:00:00Z"))
    #expect(outcome.text.contains("--dates 2027-03-28T09:00:00Z --seed"))
    #expect(junit.components(of: "<testcase ") == 6, "\(junit)")
    #expect(junit.contains("works @2027-03-28T09:00:00Z"))
  }

  @Test("Where nothing fails, all is well")
  func passes() throws {
    let (outcome, _) = try run(file("-lt 1806195600"), ["--dates", "2027-03-01..2027-03-27/7d"])
    outcome.expectExit(0)
    #expect(outcome.text.contains("4 passed, 0 failed"))
    #expect(!outcome.text.contains("first fails"))
  }

  @Test("A change of the target's time zone is a date, and the second before it as well")
  func zone() throws {
    let (outcome, junit) = try run(
      file("-ne 1806195600"), ["--dates", "2027-01-01..2027-12-31/dst"])
    outcome.expectExit(1)
    #expect(junit.contains("works @2027-03-28T00:59:59Z"))
    #expect(junit.contains("works @2027-10-31T01:00:00Z"))
    #expect(outcome.text.contains("3 passed, 1 failed"))
    #expect(outcome.text.contains("first fails at 2027-03-28T01:00:00Z"))
  }

  @Test("What expressions make of the clock is made for each date")
  func expressions() throws {
    let text = """
      version: 1
      target: { command: [cat, day], files: { day: "${{ clock.today }}" } }
      clock: { at: 2027-01-01T00:00:00Z, flow: held }
      expect: { stdout: { contains: "2027-0" } }

      """
    let (outcome, _) = try run(text, ["--dates", "2027-02-01,2027-10-01"])
    outcome.expectExit(1)
    #expect(outcome.text.contains("1 passed, 1 failed"), "\(outcome.text)")
  }

  @Test("Dates that make no sense are refused, and name the option or the place")
  func mistakes() throws {
    func refusal(_ text: String, _ dates: String) throws -> String {
      let (outcome, _) = try run(text, ["--dates", dates])
      outcome.expectExit(2)
      return outcome.text
    }
    let text = file("-gt 0")
    #expect(try refusal(text, "2027-02-01..2027-01-01").contains("is empty"))
    #expect(try refusal(text, "").contains("--dates"))
    #expect(try refusal(text, "certificate-ends").contains("selects no date here"))
    let timeless = "version: 1\nname: timeless\ntarget: { command: [true] }\n"
    #expect(try refusal(timeless, "2038").contains("\"timeless\" has no clock"))
  }
}

extension String {
  /// How often a text stands here.
  fileprivate func components(of text: String) -> Int {
    ranges(of: text).count
  }
}
