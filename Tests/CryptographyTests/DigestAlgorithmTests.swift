import Cryptography
import Foundations
import Testing

@Suite("Digest algorithms")
struct DigestAlgorithmTests {
  /// The examples of RFC 1321, appendix A.5, and FIPS 180-4.
  @Test(
    "Each algorithm gives the digests of its standard",
    arguments: [
      (DigestAlgorithm.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
      (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        .sha384, "abc",
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
          + "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
      ),
      (
        .sha512, "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ])
  func digests(algorithm: DigestAlgorithm, text: String, digest: String) {
    #expect(algorithm.digest(of: Array(text.utf8)).hexadecimal == digest)
  }

  /// RFC 2202 and RFC 4231: a short key, and one that is longer than a block of each algorithm.
  @Test(
    "Authentication codes are those of the RFCs",
    arguments: [
      (DigestAlgorithm.md5, "750c783e6ab0b503eaa86e310a5db738", nil),
      (.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79", nil),
      (
        .sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        .sha384,
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
          + "8e2240ca5e69e2c78b3239ecfab21649",
        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6"
          + "0c2ef6ab4030fe8296248df163f44952"
      ),
      (
        .sha512,
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
          + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
          + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
      ),
    ] as [(DigestAlgorithm, String, String?)])
  func codes(algorithm: DigestAlgorithm, short: String, long: String?) {
    let text = Array("what do ya want for nothing?".utf8)
    #expect(algorithm.authenticationCode(of: text, key: Array("Jefe".utf8)).hexadecimal == short)
    guard let long else { return }
    let other = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    let key = [UInt8](repeating: 0xaa, count: 131)
    #expect(algorithm.authenticationCode(of: other, key: key).hexadecimal == long)
  }

  @Test("A code with an empty key, of nothing, is a code")
  func emptyCode() {
    #expect(
      DigestAlgorithm.sha256.authenticationCode(of: [], key: []).hexadecimal
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }
}
