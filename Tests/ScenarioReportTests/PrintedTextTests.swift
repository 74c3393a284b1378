import Testing

@testable import ScenarioReport

@Suite("Commands of CI systems in what is printed")
struct PrintedTextTests {
  @Test(
    "What a CI system would take for a command has no effect, wherever it stands",
    arguments: [
      ("::error file=a::b\n", ":\\:error file=a::b\n"),
      ("fine\n \t::warning::x", "fine\n \t:\\:warning::x"),
      ("fine\r::set-output name=a::b", "fine\r:\\:set-output name=a::b"),
      ("\u{a0}\u{2003}\u{3000}::error::x", "\u{a0}\u{2003}\u{3000}:\\:error::x"),
      ("a ##[error]b", "a #\\#[error]b"),
      ("##vso[task.setvariable variable=x]y", "#\\#vso[task.setvariable variable=x]y"),
      ("###VSO[x]", "##\\#VSO[x]"), ("x ##TeamCity[x]", "x #\\#TeamCity[x]"),
    ])
  func commands(text: String, expected: String) {
    #expect(PrintedText.text.inert(text) == expected)
  }

  @Test(
    "What is no command stays as it is",
    arguments: [
      "std::string", "- ::error::x", "é::x", "## a heading", "##", "##v", ":", "", "a:: b",
      "# #[x]",
    ])
  func others(text: String) {
    #expect(PrintedText.text.inert(text) == text)
    #expect(PrintedText.verbatim.inert("::error::x ##[y]") == "::error::x ##[y]")
  }

  @Test("A command in a string of JSON is an escape, which means the same")
  func strings() {
    let line = ###"{"text":"##[error]x ##vso[y]","more":"a::b"}"###
    let expected = ###"{"text":"\u0023#[error]x \u0023#vso[y]","more":"a::b"}"###

    #expect(PrintedText.json.inert(line) == expected)
  }

  @Test("Annotations of one CI system command no other")
  func annotations() {
    #expect(GitHubCommands.data("100% ##vso[a]\n##[error]b") == "100%25 #\\#vso[a]%0A#\\#[error]b")
    #expect(GitHubCommands.property("##[a]:b") == "#\\#[a]%3Ab")
  }
}
