import Glibc
import Testing

@testable import Supervisor

@Suite("How much of the target's memory is open")
struct OpenMemoriesTests {
  private let memories = OpenMemories(limit: 2)
  private let own = ThreadIdentifier(getpid())

  private func program() -> RunningProgram {
    RunningProgram(of: own, arguments: ["sh"], memories: memories)
  }

  @Test("What was not looked at for the longest is closed, and opens again at the next look")
  func limit() throws {
    let programs = (0..<3).map { _ in program() }
    let first = try #require(programs[0].memory)
    _ = programs[1].memory
    _ = programs[2].memory

    #expect(programs[2].memory != nil)
    #expect(programs[0].memory !== first)
  }

  @Test("What is looked at again and again stays open")
  func used() throws {
    let programs = (0..<6).map { _ in program() }
    let kept = try #require(programs[0].memory)
    for program in programs.dropFirst() {
      #expect(program.memory != nil)
      #expect(programs[0].memory === kept)
    }
  }

  @Test("What is open can be closed at once, and opens again at the next look")
  func all() throws {
    let programs = (0..<2).map { _ in program() }
    let first = try #require(programs[0].memory)
    _ = programs[0].memory
    #expect(programs[1].addressSpace.processDescriptor() >= 0)
    memories.closeAll()

    #expect(programs[0].memory !== first)
    #expect(programs[1].addressSpace.processDescriptor() >= 0)
  }

  @Test("A process that is gone has no memory, and takes nobody's")
  func gone() throws {
    let program = program()
    let memory = try #require(program.memory)
    let gone = RunningProgram(
      of: ThreadIdentifier(.max), arguments: ["sh"], memories: memories)

    #expect(gone.memory == nil)
    #expect(program.memory === memory)
  }
}
