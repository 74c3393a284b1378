import ScenarioTools
import Testing

@Suite("What runs of a command say of the time")
struct TimeVariationTests {
  private func needsClock(
    free: (String, String), held: (String, String), moved: (String, String)
  ) -> Bool {
    TimeVariation.needsClock(
      free: TimeVariation([free.0], [free.1]), held: TimeVariation([held.0], [held.1]),
      moved: TimeVariation([moved.0], [moved.1]))
  }

  @Test("Where another instant changes more than another run does, a clock is needed")
  func clock() {
    #expect(needsClock(free: ("1", "1"), held: ("a", "a"), moved: ("a", "b")))
    #expect(needsClock(free: ("1", "1"), held: ("1 x", "1 y"), moved: ("1 x", "2 y")))
    #expect(needsClock(free: ("1", "1"), held: ("1\nx", "1\ny"), moved: ("1\nx", "2\ny")))
    #expect(needsClock(free: ("1", "1"), held: ("1", "1"), moved: ("1", "1\n2")))
    // How long it took.
    #expect(needsClock(free: ("0.01", "0.02"), held: ("0.0", "0.0"), moved: ("0.0", "0.0")))
  }

  @Test("What changes by itself, and what never changes, needs none")
  func chance() {
    #expect(!needsClock(free: ("1", "1"), held: ("1", "1"), moved: ("1", "1")))
    #expect(!needsClock(free: ("id 1", "id 2"), held: ("id 3", "id 4"), moved: ("id 5", "id 6")))
    #expect(!needsClock(free: ("1", "1\n2"), held: ("1", "1\n2"), moved: ("1", "1\n2")))
  }

  @Test("One comparison reaches beyond another where it differs in other lines")
  func reach() {
    let first = TimeVariation(["a\nb"], ["a\nc"])
    #expect(!TimeVariation(["a\nd"], ["a\ne"]).reaches(beyond: first))
    #expect(TimeVariation(["x\nd"], ["a\nd"]).reaches(beyond: first))
    #expect(TimeVariation(["a", "x"], ["a", "y"]).reaches(beyond: first))
    #expect(TimeVariation(["a"], ["a\nb"]).reaches(beyond: first))
    #expect(!first.reaches(beyond: TimeVariation(["a"], ["a\nb"])))
  }
}
