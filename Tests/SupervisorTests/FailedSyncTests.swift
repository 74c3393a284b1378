import Testing

@testable import Supervisor

/// A disk with a journal of its metadata, and the page cache's dirty pages.
private struct ModelDisk {
  enum Shape {
    case length(Int)
    case hole(Range<Int>)
  }

  var bytes: [UInt8]
  /// The pages that the next sync writes.
  var dirtyPages: Set<Int> = []
  /// What the next sync makes of the file's shape, in this order.
  private var shapes: [Shape] = []
  private static let pageSize = 4_096

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func shape(_ shape: Shape) { shapes.append(shape) }

  mutating func write(_ range: Range<Int>) {
    dirtyPages.formUnion(range.lowerBound / Self.pageSize...(range.upperBound - 1) / Self.pageSize)
  }

  mutating func sync(_ memory: [UInt8]) {
    commit()
    for page in dirtyPages where page * Self.pageSize < memory.count {
      put(page * Self.pageSize..<min(memory.count, (page + 1) * Self.pageSize), of: memory)
    }
    dirtyPages = []
  }

  mutating func writeThrough(_ range: Range<Int>, of memory: [UInt8]) {
    commit()
    put(range, of: memory)
  }

  private mutating func commit() {
    for shape in shapes {
      switch shape {
      case .length(let length): bytes = resized(to: length)
      case .hole(let range):
        for place in range where place < bytes.count { bytes[place] = 0 }
      }
    }
    shapes = []
  }

  private mutating func put(_ range: Range<Int>, of memory: [UInt8]) {
    if bytes.count < range.upperBound { bytes = resized(to: range.upperBound) }
    bytes.replaceSubrange(range, with: memory[range])
  }

  private func resized(to length: Int) -> [UInt8] {
    Array(bytes.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - bytes.count))
  }
}

@Suite("Syncs that fail")
struct FailedSyncTests {
  @Test("What a failed sync has left arrives by no later one, until its page is written again")
  func forsaken() {
    let page = String(repeating: "o", count: 4_096)
    var file = ShadowedFile(page + page)
    file.write("NEW", at: 0)
    file.failSync()
    file.write("LATER", at: 4_096)
    file.sync()
    #expect(file.afterCrash == page + "LATER" + page.dropFirst(5))
    file.sync()
    #expect(file.afterCrash == page + "LATER" + page.dropFirst(5))
    file.write("again", at: 100)
    file.sync()

    let first = "NEW" + String(repeating: "o", count: 97) + "again"
    #expect(file.afterCrash == first + page.dropFirst(105) + "LATER" + page.dropFirst(5))
    #expect(file.shadow.isDurable(size: 8_192))
  }

  @Test("An append that was left is missing, and a hole once something behind it has arrived")
  func forsakenAppend() {
    var file = ShadowedFile("old")
    let lost = String(repeating: "x", count: 8_192 - 3)
    file.write(lost, at: 3)
    file.failSync()
    file.sync()
    #expect(file.afterCrash == "old")
    file.write("behind", at: 8_192)
    file.sync()

    #expect(file.afterCrash == "old" + String(repeating: "\0", count: 8_189) + "behind")
  }

  @Test("A sync that failed leaves what was durable before it")
  func failedAfterSync() {
    var file = ShadowedFile("aaaa")
    file.write("bbbb", at: 0)
    file.sync()
    file.failSync()
    file.sync()

    #expect(file.afterCrash == "bbbb")
  }

  // MARK: - Shapes that arrive without bytes

  @Test("A file that was written anew is empty once a sync has lost its bytes, never the old one")
  func forsakenRewrite() {
    var file = ShadowedFile("old")
    file.cut(to: 0)
    file.write("n", at: 0)
    file.failSync()
    #expect(file.afterCrash == "old")
    file.sync()
    #expect(file.afterCrash == "")
    file.write("again", at: 0)
    file.sync()

    #expect(file.afterCrash == "again")
  }

  @Test("What was cut off comes back as zeros where the file grew again, by its length or by bytes")
  func forsakenRegrowth() {
    let page = String(repeating: "o", count: 4_096)
    let zeros = String(repeating: "\0", count: 4_096)
    var file = ShadowedFile(page + page)
    file.cut(to: 2)
    file.cut(to: 6)
    file.write("new", at: 1)
    file.failSync()
    file.sync()
    #expect(file.afterCrash == "oo\0\0\0\0")

    file = ShadowedFile(page + page)
    file.cut(to: 0)
    file.write("lost", at: 0)
    file.failSync()
    file.write("kept", at: 4_096)
    file.sync()
    #expect(file.afterCrash == zeros + "kept")
  }

  @Test("What was made a hole, and what was moved, does not come back after a sync that lost bytes")
  func forsakenHole() {
    var file = ShadowedFile("0123456789")
    file.punch(2..<6)
    file.write("ab", at: 3)
    file.failSync()
    #expect(file.afterCrash == "0123456789")
    file.sync()
    #expect(file.afterCrash == "01\0\0\0\06789")

    for change in [{ $0.collapse(2..<4) }, { $0.insert(2..<4) }] as [(inout ShadowedFile) -> Void] {
      var file = ShadowedFile("0123456789")
      change(&file)
      file.write("ab", at: 0)
      file.failSync()
      file.sync()
      #expect(file.afterCrash == "01" + String(decoding: file.bytes.dropFirst(2), as: UTF8.self))
    }
  }

  @Test("A file that is cut while another thread's sync loses its bytes is cut by the next sync")
  func cutWhileSyncing() {
    var file = ShadowedFile("old content")
    file.write("new", at: 0)
    file.failSync()
    let sync = file.beginSync()
    file.cut(to: 5)
    file.shadow.endSync(sync)
    #expect(file.afterCrash == "old content")
    file.sync()

    #expect(file.afterCrash == "old c")
  }

  @Test("A durable write takes the file's shape along, and nothing that was cut off before it")
  func durableWriteIntoCut() {
    var file = ShadowedFile("old content")
    file.cut(to: 0)
    file.write("0123456789", at: 0)
    file.makeDurable(2..<4)

    #expect(file.afterCrash == "\0\023")
  }

  @Test("What a disk has after syncs that fail is never a mixture", arguments: 0..<40)
  func randomFailures(seed: Int) {
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 3
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    var file = ShadowedFile(String(repeating: "o", count: next(12_000)))
    var disk = ModelDisk(bytes: file.bytes)
    for round in 0..<40 {
      switch next(8) {
      case 0:
        let size = next(14_000)
        file.cut(to: size)
        disk.shape(.length(size))
      case 1:
        let start = next(12_000)
        let range = start..<start + 1 + next(5_000)
        file.punch(range)
        disk.shape(.hole(range))
      case 2:
        file.failSync()
        disk.dirtyPages = []
      case 3, 4:
        file.sync()
        disk.sync(file.bytes)
      case 5 where !file.bytes.isEmpty:
        let start = next(file.bytes.count)
        let range = start..<min(file.bytes.count, start + 1 + next(3_000))
        file.write(String(repeating: "D", count: range.count), at: start)
        disk.write(range)
        file.makeDurable(Int64(range.lowerBound)..<Int64(range.upperBound))
        disk.writeThrough(range, of: file.bytes)
      default:
        let text = String(UnicodeScalar(UInt8(97 + round % 26)))
        let start = next(12_000)
        let count = 1 + next(5_000)
        file.write(String(repeating: text, count: count), at: start)
        disk.write(start..<start + count)
      }
      let isSame = file.afterCrash == String(decoding: disk.bytes, as: UTF8.self)
      #expect(isSame, "round \(round)")
    }
  }
}
