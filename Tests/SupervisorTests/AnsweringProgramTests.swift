import Foundations
import Patterns
import Synchronization
import Testing

@testable import Supervisor

@Suite("Programs that answer a line for a line")
struct AnsweringProgramTests {
  private func ask(
    _ programs: AnsweringPrograms, _ script: String
  ) async -> Result<String, PatternError> {
    await withCheckedContinuation { continuation in
      programs.ask(["sh", "-c", script], "question") { continuation.resume(returning: $0) }
    }
  }

  @Test("What a program writes to standard error is kept, the end of it where it is long")
  func errors() async throws {
    let programs = AnsweringPrograms()
    defer { programs.close() }

    let short = await ask(programs, "echo starting >&2; read line; echo answer")
    let long = await ask(
      programs, "read line; head -c 300000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo answer")

    #expect(try short.get() == "answer")
    #expect(try long.get() == "answer")
    let texts = programs.errors()
    #expect(String(decoding: texts[0].end, as: UTF8.self) == "starting\n")
    #expect(!texts[0].isCut)
    #expect(texts[1].end.count == 16 << 10)
    #expect(texts[1].end.suffix(5) == Array("xend\n".utf8))
    #expect(texts[1].isCut)
  }

  @Test("A program that ends without an answer is told apart, with what it must print")
  func end() async throws {
    let programs = AnsweringPrograms()
    defer { programs.close() }

    let answer = await ask(programs, "read line; echo why >&2; exit 3")

    guard case .failure(let error) = answer else {
      Issue.record("an answer: \(answer)")
      return
    }
    #expect(error.message == "the program ended without an answer to question")
    #expect(error.help.contains(#"{"status": 200, "json": {}}"#))
    #expect(String(decoding: programs.errors()[0].end, as: UTF8.self) == "why\n")
  }
}
