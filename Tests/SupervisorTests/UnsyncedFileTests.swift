import Testing

@testable import Supervisor

/// A file in memory, beside what is known of its durable state.
private struct ShadowedFile {
  var bytes: [UInt8]
  var shadow: UnsyncedFile

  init(_ text: String) {
    bytes = Array(text.utf8)
    shadow = UnsyncedFile(size: Int64(bytes.count))
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
  }

  mutating func cut(to size: Int) {
    save(min(size, bytes.count)..<bytes.count)
    while bytes.count < size { bytes.append(0) }
    bytes.removeLast(bytes.count - size)
  }

  mutating func beginSync() -> Int { shadow.beginSync(size: Int64(bytes.count)) }

  mutating func sync() { shadow.endSync(beginSync()) }

  /// What the file holds after a crash.
  var afterCrash: String {
    var file = bytes
    for piece in shadow.restoration {
      while file.count < Int(piece.end) { file.append(0) }
      file.replaceSubrange(Int(piece.offset)..<Int(piece.end), with: piece.bytes)
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
    file.shadow.makeDurable(2..<4)
    #expect(file.afterCrash == "aabbaa")
    // It is lost again where it is overwritten.
    file.write("cccc", at: 1)
    #expect(file.afterCrash == "aabbaa")
    file.write("end", at: 10)
    file.shadow.makeDurable(10..<13)

    #expect(file.afterCrash == "aabbaa\0\0\0\0end")
  }

  @Test("Each byte is kept once")
  func keptBytes() {
    var file = ShadowedFile(String(repeating: "x", count: 1_000))
    for offset in 0..<500 { file.write("yy", at: offset) }
    for offset in (0..<999).reversed() { file.write("zz", at: offset) }

    #expect(file.shadow.keptBytes == 1_000)
    #expect(file.afterCrash == String(repeating: "x", count: 1_000))
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
