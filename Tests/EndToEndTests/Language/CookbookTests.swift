import Testing

@Suite("The cookbook")
struct CookbookTests {
  /// Recipes whose programs only `make cookbook` installs are left out.
  @Test("A recipe passes, and its mistake fails as the page says")
  func sample() throws {
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/Tests/Cookbook/run", "--sample", "--scenario", BuiltRunner.executable,
    ])

    outcome.expectExit(0)
    #expect(outcome.output.contains(" 0 failed"))
  }
}
