import Testing

@testable import Supervisor

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
