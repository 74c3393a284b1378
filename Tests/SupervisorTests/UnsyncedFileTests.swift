import Testing

@testable import Supervisor

/// A file in memory, beside what is known of its durable state.
private struct ShadowedFile {
  var bytes: [UInt8]
  var shadow: UnsyncedFile

  init(_ text: String, keepsLengths: Bool = false) {
    bytes = Array(text.utf8)
    shadow = UnsyncedFile(size: Int64(bytes.count), keepsLengths: keepsLengths)
  }

  mutating func save(_ range: Range<Int>) {
    for run in shadow.unsaved(in: Int64(range.lowerBound)..<Int64(range.upperBound)) {
      shadow.save(Array(bytes[Int(run.lowerBound)..<Int(run.upperBound)]), at: run.lowerBound)
    }
  }

  mutating func write(_ text: String, at offset: Int) {
    let new = Array(text.utf8)
    save(offset..<offset + new.count)
    while bytes.count < offset + new.count { bytes.append(0) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    shadow.recordWrite(Int64(offset)..<Int64(offset + new.count))
  }

  mutating func cut(to size: Int) {
    save(min(size, bytes.count)..<bytes.count)
    while bytes.count < size { bytes.append(0) }
    bytes.removeLast(bytes.count - size)
    shadow.setLength(Int64(size))
  }

  mutating func punch(_ range: Range<Int>) {
    save(range)
    for place in range where place < bytes.count { bytes[place] = 0 }
    shadow.clear(Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  mutating func collapse(_ range: Range<Int>) {
    save(range.lowerBound..<bytes.count)
    bytes.removeSubrange(range)
    shadow.collapse(Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  mutating func insert(_ range: Range<Int>) {
    save(range.lowerBound..<bytes.count)
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: range.count), at: range.lowerBound)
    shadow.insert(Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  mutating func makeDurable(_ range: Range<Int64>) {
    shadow.makeDurable(range, size: Int64(bytes.count))
  }

  mutating func failSync() { shadow.failSync(size: Int64(bytes.count)) }

  mutating func beginSync() -> Int { shadow.beginSync(size: Int64(bytes.count)) }

  mutating func sync() { shadow.endSync(beginSync()) }

  /// What the file holds after a crash.
  var afterCrash: String {
    var file = bytes
    for piece in shadow.restoration {
      while file.count < Int(piece.end) { file.append(0) }
      let bytes: [UInt8]
      switch piece.content {
      case .bytes(let saved): bytes = saved
      case .zeros(let count): bytes = [UInt8](repeating: 0, count: Int(count))
      }
      file.replaceSubrange(Int(piece.offset)..<Int(piece.end), with: bytes)
    }
    while file.count < Int(shadow.durableSize) { file.append(0) }
    return String(decoding: file.prefix(Int(shadow.durableSize)), as: UTF8.self)
  }
}

@Suite("What is not durable")
struct UnsyncedFileTests {
  @Test("Overwritten, appended and cut bytes come back as they were")
  func undo() {
    var file = ShadowedFile("0123456789")
    file.write("abc", at: 2)
    file.write("XYZ", at: 4)
    file.write("more", at: 10)
    file.cut(to: 3)
    file.write("!", at: 6)

    #expect(file.afterCrash == "0123456789")
    #expect(!file.shadow.isDurable(size: Int64(file.bytes.count)))
  }

  @Test("What was synced stays")
  func synced() {
    var file = ShadowedFile("old")
    file.write("new and longer", at: 0)
    file.sync()
    #expect(file.afterCrash == "new and longer")
    #expect(file.shadow.isDurable(size: 14))
    file.write("N", at: 0)

    #expect(file.afterCrash == "new and longer")
    #expect(!file.shadow.isDurable(size: 14))
  }

  @Test("What is written while another thread syncs is not durable with it")
  func concurrent() {
    var file = ShadowedFile("aaaa")
    file.write("bb", at: 0)
    let first = file.beginSync()
    file.write("cc", at: 1)
    let second = file.beginSync()
    file.write("d", at: 3)

    #expect(file.afterCrash == "aaaa")
    file.shadow.endSync(first)
    #expect(file.afterCrash == "bbaa")
    file.shadow.endSync(second)
    #expect(file.afterCrash == "bcca")
  }

  @Test("The sync that ends first makes those before it durable, and theirs add nothing")
  func outOfOrder() {
    var file = ShadowedFile("aaaa")
    file.write("b", at: 0)
    let first = file.beginSync()
    file.write("c", at: 1)
    let second = file.beginSync()
    file.shadow.endSync(second)
    #expect(file.afterCrash == "bcaa")
    file.write("d", at: 2)
    file.shadow.endSync(first)

    #expect(file.afterCrash == "bcaa")
  }

  @Test("A durable write stays without its neighbours")
  func durableWrite() {
    var file = ShadowedFile("aaaaaa")
    file.write("bbbbbb", at: 0)
    file.makeDurable(2..<4)
    #expect(file.afterCrash == "aabbaa")
    // It is lost again where it is overwritten.
    file.write("cccc", at: 1)
    #expect(file.afterCrash == "aabbaa")
    file.write("end", at: 10)
    file.makeDurable(10..<13)

    #expect(file.afterCrash == "aabbaa\0\0\0\0end")
  }

  @Test("A durable write behind a cut leaves nothing of what was cut off")
  func durableWriteBehindCut() {
    var file = ShadowedFile("old content that is longer")
    file.cut(to: 0)
    file.write("short", at: 0)
    file.makeDurable(0..<5)
    #expect(file.afterCrash == "short")
    // What was written behind it is not durable, and leaves no hole.
    file.write(" and more", at: 5)
    #expect(file.afterCrash == "short")
    file.cut(to: 3)
    #expect(file.afterCrash == "short")
  }

  // MARK: - Lengths that are kept

  @Test("A file that was written anew is empty where lengths are kept, and the old one where not")
  func rewritten() {
    for (keepsLengths, expected) in [(true, ""), (false, "old content")] {
      var file = ShadowedFile("old content", keepsLengths: keepsLengths)
      file.cut(to: 0)
      file.write("new", at: 0)
      #expect(file.afterCrash == expected)
      file.sync()
      #expect(file.afterCrash == "new")
    }
  }

  @Test("What truncate, punch, collapse and insert have done stays, but nothing that was written")
  func lengths() {
    var file = ShadowedFile("0123456789", keepsLengths: true)
    file.write("ab", at: 1)
    file.cut(to: 6)
    #expect(file.afterCrash == "012345")
    file.cut(to: 8)
    #expect(file.afterCrash == "012345\0\0")
    file.write("cdef", at: 6)
    #expect(file.afterCrash == "012345\0\0")
    file.punch(2..<4)
    #expect(file.afterCrash == "01\0\045\0\0")
    file.collapse(0..<1)
    #expect(file.afterCrash == "1\0\045\0\0")
    file.insert(1..<3)
    #expect(file.afterCrash == "1\0\0\0\045\0\0")
    file.sync()
    #expect(file.afterCrash == String(decoding: file.bytes, as: UTF8.self))
  }

  @Test("A length that is set while another thread syncs is kept as well")
  func lengthWhileSyncing() {
    var file = ShadowedFile("aaaa", keepsLengths: true)
    file.write("bb", at: 0)
    let sync = file.beginSync()
    file.cut(to: 1)
    #expect(file.afterCrash == "a")
    file.shadow.endSync(sync)

    #expect(file.afterCrash == "b")
  }

  // MARK: - Syncs that fail

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

  @Test("Each byte is kept once")
  func keptBytes() {
    var file = ShadowedFile(String(repeating: "x", count: 1_000))
    for offset in 0..<500 { file.write("yy", at: offset) }
    for offset in (0..<999).reversed() { file.write("zz", at: offset) }

    #expect(file.shadow.keptBytes == 1_000)
    #expect(file.afterCrash == String(repeating: "x", count: 1_000))
  }

  @Test("No sequence of changes is undone wrongly where lengths are kept", arguments: 0..<200)
  func randomLengths(seed: Int) {
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 7
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    func resized(_ bytes: [UInt8], to size: Int) -> [UInt8] {
      Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
    }
    var file = ShadowedFile(String(repeating: "o", count: next(40)), keepsLengths: true)
    var durable = file.bytes
    var pending: [(number: Int, bytes: [UInt8])] = []
    for round in 0..<40 {
      switch next(7) {
      case 0:
        let size = next(50)
        file.cut(to: size)
        durable = resized(durable, to: size)
        pending = pending.map { ($0.number, resized($0.bytes, to: size)) }
      case 1: pending.append((file.beginSync(), file.bytes))
      case 2 where !pending.isEmpty:
        let (number, bytes) = pending.removeFirst()
        file.shadow.endSync(number)
        durable = bytes
      case 3:
        let start = next(40)
        let range = start..<start + 1 + next(9)
        file.punch(range)
        func punched(_ bytes: [UInt8]) -> [UInt8] {
          bytes.enumerated().map { range.contains($0.offset) ? 0 : $0.element }
        }
        durable = punched(durable)
        pending = pending.map { ($0.number, punched($0.bytes)) }
      default:
        let text = String(UnicodeScalar(UInt8(97 + round % 26)))
        file.write(String(repeating: text, count: 1 + next(9)), at: next(40))
      }
      #expect(file.afterCrash == String(decoding: durable, as: UTF8.self))
    }
  }

  @Test("No sequence of changes is undone wrongly", arguments: 0..<200)
  func random(seed: Int) {
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 1
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    var file = ShadowedFile(String(repeating: "o", count: next(40)))
    var durable = file.bytes
    var pending: [(number: Int, bytes: [UInt8])] = []
    for round in 0..<40 {
      switch next(5) {
      case 0: file.cut(to: next(50))
      case 1: pending.append((file.beginSync(), file.bytes))
      case 2 where !pending.isEmpty:
        let (number, bytes) = pending.removeFirst()
        file.shadow.endSync(number)
        durable = bytes
      default:
        let text = String(UnicodeScalar(UInt8(97 + round % 26)))
        file.write(String(repeating: text, count: 1 + next(9)), at: next(40))
      }
      #expect(file.afterCrash == String(decoding: durable, as: UTF8.self))
    }
  }
}
