import Cryptography
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

  @Test("A digest goes on behind its text, and its copy goes its own way")
  func copies() {
    var digest = SecureDigest()
    digest.update(Array("ab".utf8))
    var copy = digest
    _ = digest.text
    digest.update(Array("c".utf8))
    copy.update(Array("x".utf8))

    #expect(digest.text == SecureDigest.sha256("abc".utf8))
    #expect(copy.text == SecureDigest.sha256("abx".utf8))
  }

  @Test("Many pieces of all lengths, and none, give the digest of the whole")
  func pieces() {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var digest = SecureDigest()
    var rest = bytes[...]
    for length in 0..<200 where !rest.isEmpty {
      digest.update(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    digest.update(UnsafeRawBufferPointer(start: nil, count: 0))

    #expect(rest.isEmpty)
    #expect(digest.text == DigestAlgorithm.sha256.digest(of: bytes).hexadecimal)
  }
}
