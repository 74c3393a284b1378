import Foundations
import Testing

@Suite("Digests")
struct SecureDigestTests {
  /// The examples of FIPS 180-4.
  @Test(
    "The digest of bytes is that of the standard, in however many pieces they come",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, digest: String) {
    #expect(SecureDigest.sha256(text.utf8) == digest)
    #expect(SecureDigest.sha256(Array(text.utf8).reversed().reversed()) == digest)
    var pieces = SecureDigest()
    for byte in text.utf8 { pieces.update([byte]) }
    #expect(pieces.text == digest)
  }

  @Test("Bytes have two digits each")
  func hexadecimal() {
    #expect([0, 9, 0xA0, 0xFF].hexadecimal == "0009a0ff")
    #expect(
      SecureDigest.sha1(Array("abc".utf8)).hexadecimal == "a9993e364706816aba3e25717850c26c9cd0d89d"
    )
  }
}
