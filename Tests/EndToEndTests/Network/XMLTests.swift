import Testing

/// `xml:` in entries and expectations, and values of XML in replies, with real clients.
@Suite("XML")
struct XMLTests {
  private static let python = "\(BuiltRunner.root)/.build/python/bin/python"

  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let outcome = try BuiltRunner.run(["run", folder.write(text, to: "xml.yaml")])
    withExtendedLifetime(folder) {}
    return outcome
  }

  /// A service that quotes prices, asked by curl.
  private func quotes(item: String, expected: String, count: Int = 1, prefix: String = "s")
    -> String
  {
    """
    version: 2
    target:
      files:
        envelope.xml:
          text: |
            <?xml version="1.0"?>
            <\(prefix):Envelope xmlns:\(prefix)="http://schemas.xmlsoap.org/soap/envelope/">
              <\(prefix):Body><GetPrice xmlns="urn:quotes"><Item>\(item)</Item></GetPrice></\(prefix):Body>
            </\(prefix):Envelope>
      command: [curl, --silent, --data-binary, "@envelope.xml", "https://quotes.example.com/soap"]
    responses:
      - request:
          method: POST
          url: https://quotes.example.com/soap
          xml:
            namespaces: { e: http://schemas.xmlsoap.org/soap/envelope/ }
            //e:Body/GetPrice/Item: { matches: '^A' }
            count(//Item): 1
        reply:
          text: |
            <Price for="${{ xml_escape(xpath(request.body, '//Item')) }}">${{ len(xpath(request.body, '//Item')) }}</Price>
    network: { unused: ignore, unmatched: { status: 404 } }
    expect:
      stdout: { xml: { /Price/@for: \(expected), number(/Price): { greater_than: 1 } } }
      requests: [{ request: { url: "https://quotes.example.com/soap", xml: { //Item: { exists: true } } }, count: \(count) }]

    """
  }

  @Test(
    "An envelope is answered by what is in it, whatever its prefix, and checked in three places")
  func envelopes() throws {
    try TwinRuns.check(
      passing: quotes(item: "Apples &amp; &lt;more&gt;", expected: "'Apples & <more>'"),
      failing: quotes(item: "Apples", expected: "Pears"),
      quotes(item: "Apples", expected: "Apples", count: 2),
      quotes(item: "Pears", expected: "Pears"))
    try TwinRuns.check(
      passing: quotes(item: "Apples", expected: "Apples", prefix: "SOAP-ENV"),
      failing: quotes(item: "Bananas", expected: "Bananas", prefix: "SOAP-ENV"))
  }

  private func document(_ body: String) -> String {
    """
    version: 2
    target:
      command: [curl, --silent, --data-binary, '\(body)', "http://a.test/orders"]
    responses:
      - request:
          url: http://a.test/orders
          xml: '<o:order xmlns:o="urn:o" id="7" state="open"><o:item>x &amp; y</o:item></o:order>'
        reply: { text: done }
    expect: { stdout: done }

    """
  }

  @Test("A whole document matches however a client spells it, and a failure shows the difference")
  func documents() throws {
    try TwinRuns.check(
      passing: document(
        #"<order state="open" id="7" xmlns="urn:o"> <!-- new --> <item><![CDATA[x & y]]></item></order>"#
      ),
      failing: document(
        #"<order state="open" id="8" xmlns="urn:o"><item>x &amp; y</item></order>"#),
      document(#"<order state="open" id="7" xmlns="urn:p"><item>x &amp; y</item></order>"#))
    let outcome = try run(
      document(#"<order state="open" id="8" xmlns="urn:o"><item>x &amp; y</item></order>"#))
    #expect(outcome.output.contains("xml: expected XML equal to"), "\(outcome.text)")
    #expect(outcome.output.contains(#"-<o:order id="7" state="open""#), "\(outcome.text)")
    #expect(outcome.output.contains(#"+<o:order id="8" state="open""#), "\(outcome.text)")
  }

  private func service(_ expectation: String) -> String {
    """
    version: 2
    target:
      command:
        - \(Self.python)
        - -c
        - |
          import urllib.request as u, xml.etree.ElementTree as e
          root = e.Element("{urn:list}list")
          for number in range(20): e.SubElement(root, "{urn:list}item", id=str(number)).text = str(number * 2)
          e.ElementTree(root).write("out.xml", encoding="utf-8", xml_declaration=True)
          body = e.tostring(root, encoding="utf-16")
          print(u.urlopen(u.Request("http://a.test/list", data=body)).read().decode())
    responses:
      - request: { url: "http://a.test/list", xml: { count(//item): 20, "//item[@id='19']": 38 } }
        reply: { text: "<ok/>" }
    expect:
      stdout: { xml: <ok/> }
      files: { out.xml: { xml: { \(expectation) } } }

    """
  }

  @Test("A file is checked as an output is, and a body in UTF-16 is read")
  func files() throws {
    try TwinRuns.check(
      passing: service("//item: { length: 20, contains: [0, 38] }, sum(//item): 380"),
      failing: service("//item: { length: 21 }"), service("//items: { exists: true }"))
  }

  @Test("Twenty clients at once are told apart by their bodies")
  func parallel() throws {
    let entries = (0..<20).map { number in
      """
        - request: { url: "http://a.test/n", xml: { //n: \(number) } }
          reply: { text: "<n>\(number)</n>" }
      """
    }.joined(separator: "\n")
    func text(_ last: Int) -> String {
      """
      version: 2
      target:
        command:
          - bash
          - -c
          - |
            for n in {0..19}; do curl -s -d "<r><n>$n</n></r>" http://a.test/n > $n.xml & done; wait
            (echo "<all>"; cat *.xml; echo "</all>")
      responses:
      \(entries)
      expect: { stdout: { xml: { count(//n): 20, sum(//n): 190, //n: { contains: \(last) } } } }

      """
    }
    try TwinRuns.check(passing: text(19), failing: text(20))
  }

  @Test("A large body is matched, and a bomb is refused at once")
  func large() throws {
    func text(_ start: String, _ price: String) -> String {
      """
      version: 2
      target:
        command:
          - \(Self.python)
          - -c
          - |
            import urllib.request as u
            body = \(start)
            print(u.urlopen(u.Request("http://a.test/list", data=body.encode())).status)
      network: { unused: ignore, unmatched: { status: 200 } }
      responses:
        - request: { url: "http://a.test/list", xml: { "//item[@id='9999']/price": \(price) } }
          reply: { status: 201 }
      expect: { stdout: "201" }

      """
    }
    let list =
      "'<list>' + ''.join(f'<item id=\"{n}\"><price>{n}.50</price></item>' for n in range(10000)) + '</list>'"
    let bomb =
      "'<!DOCTYPE list [<!ENTITY a \"9999.50\">' + ''.join(f'<!ENTITY {chr(98 + n)} \"' + f'&{chr(97 + n)};' * 10 + '\">' for n in range(9)) + ']><list><item id=\"9999\"><price>&j;</price></item></list>'"
    try TwinRuns.check(
      passing: text(list, "9999.5"), failing: text(list, "9999.6"), text(bomb, "{ exists: true }"))
    // It is answered, as a request that does not match.
    #expect(try run(text(bomb, "{ exists: true }")).output.contains("stdout:\n  200"))
  }

  @Test("A mistake in a path of an expression is one before the run")
  func expressions() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, "http://a.test/"] }
      responses:
        - POST http://a.test/: { text: "${{ xpath(request.body, '//a[') }}" }

      """)
    outcome.expectExit(2)
    #expect(outcome.text.contains("\"//a[\" is not XPath: column 5"), "\(outcome.text)")
    let unknown = try run(
      """
      version: 2
      target: { command: [curl, "http://a.test/"] }
      responses:
        - POST http://a.test/: { text: "${{ request.xml.a }}" }

      """)
    unknown.expectExit(2)
    #expect(unknown.text.contains("write xpath(request.body, '//name')"), "\(unknown.text)")
  }
}
