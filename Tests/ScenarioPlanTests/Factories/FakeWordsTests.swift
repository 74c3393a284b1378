@testable import ScenarioPlan
@testable import ScenarioSyntax
import Testing

@Suite struct FakeWordsTests {
  @Test("Editors complete each fake that there is, and no other")
  func agree() {
    #expect(LanguageDescription.fakes.sorted() == FakeValue.allCases.map(\.rawValue).sorted())
  }
}
