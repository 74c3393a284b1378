import Testing

@testable import Foundations

@Suite struct ByteSearchTests {
  @Test(
    "The first place at which all bytes of a part are",
    arguments: [
      ("abcabc", "abc", 0, 0), ("abcabc", "abc", 1, 3), ("aab", "ab", 0, 1),
      ("abab", "abb", 0, nil),
      ("ab", "abc", 0, nil), ("abc", "c", 2, 2), ("abc", "c", 3, nil), ("", "a", 0, nil),
      ("abc", "", 0, nil),
    ] as [(String, String, Int, Int?)])
  func place(text: String, part: String, begin: Int, expected: Int?) {
    let found = Array(text.utf8).withUnsafeBytes { all in
      Array(part.utf8).withUnsafeBytes { all.firstOffset(of: $0, from: begin) }
    }
    #expect(found == expected)
    if begin == 0 {
      #expect(Array(text.utf8).contains(part: Array(part.utf8)) == (expected != nil))
    }
  }
}
