import Testing

@Suite("Tokens with public keys, which openssl verifies")
struct TokenTests {
  /// Verifies a token by each algorithm with the key that the provider publishes.
  private static let client = #"""
    import base64, json, subprocess, sys, urllib.request
    def get(path): return urllib.request.urlopen('https://idp.test/' + path).read()
    def decoded(text): return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))
    def der(raw):
        numbers = b''
        for half in (raw[:len(raw) // 2], raw[len(raw) // 2:]):
            half = half.lstrip(b'\0') or b'\0'
            if half[0] & 128: half = b'\0' + half
            numbers += b'\x02' + bytes([len(half)]) + half
        long = bytes([0x81]) if len(numbers) > 127 else b''
        return b'\x30' + long + bytes([len(numbers)]) + numbers
    keys = {key['kid']: key for key in json.loads(get('jwks'))['keys']}
    for alg in sys.argv[1:]:
        token = get('token/' + alg).decode()
        head, claims, signature = token.split('.')
        header = json.loads(decoded(head))
        assert header['alg'] == alg and json.loads(decoded(claims)) == {'sub': 'ada'}
        key, raw = keys[header['kid']], decoded(signature)
        open('key.pem', 'wb').write(get('key/' + alg))
        open('data', 'w').write(head + '.' + claims)
        open('signature', 'wb').write(der(raw) if alg.startswith('ES') else raw)
        verify = ['openssl', 'dgst', '-sha' + alg[2:], '-verify', 'key.pem', '-signature', 'signature', 'data']
        if alg.startswith('PS'):
            verify[3:3] = ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:-1']
        if alg == 'EdDSA':
            verify = ['openssl', 'pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin',
                '-in', 'data', '-sigfile', 'signature']
        if key['kty'] == 'RSA':
            modulus = subprocess.run(['openssl', 'rsa', '-pubin', '-in', 'key.pem', '-noout', '-modulus'],
                check=True, capture_output=True, text=True).stdout.strip().split('=')[1]
            assert decoded(key['n']).hex().upper() == modulus and key['e'] == 'AQAB'
        else:
            text = subprocess.run(['openssl', 'pkey', '-pubin', '-in', 'key.pem', '-noout', '-text'],
                check=True, capture_output=True, text=True).stdout
            point = ''.join(text.split(':', 1)[1].split()).replace(':', '')
            assert decoded(key['x']).hex() in point
        result = subprocess.run(verify, capture_output=True, text=True)
        print(alg, result.returncode, get('token/' + alg).decode() == token)

    """#

  private func run(
    _ algorithms: String, key: String, published: String? = nil, expected: String,
    form: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let project = try ProjectFolder()
    try project.write(Self.client, to: "client.py")
    let pem = project.path + "/rsa.pem"
    _ = try BuiltRunner.command(["openssl", "genrsa", "-out", pem, "2048"])
    if !form.isEmpty {
      _ = try BuiltRunner.command(["cp", pem, pem + ".pkcs8"])
      let made = try BuiltRunner.command(["openssl"] + form + ["-in", pem + ".pkcs8", "-out", pem])
      try #require(made.exitCode == 0, "\(made.text)")
    }
    try project.write(
      """
      version: 2
      build: { pem: { $file: rsa.pem } }
      target: { command: [python3, client.py, \(algorithms)], files: { client.py: { file: client.py } } }
      responses:
        - GET https://idp.test/jwks: { json: "${{ jwks(\(published ?? key)) }}" }
        - GET https://idp.test/key/*: { text: "${{ public_key(\(published ?? key)) }}" }
        - GET https://idp.test/token/{alg}: { text: "${{ jwt({ 'sub': 'ada' }, \(key), request.path.alg) }}" }
      expect: { exit: 0, stdout: \(expected) }

      """, to: "tokens.yaml")
    return try project.scenario(["run", "tokens.yaml"])
  }

  @Test("The provider's key verifies what it has signed, which is the same each time")
  func verified() throws {
    try run(
      "RS256, RS512, PS256, PS384", key: "build.pem",
      expected: #""RS256 0 True\nRS512 0 True\nPS256 0 True\nPS384 0 True\n""#
    ).expectExit(0)
    for algorithm in ["RS384", "ES256", "ES384", "ES512", "EdDSA"] {
      try run(
        algorithm, key: "signing_key('\(algorithm)')", expected: "\"\(algorithm) 0 True\\n\""
      ).expectExit(0)
    }
  }

  @Test("A key in PKCS #1 is read, and what cannot be read is told by its form, with a command")
  func forms() throws {
    try run(
      "RS256", key: "build.pem", expected: #""RS256 0 True\n""#, form: ["rsa", "-traditional"]
    ).expectExit(0)
    for form in [
      ["pkcs8", "-topk8", "-passout", "pass:secret"],
      ["rsa", "-traditional", "-aes128", "-passout", "pass:secret"],
    ] {
      let outcome = try run("RS256", key: "build.pem", expected: "never", form: form)
      outcome.expectExit(2)
      #expect(outcome.text.contains("cannot read the key: it is encrypted with a passphrase"))
      #expect(outcome.text.contains("openssl pkey -in key.pem -out plain.pem"), "\(outcome.text)")
    }
  }

  @Test("Another key does not")
  func twin() throws {
    let outcome = try run(
      "ES256", key: "signing_key('ES256', 'mallory')", published: "signing_key('ES256')",
      expected: "\"ES256 0 True\\n\"")
    outcome.expectExit(1)
    #expect(outcome.text.contains("KeyError"), "\(outcome.text)")
  }
}
