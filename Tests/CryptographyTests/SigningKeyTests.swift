import Foundations
import Testing

@testable import Cryptography

@Suite("Signing keys")
struct SigningKeyTests {
  @Test("No two keys are the same, and a public key is an uncompressed point")
  func keys() throws {
    let keys = try (0..<50).map { _ in try SigningKey() }
    let publicKeys = try keys.map { try $0.publicKey() }

    #expect(Set(publicKeys).count == 50)
    #expect(publicKeys.allSatisfy { $0.count == 65 && $0.first == 4 })
  }

  /// RFC 5915: the private key with its curve and its public key.
  @Test("A private key is an ECPrivateKey that ends with the public key")
  func privateKey() throws {
    let key = try SigningKey()
    let bytes = try key.privateKey()

    #expect(bytes.prefix(7) == [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20])
    #expect(Array(bytes.suffix(65)) == (try key.publicKey()))
  }

  @Test("Many threads sign with one key at once")
  func threads() async throws {
    let key = try SigningKey()

    let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for index in 0..<200 {
        group.addTask { try key.signature(of: [UInt8(truncatingIfNeeded: index)]) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(Set(signatures).count == 200)
    #expect(signatures.allSatisfy { $0.first == 0x30 && Int($0[1]) == $0.count - 2 })
  }

  @Test("A failure says which function failed")
  func failure() {
    let error = CryptographyError.failure(of: "f")
    #expect(error.description.hasPrefix("f: error:00000000:"))
  }
}
