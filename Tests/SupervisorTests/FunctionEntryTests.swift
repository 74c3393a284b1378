import Foundation
import Testing

@testable import Supervisor

@Suite("The beginnings of functions")
struct FunctionEntryTests {
  @Test("Instructions are as long as a disassembler says")
  func lengths() throws {
    let lines = try Disassembly.lines(of: "/usr/lib/x86_64-linux-gnu/libc.so.6")
    try #require(lines.count > 100_000)

    var differing: [String] = []
    for line in lines where !line.isUnknown {
      let length = Instruction(line.bytes[...])?.length
      if length != line.bytes.count { differing.append("\(line.bytes): \(length ?? 0)") }
    }
    #expect(differing.prefix(5) == [])
  }

  @Test("An instruction that is cut off is none")
  func cut() {
    let code: [UInt8] = [0x48, 0x8b, 0x84, 0x24, 1, 2, 3, 4]

    #expect(Instruction(code[...])?.length == 8)
    for length in 0..<8 { #expect(Instruction(code[..<length]) == nil) }
    #expect(Instruction([UInt8](repeating: 0x66, count: 20)[...]) == nil)
  }

  private func read(_ code: [UInt8], size: Int) -> FunctionEntry? {
    FunctionEntry(code: code + [UInt8](repeating: 0x90, count: 16), size: size, at: 0x1000)
  }

  @Test("A beginning that a neighbour jumps into gives way to a breakpoint")
  func neighbour() throws {
    // glibc's mempcpy: mov %rdi,%rax; add %rdx,%rax; jmp to the second instruction of memcpy; a check between.
    func before(_ distance: UInt8) -> [UInt8] {
      [0x48, 0x89, 0xf8, 0x48, 0x01, 0xd0, 0xeb, distance, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0]
        + [0x48, 0x39, 0xd1, 0x0f, 0x82, 0xa7, 0x3f, 0x07, 0, 0x0f, 0x1f, 0x80, 0, 0, 0, 0]
    }
    let code: [UInt8] = [0x48, 0x89, 0xf8, 0x48, 0x83, 0xfa, 0x10, 0xc3]
    func patch(_ before: [UInt8]) -> FunctionEntry.Patch? {
      FunctionEntry(
        code: code + [UInt8](repeating: 0x90, count: 16), size: 8, at: 0x1000, before: before)?
        .patch
    }

    #expect(patch(before(0x1b)) == .breakpoint)
    // Read from the middle of an instruction.
    #expect(patch(Array(before(0x1b).dropFirst())) == .breakpoint)
    #expect(patch(before(0x18)) == .jump)
    #expect(patch(before(0x20)) == .jump)
    #expect(patch([]) == .jump)
  }

  @Test("A beginning of five bytes gives way to a jump, and runs elsewhere")
  func jump() throws {
    // push %r12; push %rbp; push %rbx; mov %rdi,%rbx; ret
    let entry = try #require(read([0x41, 0x54, 0x55, 0x53, 0x48, 0x89, 0xfb, 0xc3], size: 8))

    #expect(entry.patch == .jump)
    #expect(
      entry.displaced(at: 0x9000)
        == [0x41, 0x54, 0x55, 0x53, 0x48, 0x89, 0xfb, 0xe9, 0xfb, 0x7f, 0xff, 0xff])
  }

  @Test("What is addressed by distance stays what it was")
  func addressed() throws {
    // cmpb $0,0x141b46(%rip)
    let entry = try #require(read([0x80, 0x3d, 0x46, 0x1b, 0x14, 0, 0, 0xc3], size: 8))

    let moved = try #require(entry.displaced(at: 0x9000))
    // 0x1007 + 0x141b46 = 0x9007 + 0x139b46
    #expect(Array(moved.prefix(7)) == [0x80, 0x3d, 0x46, 0x9b, 0x13, 0, 0])
    #expect(entry.displaced(at: 0x7000_0000_0000) == nil)
  }

