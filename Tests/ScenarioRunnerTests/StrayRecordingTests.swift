import Foundations
import Testing

@testable import ScenarioRunner

@Suite("Recordings whose scenario is gone")
struct StrayRecordingTests {
  private static let file = "/nowhere/shop.yaml"
  private static let place = "/nowhere/__recordings__/pays.yaml"

  private func read(_ scenarios: String) -> ScenarioNames? {
    let text = "version: 2\ntarget: { command: [./program] }\n" + scenarios
    return ScenarioNames(bytes: Array(text.utf8), path: Self.file)
  }

  private func isGone(_ title: String, _ names: ScenarioNames?) -> Bool {
    StrayRecording.isGone(RecordingTitle(title), at: Self.place, Self.file, names)
  }

  @Test("A recording is in use while its file has the name of its scenario, whatever the row")
  func inUse() {
    let names = read("name: pays\nexpect: { exit: 0 }\n")
    #expect(names != nil)
    #expect(!isGone("pays (shop.yaml)", names))
    #expect(!isGone("pays [who=a] (shop.yaml)", names))
    #expect(isGone("buys (shop.yaml)", names))
    #expect(!isGone("buys (shop.yaml)", nil))
  }

  @Test("A recording of another file is in use as long as there is that file")
  func files() {
    let this = String(describing: #filePath)
    let name = this.split(separator: "/").last.map(String.init) ?? ""
    let folder = this.parentFolder
    #expect(isGone("pays (other.yaml)", nil))
    #expect(
      !StrayRecording.isGone(
        RecordingTitle("pays (\(name))"), at: folder + "/__recordings__/pays.yaml",
        folder + "/shop.yaml", nil))
    #expect(!isGone("no title", nil))
  }

  @Test(
    "A name in quotes or with escapes is one of the file",
    arguments: ["'it''s one'", "\"it\\u0027s one\"", "it's one", "\"it's\n  one\""])
  func quotes(name: String) throws {
    let names = try #require(read("name: \(name)\nexpect: { exit: 0 }\n"))
    #expect(names.mayHave("it's one"))
    #expect(!names.mayHave("its one"))
  }

  @Test("A file that cannot be read, and a name that is computed, tell no names")
  func unknown() {
    #expect(read("name: [") == nil)
    #expect(ScenarioNames(of: Self.file) == nil)
    #expect(read("name: 'a'\nexpect: { exit: 0 }\n")?.mayHave("b REDACTED") == true)
  }

  @Test(
    "A title tells the file's path, where it is not in the folder above",
    arguments: [
      ("/a/s.yaml", "/a/__recordings__/t.yaml", "t (s.yaml)"),
      ("/a/s.yaml", "/a/t.yaml", "t (./s.yaml)"),
      ("/a/s.yaml", "/a/b/c/t.yaml", "t (../../s.yaml)"),
      ("/a/b/s.yaml", "/a/shared/t.yaml", "t (../b/s.yaml)"),
      ("/a/s.yaml", "/t.yaml", "t (./a/s.yaml)"),
    ])
  func title(file: String, place: String, text: String) {
    let title = RecordingTitle(of: "t", in: file, at: place)
    #expect(title.text == text)
    #expect(RecordingTitle(text) == title)
    #expect(title.isOf(file, at: place))
    #expect(!title.isOf("/c" + file, at: place))
    #expect(!RecordingTitle("t").isOf(file, at: place))
  }

  @Test("Only a recording of the same scenario of the same file may be replaced")
  func replaced() {
    func mayReplace(_ former: String) -> Bool {
      RecordingTitle(former).isReplaceable(by: "pays (shop.yaml)", of: Self.file, at: Self.place)
    }
    #expect(mayReplace("pays (shop.yaml)"))
    for other in ["buys (shop.yaml)", "pays (other.yaml)", "pays (../b/shop.yaml)", "pays"] {
      #expect(!mayReplace(other))
    }
  }
}
