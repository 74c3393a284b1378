import Testing

@testable import ScenarioRunner

@Suite("The last lines of what was written")
struct LastLinesTests {
  @Test("They stand below the stream's name, and a cut is marked on either side")
  func lines() {
    let bytes = Array("one\ntwo\n\nthree\n".utf8)
    let long = String(repeating: "x", count: 600)

    #expect(
      LastLines.text(bytes, isCut: false, of: "stdout") == ["stdout:", "  one", "  two", "  three"])
    #expect(
      LastLines.text(bytes, isCut: true, of: "stdout", count: 5) == [
        "stdout:", "  …one", "  two", "  three",
      ])
    #expect(LastLines.text(bytes, isCut: true, of: "stdout", count: 1) == ["stdout:", "  three"])
    #expect(
      LastLines.text(Array(long.utf8), isCut: false, of: "a")
        == ["a:", "  \(long.prefix(500))…"])
  }

  @Test("Where there are none, not even the name is reported")
  func none() {
    #expect(LastLines.text([], isCut: false, of: "stdout") == [])
    #expect(LastLines.text(Array("\n\n".utf8), isCut: false, of: "stdout") == [])
  }
}
