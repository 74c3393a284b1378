import ScenarioTools
import Testing

@Suite("What runs of a command say of the time")
struct TimeVariationTests {
  private func needsClock(free: [String], here: [String], there: [String]) -> Bool {
    TimeVariation.needsClock(
      free: free.map { [$0] }, here: here.map { [$0] }, there: there.map { [$0] })
  }

  private func variation(_ runs: [String]...) -> TimeVariation { TimeVariation(runs) }

  @Test("Where another instant changes more than another run does, a clock is needed")
  func clock() {
    #expect(needsClock(free: ["1", "1"], here: ["a", "a"], there: ["b", "b"]))
    #expect(needsClock(free: ["1", "1"], here: ["1 x", "1 y"], there: ["2 x", "2 z"]))
    #expect(needsClock(free: ["1", "1"], here: ["1\nx", "1\ny"], there: ["2\nx", "2\ny"]))
    #expect(needsClock(free: ["1", "1"], here: ["1", "1"], there: ["1\n2", "1\n2"]))
    // How long it took, beside chance as well.
    #expect(needsClock(free: ["0.01", "0.02"], here: ["0.0", "0.0"], there: ["0.0", "0.0"]))
    #expect(
      needsClock(
        free: ["a\n0.01", "b\n0.02"], here: ["c\n0.0", "d\n0.0"], there: ["e\n0.0", "f\n0.0"]))
  }

  @Test("What changes by itself, and what never changes, needs none")
  func chance() {
    #expect(!needsClock(free: ["1", "1"], here: ["1", "1"], there: ["1", "1"]))
    #expect(!needsClock(free: ["id 1", "id 2"], here: ["id 3", "id 4"], there: ["id 5", "id 6"]))
    #expect(!needsClock(free: ["1", "1\n2"], here: ["1", "1\n2"], there: ["1", "1\n2"]))
    // The same twice at one instant by chance, and not at the other one.
    #expect(!needsClock(free: ["1", "2"], here: ["3", "3"], there: ["1", "2"]))
    #expect(!needsClock(free: ["1", "1"], here: ["1", "1"], there: ["1", "1\n2"]))
  }

  @Test("The same lines in another order are chance, whenever they come so")
  func order() {
    #expect(
      !needsClock(free: ["a\nb", "b\na"], here: ["a\nb", "a\nb"], there: ["b\na", "b\na"]))
    #expect(needsClock(free: ["a\nb", "b\na"], here: ["a\nb", "a\nb"], there: ["b\nc", "b\nc"]))
    #expect(!variation(["a\nb"], ["b\na"]).isEmpty)
  }

  @Test("One comparison reaches beyond another where it differs in other lines")
  func reach() {
    let first = variation(["a\nb"], ["a\nc"])
    #expect(!variation(["a\nd"], ["a\ne"]).reaches(beyond: first))
    #expect(variation(["x\nd"], ["a\nd"]).reaches(beyond: first))
    #expect(variation(["a", "x"], ["a", "y"]).reaches(beyond: first))
    #expect(variation(["a"], ["a\nb"]).reaches(beyond: first))
    #expect(!first.reaches(beyond: variation(["a"], ["a\nb"])))
    #expect(!variation(["a\nb"], ["b\na"]).reaches(beyond: variation(["a\nb"], ["a\nb"])))
  }
}
