import Foundations
import Testing

@Suite("Words as a shell reads them back")
struct ShellWordTests {
  @Test("A word that means nothing else stands as it is, any other within quotes")
  func words() {
    #expect(ShellWord.quoted("a/b.yaml:3") == "a/b.yaml:3")
    #expect(ShellWord.quoted("two words") == "'two words'")
    #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    #expect(ShellWord.quoted("") == "''")
    #expect(ShellWord.quoted("ä") == "ä")
  }

  @Test("What cannot stand on a line is written by its number")
  func numbers() {
    #expect(ShellWord.quoted("a\nb's\\") == "$'a\\nb\\'s\\\\'")
    #expect(ShellWord.quoted("\u{1}2") == "$'\\0012'")
    #expect(ShellWord.quoted("\u{202E}") == "$'\\342\\200\\256'")
  }
}
