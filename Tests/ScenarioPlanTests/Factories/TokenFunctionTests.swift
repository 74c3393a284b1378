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

  /// A key of RSA with 1024 bits, which signs nothing but tests.
  private static let shortKey = """
    -----BEGIN PRIVATE KEY-----
    MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBAJlYjZHVMcX0I8oH
    XQhzLU8x3S+n/iL81mVmrON6dox8b1AHzIo9rfb6npI2E5xX0J+HzlvOOgC5/PU3
    PXx/gdzsPbDlaqepN9Lrppi+i++ZUnNy5GEd4LPzU/mjQYCyZWUrStKS6+FrO3Hc
    uFcE0udvxopOkRd1Nx6dYegY+0H9AgMBAAECgYAu84AVILOmqoOyveJsTeeXkerp
    RoR3bfavAWr6E2rsxMTIOjsUMKJtNnsKxWfnvLNxxQEX9uKnikq7Qfiff+Lgqk5v
    G3be5qODSmQXRERH+QeT4TJWaMg8rOXQF51aOzWOqBhD7nD2tiMtSJoaWi9YmrKp
    2V5jjC6JPryg0HVdeQJBAMsoWkekmh4c9WBsTCK0P8ei625xnpPjhVy+XIIdQwDb
    ApJREmpzBN0oYtkd2V+HMrs5BAvC6aCSgVGv/X1d9R8CQQDBO2PPLCmXbH3Ix5ww
    Ht9wuztBh8OyzleGzzdAjwBFE1sMoH77UsBysoougNxbTcM5JGr78eo7ZOIe/jBa
    rKljAkAuTMwGd+UH5+GkUAop/ppqjR7K1OonGjtSn6/Fl5WlpEQ5xHBGAmChZorg
    oITh2JYfRSc+5vUHu1vtmgZThA5RAkAUuL23VdEP//5tLZq+PlFP0YRFPr3pyt7w
    AgC21577yVuWOw/i+7jPk/3lhsQatngdBJ7EbejkfakSEcg1sRZpAkAUyE01wpO8
    2H8B2Ob3q8ZS9g/6Zvkiqi8V4UQP8K53cL8RTgX6zNfqUnVP/bq3wIpszzl84PVf
    Shvav4XQRt4d
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
    "A key is one in PEM, whatever stands before its block",
    arguments: ["\n", "Bag Attributes\n    friendlyName: a\n", "\u{FEFF}", "\u{FEFF}\r\n", "# "])
  func before(text: String) throws {
    let key = Value.string(text + Self.key).jsonText()
    let header = "parse_json(base64url_decode(split(jwt({}, vars.key), '.')[0]))"
    #expect(
      try Samples.data("\"${{ \(header).alg }}\"", with: "vars: { key: \(key) }")
        == .string("EdDSA"))
    #expect(
      try Samples.data(
        "\"${{ jwks(vars.key).keys[0].kid }}\"", with: "vars: { key: \(key) }")
        == value("jwks(vars.key).keys[0].kid"))
  }

  @Test("A key of RSA that is too short for every algorithm must be a longer one")
  func short() throws {
    let error = try #require(
      Samples.errors(
        """
        target: { command: [./program, "${{ jwt({}, vars.key) }}"] }
        vars: { key: \(Value.string(Self.shortKey).jsonText()) }
        """
      ).first)
    #expect(error.message.contains("cannot sign by RS256 with a key of RSA with 1024"), "\(error)")
    #expect(error.help == "hand it a key of at least 2048 bits")
  }

  @Test(
    "What cannot be is told by its place, with what would do",
    arguments: [
      ("jwt({}, signing_key('ES256'), 'RS256')", "a key on P-256", "'ES256'"),
      ("jwt({}, public_key(signing_key('EdDSA')))", "with a public key", "the private key"),
      ("jwt({}, 'secret', 'RS256')", "jwt() cannot read the key", "$file"),
      ("jwt({}, 'secret', 'RS265')", "does not know \"RS265\"", "did you mean \"RS256\"?"),
      (
        "jwks('-----BEGIN CERTIFICATE-----')", "cannot read the key: it is a certificate",
        "openssl x509"
      ),
      (
        "jwks('-----BEGIN OPENSSH PRIVATE KEY-----')", "it is in the form of OpenSSH",
        "ssh-keygen -p -N '' -m PKCS8"
      ),
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
