import Testing

@testable import Cryptography

@Suite("Keys of tokens")
struct TokenKeyTests {
  @Test(
    "A derived key is for its algorithm, and the same each time; that of another name is another",
    arguments: TokenAlgorithm.allCases)
  func derived(_ algorithm: TokenAlgorithm) throws {
    let key = try TokenKey.derived(for: algorithm, name: "a")
    let again = try TokenKey.derived(for: algorithm, name: "a")
    let other = try TokenKey.derived(for: algorithm, name: "b")

    #expect(algorithm.takes(key.kind))
    #expect(key.isPrivate)
    #expect(try key.privateText() == again.privateText())
    #expect(try key.privateText() != other.privateText())
  }

  @Test(
    "A key has the same signature for the same bytes, and another one for others",
    arguments: TokenAlgorithm.allCases)
  func signatures(_ algorithm: TokenAlgorithm) throws {
    let key = try TokenKey.derived(for: algorithm, name: "a")
    let first = try key.signature(of: [1, 2, 3], by: algorithm)

    #expect(try key.signature(of: [1, 2, 3], by: algorithm) == first)
    #expect(try key.signature(of: [1, 2, 4], by: algorithm) != first)
    let length =
      switch algorithm {
      case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: 256
      case .es256, .edDSA: 64
      case .es384: 96
      case .es512: 132
      }
    #expect(first.count == length)
  }

  @Test(
    "A key is what its text says, private or public", arguments: [TokenAlgorithm.rs256, .edDSA])
  func texts(_ algorithm: TokenAlgorithm) throws {
    let key = try TokenKey.derived(for: algorithm, name: "a")
    let read = try TokenKey(pem: key.privateText())
    let open = try TokenKey(pem: key.publicText())

    #expect(read.isPrivate)
    #expect(!open.isPrivate)
    #expect(open.kind == key.kind)
    #expect(try read.publicText() == open.publicText())
    #expect(throws: CryptographyError.self) { try TokenKey(pem: "secret") }
    #expect(throws: CryptographyError.self) { try TokenKey(pem: "") }
  }

  @Test("An algorithm takes keys of its own kind")
  func kinds() {
    #expect(TokenAlgorithm.es256.takes(.curve("P-256")))
    #expect(!TokenAlgorithm.es256.takes(.curve("P-384")))
    #expect(!TokenAlgorithm.rs256.takes(.ed25519))
    #expect(!TokenAlgorithm.ps512.takes(.rsa(bits: 1024)))
    #expect(TokenAlgorithm.usual(for: .curve("P-521")) == .es512)
  }

  @Test(
    "A key behind a passphrase is known by its head, whatever ends the lines",
    arguments: ["\n", "\r\n"])
  func encrypted(lineEnd: String) {
    let old = ["-----BEGIN RSA PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED", "", "AAAA"]
    let new = ["-----BEGIN ENCRYPTED PRIVATE KEY-----", "AAAA"]
    for lines in [old, new] {
      #expect(TokenKey.unreadableForm(of: lines.joined(separator: lineEnd)) == .encrypted)
    }
    #expect(
      TokenKey.unreadableForm(
        of: ["-----BEGIN RSA PRIVATE KEY-----", "AAAA"].joined(separator: lineEnd)) == nil)
  }
}
