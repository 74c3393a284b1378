import Testing

/// Scenarios that start real programs of Debian as their packages install them.
///
/// The first lines of a file of Tests/RealPrograms are comments that tell what it needs (`# needs: NEED`)
/// and how it is made to fail (`# fails with: TEXT => OTHER`).
struct RealProgram: Sendable, CustomTestStringConvertible {
  /// The name of the file.
  var name: String
  /// What it consists of.
  var text: String

  var testDescription: String { name }

  static let folder = "\(BuiltRunner.root)/Tests/RealPrograms"

  static let all = TemporaryFolder.names(folder).filter { $0.hasSuffix(".yaml") }.map {
    RealProgram(name: $0, text: TemporaryFolder.read("\(folder)/\($0)") ?? "")
  }

  private func remark(_ label: String) -> Substring? {
    text.split(separator: "\n").prefix { $0.hasPrefix("#") }
      .first { $0.hasPrefix("# \(label): ") }?.dropFirst("# \(label): ".count)
  }

  /// What it needs beyond its programs: `mounts`.
  var need: Substring? { remark("needs") }

  /// The same scenario with one thing changed, so that it must fail; its files are found from anywhere.
  var twin: String? {
    guard let parts = remark("fails with")?.split(separator: " => "), parts.count == 2 else {
      return nil
    }
    let body = text.split(separator: "\n").drop { $0.hasPrefix("#") }.joined(separator: "\n") + "\n"
    guard body.ranges(of: parts[0]).count == 1 else { return nil }
    return body.replacing(parts[0], with: parts[1])
      .replacing("../../", with: "\(BuiltRunner.root)/")
      .replacing("{ file: ", with: "{ file: \(Self.folder)/")
  }

  /// Those with a need.
  static func needing(_ need: Substring?) -> [RealProgram] {
    all.filter { $0.need == need }
  }
}

@Suite("Real programs")
struct RealProgramTests {
  /// Whether this machine lets the tests have a mount namespace.
  private static let hasMountNamespaces =
    (try? BuiltRunner.run(["--help"], prefix: ["unshare", "--mount"]).exitCode) == 0

  /// What takes seconds of a processor takes minutes where others want it, too.
  private static let patience = ["--timeout", "10m"]

  private func passes(_ program: RealProgram) throws {
    let outcome = try BuiltRunner.run(
      ["run", "\(RealProgram.folder)/\(program.name)"] + Self.patience)

    outcome.expectExit(0)
  }

  private func fails(_ program: RealProgram) throws {
    let twin = try #require(program.twin, "\(program.name) does not tell how it fails")
    let folder = try TemporaryFolder()
    let path = folder.write(twin, to: program.name)

    let outcome = try BuiltRunner.run(["run", path] + Self.patience)

    outcome.expectExit(1)
    #expect(outcome.output.contains("FAIL"))
    withExtendedLifetime(folder) {}
  }

  @Test("Their waits are virtual and exact", arguments: RealProgram.needing(nil))
  func waits(program: RealProgram) throws {
    try passes(program)
    try fails(program)
  }

  @Test(
    "Daemons of the machine run for a week in a place of their own",
    .enabled(if: hasMountNamespaces, "this machine allows no mount namespace"),
    arguments: RealProgram.needing("mounts"))
  func daemons(program: RealProgram) throws {
    try passes(program)
    try fails(program)
  }

  @Test("Every file is of a kind that is run")
  func kinds() {
    let kinds: Set<Substring?> = [nil, "mounts"]
    #expect(!RealProgram.all.isEmpty)
    #expect(RealProgram.all.allSatisfy { kinds.contains($0.need) && $0.twin != nil })
  }
}