  @Test("A short branch becomes a long one, and a jump is followed by nothing")
  func branches() throws {
    // test %edi,%edi; je +16; nop
    let branch = try #require(
      read([0x85, 0xff, 0x74, 0x10, 0x90] + [UInt8](repeating: 0x90, count: 32), size: 37))
    let moved = try #require(branch.displaced(at: 0x2000))
    // 0x1014 - 0x2008
    #expect(Array(moved.prefix(8)) == [0x85, 0xff, 0x0f, 0x84, 0x0c, 0xf0, 0xff, 0xff])

    let jump = try #require(read([0xe9, 0, 1, 0, 0], size: 5))
    #expect(jump.targets == [0x1105])
    #expect(jump.displaced(at: 0x1100) == [0xe9, 0, 0, 0, 0])
    #expect(jump.displaced(at: 0x1100, redirections: [0x1105: 0x1205]) == [0xe9, 0, 1, 0, 0])
  }

  @Test("A loop to the beginning, or a neighbour too near, leaves room for a breakpoint only")
  func breakpoint() throws {
    // endbr64; dec %rax; jne to behind endbr64; ret
    let loop = try #require(
      read([0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3], size: 10))
    #expect(loop.patch == .breakpoint)
    // xor %eax,%eax; ret; and the next function
    let tight = try #require(read([0x31, 0xc0, 0xc3, 0x55, 0x48, 0x89, 0xe5], size: 3))
    #expect(tight.patch == .breakpoint)
    #expect(tight.displaced(at: 0x9000) == [0x31, 0xc0, 0xe9, 0xfb, 0x7f, 0xff, 0xff])
    let padded = try #require(read([0x31, 0xc0, 0xc3, 0x0f, 0x1f, 0x44, 0, 0], size: 3))
    #expect(padded.patch == .jump)
  }

  @Test("A function that begins with a call is refused")
  func call() {
    #expect(read([0xe8, 1, 0, 0, 0, 0xc3], size: 6) == nil)
  }

  @Test("A stub reaches its counters and leaves its traps behind the function's own beginning")
  func stub() throws {
    let entry = try #require(read([0x41, 0x54, 0x55, 0x53, 0x48, 0x89, 0xfb, 0xc3], size: 8))
    let stub = try #require(
      FunctionStub(entry, points: [3, 5], cells: [0x4000, 0x4040], at: 0x3000))

    #expect(stub.traps.map(\.point) == [3, 5])
    #expect(stub.traps[0].next < stub.traps[1].next)
    #expect(stub.traps[1].next == stub.uncounted)
    for trap in stub.traps {
      let end = Int(trap.address - 0x3000)
      #expect(Array(stub.code[end - 2..<end]) == [0x0f, 0x05])
    }
    #expect(stub.patch(for: entry) == [0xe9, 0xfb, 0x1f, 0, 0])
    #expect(FunctionStub(entry, points: [3], cells: [1 << 40], at: 0x3000) == nil)
  }
}

/// What objdump makes of the code of a file.
private enum Disassembly {
  struct Line {
    var bytes: [UInt8]
    /// Whether the disassembler does not know it either.
    var isUnknown: Bool
  }

  static func lines(of path: String) throws -> [Line] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/objdump")
    process.arguments = ["-d", "--insn-width=15", "-j", ".text", path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    // "  26380:\tf3 0f 1e fa \tendbr64"
    return String(decoding: data, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n"))
      .compactMap { line in
        let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2)
        guard fields.count == 3, fields[0].last == UInt8(ascii: ":") else { return nil }
        let bytes = fields[1].split(separator: UInt8(ascii: " ")).compactMap {
          UInt8(String(decoding: $0, as: UTF8.self), radix: 16)
        }
        let text = String(decoding: fields[2], as: UTF8.self)
        return Line(bytes: bytes, isUnknown: text.contains("(bad)"))
      }
  }
}
