import Glibc
import Testing

@testable import Supervisor

@Suite("The way of a path through symbolic links")
struct LinkWalkTests {
  private let folder: String

  init() throws {
    var text = Array("/tmp/link-walk-XXXXXX".utf8CString)
    folder = try #require(mkdtemp(&text).map { String(cString: $0) })
  }

  private func places(
    _ path: String, from start: String = "", links: [String: String] = [:]
  ) -> [String] {
    var places: [String] = []
    LinkWalk.follow(Array(path.utf8), from: start, links: links) { place, isLink in
      places.append((isLink ? "@" : "") + place)
    }
    return places
  }

  @Test("Each name is visited where it stands, and each link before what it leads to")
  func visited() {
    defer { for name in ["a", "b", "d"] { remove("\(folder)/\(name)") }; rmdir(folder) }
    symlink("b/../c", "\(folder)/a")
    symlink("d", "\(folder)/b")
    mkdir("\(folder)/d", 0o700)

    #expect(
      places("./a//x", from: folder) == [
        "@\(folder)/a", "@\(folder)/b", "\(folder)/d", "\(folder)/c", "\(folder)/c/x",
      ])
    #expect(
      LinkWalk.links(through: Array("a".utf8), from: folder) == ["\(folder)/a", "\(folder)/b"])
  }

  @Test("Links that differ from process to process lead where they are said to lead")
  func own() {
    defer { rmdir(folder) }
    let links = ["/proc/self": "1"]

    #expect(
      places("/proc/self/stat", links: links) == [
        "/proc", "@/proc/self", "/proc/1", "/proc/1/stat",
      ])
    #expect(places("/proc/self/stat") != places("/proc/self/stat", links: links))
  }

  @Test("A way through a link that differs from process to process begins anew behind it")
  func replaced() {
    defer { remove("\(folder)/a"); rmdir(folder) }
    let links = ["/proc/self": "1"]
    symlink("/proc/self/fd", "\(folder)/a")
    func replaced(_ path: String, from start: String) -> String? {
      LinkWalk.replacing(links, in: Array(path.utf8), from: start)
        .map { String(decoding: $0, as: UTF8.self) }
    }

    #expect(replaced("a/../fd/3", from: folder) == "/proc/1/fd/../fd/3")
    #expect(replaced("\(folder)/a/3", from: "/") == "/proc/1/fd/3")
    #expect(replaced("a/", from: folder) == "/proc/1/fd/")
    #expect(replaced("proc/1/fd/3", from: "/") == nil)
  }

  @Test("A circle ends")
  func circle() {
    defer { remove("\(folder)/a"); rmdir(folder) }
    symlink("a", "\(folder)/a")

    #expect(places("a", from: folder).count == 40)
  }
}
