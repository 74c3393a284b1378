import Testing

@testable import Supervisor

@Suite("Paths as the kernel tells them")
struct KernelPathTests {
  @Test(
    "A file without a name has its last one, and one that never had a name is called the same in each run",
    arguments: [
      ("/w/tmp.dat (deleted)", "/w/tmp.dat"), ("/w/#16222508 (deleted)", "/w/#"),
      ("/memfd:scratch (deleted)", "/memfd:scratch"), ("/w/# (deleted)", "/w/#"),
      ("/w/#12a (deleted)", "/w/#12a"), ("/w/plain", "/w/plain"), ("/w/#12", "/w/#12"),
    ])
  func plain(link: String, path: String) {
    #expect(KernelPath.plain(link) { false } == path)
  }

  @Test("A file that is really called so keeps its name")
  func named() {
    #expect(KernelPath.plain("/w/old (deleted)") { true } == "/w/old (deleted)")
  }
}
