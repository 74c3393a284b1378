import Foundations
import OrderedCollections
@testable import ScenarioPlan
import Testing

@Suite("Tokens with public keys")
struct TokenFunctionTests {
  /// The private key of RFC 8037, appendix A.1, in PKCS #8.
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
    -----END PRIVATE KEY-----

    """

  private func value(_ expression: String) throws -> Value {
    try Samples.data(
      "\"${{ \(expression) }}\"", with: "vars: { key: \(Value.string(Self.key).jsonText()) }")
  }

  /// RFC 8037, appendices A.2 and A.3.
  @Test("A set of keys has the members and the thumbprint of the standard's example")
  func set() throws {
    #expect(
      try value("jwks(vars.key).keys[0]")
        == .map([
          "kid": .string("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"), "use": .string("sig"),
          "alg": .string("EdDSA"), "crv": .string("Ed25519"), "kty": .string("OKP"),
          "x": .string("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
        ]))
    #expect(
      try value("len(jwks(signing_key('RS256'), signing_key('ES256')).keys)") == .integer(2))
  }

  @Test("A token names its algorithm and its key, and takes more for its header")
  func header() throws {
    let header = "parse_json(base64url_decode(split(TOKEN, '.')[0]))"
    #expect(
      try value(header.replacing("TOKEN", with: "jwt({ 'sub': 'a' }, vars.key)"))
        == .map([
          "alg": .string("EdDSA"), "typ": .string("JWT"),
          "kid": .string("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
        ]))
    #expect(
      try value(
        header.replacing("TOKEN", with: "jwt({}, vars.key, 'EdDSA', { 'kid': 'k', 'jku': 'u' })"))
        == .map([
          "alg": .string("EdDSA"), "typ": .string("JWT"), "kid": .string("k"),
          "jku": .string("u"),
        ]))
    #expect(
      try value(header.replacing("TOKEN", with: "jwt({}, 'secret', 'HS512')"))
        == .map(["alg": .string("HS512"), "typ": .string("JWT")]))
  }

  @Test(
    "What cannot be is told by its place, with what would do",
    arguments: [
      ("jwt({}, signing_key('ES256'), 'RS256')", "a key on P-256", "'ES256'"),
      ("jwt({}, public_key(signing_key('EdDSA')))", "with a public key", "the private key"),
      ("jwt({}, 'secret', 'RS256')", "jwt() cannot read the key", "$file"),
      ("jwt({}, 'secret', 'RS265')", "does not know \"RS265\"", "did you mean \"RS256\"?"),
      ("jwks('')", "jwks() cannot read the key", "signing_key('RS256')"),
      ("signing_key('RSA')", "does not know \"RSA\"", "it knows"),
    ])
  func mistakes(expression: String, message: String, help: String) throws {
    let error = try #require(
      Samples.errors("target: { command: [./program, \"${{ \(expression) }}\"] }").first)
    #expect(error.message.contains(message), "\(error)")
    #expect(error.help?.contains(help) == true, "\(error)")
  }
}
