import Glibc
import Testing

@testable import Supervisor

@Suite("Output that is longer than what memory holds")
struct LongOutputTests {
  private func captured(_ bytes: [UInt8], in folder: String) throws -> CapturedStream {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let stream = CapturedStream(descriptor: ends[0], folder: folder)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) }
      _ = stream.drain()
    }
    close(ends[1])
    _ = stream.drain()
    return stream
  }

  private func sample(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  @Test("Up to the bound it lies in memory, beyond it in a file, and every byte can be read")
  func spilled() throws {
    let limit = CapturedOutput.memoryLimit
    let short = CapturedOutput(try captured(sample(limit), in: "/nowhere"))
    #expect(!short.isLong && short.bytes.count == limit && short.omitted == 0)

    let bytes = sample(3 * limit + 17)
    let long = CapturedOutput(try captured(bytes, in: "/tmp"))
    #expect(long.isLong && long.count == bytes.count && long.omitted == 0)
    #expect(long.bytes.count <= limit)
    #expect(try long.read(0..<bytes.count) == bytes)
    #expect(try long.read((limit - 5)..<(limit + 5)) == Array(bytes[(limit - 5)..<(limit + 5)]))
    #expect(long.suffix(9) == Array(bytes.suffix(9)))
  }

  @Test("Where no file can be made the rest is counted, and the reason is known")
  func noRoom() throws {
    let bytes = sample(2 * CapturedOutput.memoryLimit)
    let output = CapturedOutput(try captured(bytes, in: "/nowhere"))

    #expect(output.errorNumber == ENOENT)
    #expect(output.count + output.omitted == bytes.count && output.omitted > 0)
    #expect(try output.read(0..<output.count) == Array(bytes.prefix(output.count)))
  }

  @Test("What a target wrote after a new start follows what it wrote before")
  func restarted() throws {
    let first = sample(CapturedOutput.memoryLimit + 5)
    let second = sample(CapturedOutput.memoryLimit + 300)
    let stream = try captured(second, in: "/tmp")
    stream.goOn(after: try captured(first, in: "/tmp"))

    #expect(try CapturedOutput(stream).read(0..<stream.kept) == first + second)
    #expect(stream.count == first.count + second.count)
  }

  @Test("What is told of growing output is what is new of it")
  func news() throws {
    let bytes = sample(CapturedOutput.memoryLimit + 400_000)
    let stream = try captured(bytes, in: "/tmp")

    let news = try #require(stream.takeNews(limit: 10))
    #expect(news.beginning == Array(bytes.prefix(10)) && news.count == bytes.count)
    #expect(stream.takeNews(limit: 10) == nil)
  }
}
