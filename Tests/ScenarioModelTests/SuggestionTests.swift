import ScenarioModel
import Testing

@Suite struct SuggestionTests {
  @Test(
    "The nearest name is found",
    arguments: [
      ("stesp", "steps"), ("Steps", "steps"), ("targt", "target"), ("steeps", "steps"),
      ("xtep", "steps"),
    ])
  func finds(word: String, name: String) {
    #expect(Suggestion.closest(to: word, in: ["target", "steps", "run"]) == name)
  }

  @Test("A name that is three edits away is a different name", arguments: ["xxxps", "by", "", "q"])
  func findsNothing(word: String) {
    #expect(Suggestion.closest(to: word, in: ["target", "steps", "to"]) == nil)
  }

  @Test("Of two names as near, the first in the alphabet is taken")
  func breaksTies() {
    #expect(Suggestion.closest(to: "cat", in: ["rat", "bat"]) == "bat")
  }

  @Test("The help lists what is allowed in order")
  func helps() {
    #expect(
      Suggestion.help(for: "nam", in: ["name", "at"], label: "allowed keys")
        == "did you mean \"name\"? allowed keys: at, name")
    #expect(Suggestion.help(for: "q", in: [], label: "known factories") == "known factories: none")
  }
}
