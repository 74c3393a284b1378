@testable import Foundations
@testable import ScenarioModel
import Testing

@Suite("Functions of chaos entries")
struct ChaosFunctionDecodingTests {
  private func functions(_ entry: String) throws -> (names: [String], place: String?) {
    let file = try #require(parse("version: 2\nchaos: [{ \(entry) }]\n").file)
    let victim = try #require(file.defaults.chaos.first).victim
    guard case .functions(let names, let place) = victim else { return ([], nil) }
    return (names.map(\.value), place?.value)
  }

  @Test("An entry names one function or several, and where they are")
  func reads() throws {
    let one = try functions("function: deflate, in: libz, provide: nil")
    let several = try functions("function: [malloc, calloc], provide: { error: ENOMEM }")

    #expect(one == (["deflate"], "libz"))
    #expect(several.names == ["malloc", "calloc"])
    #expect(several.place == nil)
    #expect(try functions("call: fsync, provide: nil").names == [])
  }

  @Test("An entry is called after its functions")
  func names() throws {
    let text = "version: 2\nchaos: [{ function: [malloc, calloc], provide: nil }]\n"
    let entry = try #require(parse(text).file?.defaults.chaos.first)

    #expect(entry.name.value == "malloc/calloc")
  }

  @Test(
    "What does not go together is an error where it stands",
    arguments: [
      (
        "call: fsync, function: malloc, provide: nil",
        "\"call\" cannot be combined with \"function\"", 11
      ),
      ("call: fsync, in: libz, provide: nil", "\"in\" needs \"function\"", 24),
      ("call: fsync, except: malloc, provide: nil", "\"except\" needs \"function\"", 24),
      ("funktion: malloc, provide: nil", "unknown key \"funktion\"", 11),
      ("function: [], provide: nil", "\"function\"", 21),
    ])
  func mistakes(entry: String, message: String, column: Int) {
    let messages = parse("version: 2\nchaos: [{ \(entry) }]\n").messages

    #expect(messages.contains(":2:\(column): error["))
    #expect(messages.contains("]: \(message)"), "\(messages)")
    #expect(messages.contains("help: "))
  }
}
