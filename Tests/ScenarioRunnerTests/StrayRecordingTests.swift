import Testing

@testable import ScenarioRunner

@Suite("Recordings whose scenario is gone")
struct StrayRecordingTests {
  private let text = "version: 2\nname: pays\nmatrix: { who: [a] }\n"

  @Test("A recording is in use while its file has the name of its scenario, whatever the row")
  func names() {
    #expect(!StrayRecording.isGone("pays (shop.yaml)", "/nowhere/shop.yaml", text))
    #expect(!StrayRecording.isGone("pays [who=a] (shop.yaml)", "/nowhere/shop.yaml", text))
    #expect(StrayRecording.isGone("buys (shop.yaml)", "/nowhere/shop.yaml", text))
  }

  @Test("A recording of another file is in use as long as there is that file")
  func files() {
    let this = String(describing: #filePath)
    let name = this.split(separator: "/").last.map(String.init) ?? ""
    #expect(StrayRecording.isGone("pays (other.yaml)", "/nowhere/shop.yaml", text))
    #expect(!StrayRecording.isGone("pays (\(name))", this.replacing(name, with: "shop.yaml"), ""))
    #expect(!StrayRecording.isGone("no title", "/nowhere/shop.yaml", text))
  }
}
