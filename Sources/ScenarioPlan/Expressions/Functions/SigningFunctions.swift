internal import Cryptography
internal import Foundations
internal import OrderedCollections
internal import Patterns

/// Functions of tokens and their keys.
extension ExpressionFunction {
  static let signatures: [ExpressionFunction] = [
    ExpressionFunction(
      "jwt", .encodings,
      [
        .value("claims", .map), .value("key", .text),
        .value("algorithm", .text, isOptional: true), .value("header", .map, isOptional: true),
      ], gives: .text,
      """
      A JSON Web Token of claims. Signed with a text by HS256 (default), HS384 or HS512; with a private key in PEM by \
      RS256, PS256, ES256, their forms with 384 and 512, or EdDSA: the one for the key unless said. `header` adds to the \
      header, which has the key's `kid`.
      """,
      example: Example(
        "split(jwt({'sub': '1'}, 'key'), '.')[1]", #""eyJzdWIiOiIxIn0""#),
      mistake: Example("jwt({}, 'key', 'none')", "jwt() does not know \"none\"")
    ) { (arguments) throws(PatternError) in .string(try token(arguments)) },
    ExpressionFunction(
      "jwks", .encodings, [.value("key", .text)], more: .text, gives: .map,
      "The public keys of keys in PEM as a JSON Web Key Set, each with the `kid` that `jwt` gives its tokens.",
      example: Example("jwks(signing_key('EdDSA')).keys[0].kty", #""OKP""#),
      mistake: Example("jwks('secret')", "jwks() cannot read the key")
    ) { (arguments) throws(PatternError) in
      var keys: [Value] = []
      for index in 0..<arguments.count {
        keys.append(.map(try members(of: try key(index, arguments), arguments)))
      }
      return .map(["keys": .list(keys)])
    },
    ExpressionFunction(
      "signing_key", .encodings,
      [.value("algorithm", .text), .value("name", .text, isOptional: true)], gives: .text,
      """
      A private key in PEM for an algorithm of `jwt`, such as RS256. It follows from both texts alone: the same in every \
      run, and no secret.
      """,
      example: Example("split(signing_key('ES256', 'issuer'), '-')[5]", #""BEGIN PRIVATE KEY""#),
      mistake: Example("signing_key('HS256')", "signing_key() does not know \"HS256\"")
    ) { (arguments) throws(PatternError) in
      let algorithm = try tokenAlgorithm(arguments.text(0), arguments)
      return .string(
        try computed(arguments) { () throws(CryptographyError) in
          try TokenKey.derived(for: algorithm, name: arguments.text(1, default: "")).privateText()
        })
    },
    ExpressionFunction(
      "public_key", .encodings, [.value("key", .text)], gives: .text,
      "The public key of a key in PEM, in PEM.",
      example: Example("split(public_key(signing_key('ES256')), '-')[5]", #""BEGIN PUBLIC KEY""#),
      mistake: Example("public_key('secret')", "public_key() cannot read the key")
    ) { (arguments) throws(PatternError) in
      let key = try key(0, arguments)
      return .string(
        try computed(arguments) { () throws(CryptographyError) in try key.publicText() })
    },
  ]

  /// The algorithms with a key that both sides have.
  private static let codes: OrderedDictionary<String, DigestAlgorithm> = [
    "HS256": .sha256, "HS384": .sha384, "HS512": .sha512,
  ]

  /// Returns a JSON Web Token, with the header's keys in the order in which RFC 7515 shows them.
  private static func token(_ arguments: FunctionArguments) throws(PatternError) -> String {
    let isPEM = TokenKey.isPEM(arguments.text(1))
    if let algorithm = codes[arguments.text(2, default: isPEM ? "" : "HS256")] {
      return try token(arguments, ["alg": arguments[2].text ?? "HS256", "typ": "JWT"]) { bytes in
        algorithm.authenticationCode(of: bytes, key: Array(arguments.text(1).utf8))
      }
    }
    let named = try arguments[2].text.map { name throws(PatternError) in
      try tokenAlgorithm(name, arguments, beside: codes.keys.elements)
    }
    let key = try key(1, arguments)
    let algorithm = named ?? .usual(for: key.kind)
    guard key.isPrivate else {
      throw arguments.error(
        "cannot sign with a public key", help: "hand it the private key, or signing_key('RS256')")
    }
    guard algorithm.takes(key.kind) else {
      throw arguments.error(
        "cannot sign by \(algorithm.rawValue) with a key \(key.kind.words)",
        help: TokenAlgorithm.usual(for: key.kind).takes(key.kind)
          ? "write '\(TokenAlgorithm.usual(for: key.kind).rawValue)', or hand it another key"
          : "hand it a key of at least 2048 bits")
    }
    let name = try thumbprint(of: key, arguments)
    let header = ["alg": algorithm.rawValue, "typ": "JWT", "kid": name] as OrderedDictionary
    return try token(arguments, header) { (bytes) throws(PatternError) in
      try computed(arguments) { () throws(CryptographyError) in
        try key.signature(of: bytes, by: algorithm)
      }
    }
  }

  private static func token(
    _ arguments: FunctionArguments, _ words: OrderedDictionary<String, String>,
    sign: ([UInt8]) throws(PatternError) -> [UInt8]
  ) throws(PatternError) -> String {
    var header = words.mapValues { Value.string($0) }
    if case .map(let members) = arguments[3] { header.merge(members) { $1 } }
    let parts = [.map(header), arguments[0]].map {
      Base64.encodedForURL(Array($0.jsonText().utf8))
    }
    let signed = parts.joined(separator: ".")
    return signed + "." + Base64.encodedForURL(try sign(Array(signed.utf8)))
  }

  private static func tokenAlgorithm(
    _ name: String, _ arguments: FunctionArguments, beside others: [String] = []
  ) throws(PatternError) -> TokenAlgorithm {
    guard let algorithm = TokenAlgorithm(rawValue: name) else {
      throw arguments.error(
        "does not know \"\(name)\"",
        help: Suggestion.help(
          for: name, in: others + TokenAlgorithm.allCases.map(\.rawValue), label: "it knows"))
    }
    return algorithm
  }

  private static func key(
    _ index: Int, _ arguments: FunctionArguments
  ) throws(PatternError) -> TokenKey {
    do throws(CryptographyError) {
      return try TokenKey(pem: arguments.text(index))
    } catch {
      if let form = TokenKey.unreadableForm(of: arguments.text(index)) {
        throw arguments.error("cannot read the key: \(form.words)", help: form.conversion)
      }
      throw arguments.error(
        "cannot read the key",
        help:
          "hand it a key in PEM: signing_key('RS256'), or ${{ build.key }} with build: { key: { $file: key.pem } }"
      )
    }
  }

  /// The members of a public key, with its name and its use first.
  private static func members(
    of key: TokenKey, _ arguments: FunctionArguments
  ) throws(PatternError) -> OrderedDictionary<String, Value> {
    var members: OrderedDictionary<String, Value> = [
      "kid": .string(try thumbprint(of: key, arguments)), "use": .string("sig"),
    ]
    // A key of RSA is for six algorithms.
    if case .rsa = key.kind {
    } else {
      members["alg"] = .string(TokenAlgorithm.usual(for: key.kind).rawValue)
    }
    return members.merging(try publicMembers(of: key, arguments)) { own, _ in own }
  }

  private static func publicMembers(
    of key: TokenKey, _ arguments: FunctionArguments
  ) throws(PatternError) -> OrderedDictionary<String, Value> {
    let members = try computed(arguments) { () throws(CryptographyError) in
      try key.publicMembers()
    }
    return OrderedDictionary(
      uniqueKeysWithValues: members.map { member in
        switch member.value {
        case .text(let text): (member.name, .string(text))
        case .bytes(let bytes): (member.name, .string(Base64.encodedForURL(bytes)))
        }
      })
  }

  /// The thumbprint of a key, which names it in tokens and in sets of keys (RFC 7638).
  private static func thumbprint(
    of key: TokenKey, _ arguments: FunctionArguments
  ) throws(PatternError) -> String {
    let text = Value.map(try publicMembers(of: key, arguments)).jsonText()
    return Base64.encodedForURL(DigestAlgorithm.sha256.digest(of: Array(text.utf8)))
  }

  private static func computed<Result>(
    _ arguments: FunctionArguments, _ compute: () throws(CryptographyError) -> Result
  ) throws(PatternError) -> Result {
    do throws(CryptographyError) {
      return try compute()
    } catch {
      throw arguments.error("failed: \(error)", help: "hand it another key")
    }
  }
}

extension TokenKey.UnreadableForm {
  /// What it is, in words.
  fileprivate var words: String {
    switch self {
    case .encrypted: "it is encrypted with a passphrase"
    case .openSSH: "it is in the form of OpenSSH"
    case .certificate: "it is a certificate"
    }
  }

  /// The command that makes a readable key of it.
  fileprivate var conversion: String {
    switch self {
    case .encrypted: "decrypt it: openssl pkey -in key.pem -out plain.pem"
    case .openSSH: "convert a copy: ssh-keygen -p -N '' -m PKCS8 -f key"
    case .certificate:
      "take its public key: openssl x509 -in cert.pem -noout -pubkey -out key.pem; tokens are signed with the private one"
    }
  }
}

extension TokenKey.Kind {
  /// The kind in words, behind "a key".
  fileprivate var words: String {
    switch self {
    case .rsa(let bits): "of RSA with \(bits) bits"
    case .curve(let name): "on \(name)"
    case .ed25519: "of Ed25519"
    }
  }
}
