@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("Text that may be meant otherwise")
struct LookalikeTextTests {
  private func said(_ lines: String) -> [String] {
    ScenarioFile.parse(text: "version: 2\n\(lines)\n", path: "f").diagnostics.map {
      "\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.code.rawValue) \($0.message)"
    }
  }

  @Test(
    "A template of another tool is no silent text",
    arguments: [
      ("target: { command: [echo, '{{ x }}'] }", "E050 \"{{ x }}\" is text"),
      ("target: { command: [date], env: { A: 'a {{matrix.a}} b' } }", "E050 \"{{matrix.a}}\" is"),
      ("build: { a: '{{ user.names[0] }}' }", "E050 \"{{ user.names[0] }}\" is text"),
      ("build: { a: '${{ 1 }} {{ x }}' }", "E050 \"{{ x }}\" is text"),
      ("expect: { stdout: '{{ x }}' }", "E050 \"{{ x }}\" is text"),
      (
        "expect: { stdout: { not: '{{ user.name | upper }}' } }",
        "E050 \"{{ user.name | upper }}\" is"
      ),
      ("build: { a: 'at {{ now() }}' }", "E050 \"{{ now() }}\" is text"),
      (
        "expect: { files: { '{{ matrix.a }}.txt': { absent: true } } }",
        "E031 \"{{ matrix.a }}\" is"
      ),
      (
        "expect: { stdout: { json: { '$.${{ matrix.a }}': { not: 3 } } } }",
        "E031 a key cannot contain an expression"
      ),
      (
        "expect: { stdout: { json: { \"$['{{ matrix.a }}']\": { not: 3 } } } }",
        "E031 \"{{ matrix.a }}\" is text"
      ),
      (
        "target: { command: [date], stdin: { text: \"a\\n{{ matrix.a }}\" } }",
        "E050 \"{{ matrix.a }}\" is text"
      ),
      ("name: 'x {{ matrix.a }}'", "E031 \"{{ matrix.a }}\" is text"),
      ("expect: { stdout: { matches: '{{ capture.a }}' } }", "E050 \"{{ capture.a }}\" is text"),
      ("expect: { stdout: { not: { matches: '{{ x }}' } } }", "E050 \"{{ x }}\" is text"),
      (
        "expect: { stdout: { not: { contains: \"{{ vars['x'] }}\" } } }",
        "E050 \"{{ vars['x'] }}\" is text"
      ),
      ("expect: { stdout: '{{ vars.x ?? 1 }}' }", "E050 \"{{ vars.x ?? 1 }}\" is text"),
      ("expect: { stdout: \"{{ vars.x + 'b' }}\" }", "E050 \"{{ vars.x + 'b' }}\" is text"),
      ("expect: { stdout: '{{ !vars.x }}' }", "E050 \"{{ !vars.x }}\" is text"),
      ("build: { a: '{{ request.query?.x }}' }", "E050 \"{{ request.query?.x }}\" is text"),
      ("build: { a: '{{- x }}' }", "E050 \"{{- x }}\" is text"),
      ("build: { a: '{{{ x }}}' }", "E050 \"{{{ x }}}\" is text"),
      (
        "steps: [{ start: }, { wait: { stdout: 'a {{ x }}' } }]",
        "E031 \"{{ x }}\" is text"
      ),
      (
        "steps: [{ run: }, { capture: { a: { stderr: '{{ x }}' } } }]", "E031 \"{{ x }}\" is text"
      ),
      (
        "target: { command: [date], ready: { stdout: '{{ x }}' } }", "E031 \"{{ x }}\" is text"
      ),
      ("name: \"x {{ vars['a'] }}\"", "E031 \"{{ vars['a'] }}\" is"),
      ("name: 'x {{- vars.a }}'", "E031 \"{{- vars.a }}\" is"),
      (
        "steps: [{ write: { path: '{{ vars.a || 1 }}', text: a } }]",
        "E031 \"{{ vars.a || 1 }}\" is"
      ),
      (
        "target: { command: [date], stdin: { text: \"{{ a }}\\n{{ matrix['a'] }}\" } }",
        "E050 \"{{ matrix['a'] }}\" is text"
      ),
      (
        "target: { command: [date], files: { '${{ matrix.a }}.txt': x } }",
        "E031 a key cannot contain an expression"
      ),
      (
        "expect: { files: { '${{ matrix.a }}.txt': x } }", "E031 a key cannot contain an expression"
      ),
      (
        "factories: { u: { fields: { a: x }, enums: { '${{ n }}': [x] } } }",
        "E031 a key cannot contain an expression"
      ),
      (
        "blocks: { '${{ vars.x }}': { steps: [{ run: }] } }",
        "E031 a key cannot contain an expression"
      ),
      (
        "factories: { '${{ vars.x }}': { fields: { a: x } } }",
        "E031 a key cannot contain an expression"
      ),
      (
        "factories: { u: { fields: { a: x }, traits: { '{{ vars.x }}': { fields: { a: y } } } } }",
        "E031 \"{{ vars.x }}\" is"
      ),
      ("sequences: { '${{ vars.x }}': 3 }", "E031 a key cannot contain an expression"),
      ("name: ${{ clock.now }}", "E031 \"name\" cannot contain an expression"),
      ("name: renders {{ user }}", "E031 \"{{ user }}\" is text"),
      ("tags: [fast, '{{ who }}']", "E031 \"{{ who }}\" is text"),
      ("description: for {{ who }}", "E031 \"{{ who }}\" is text"),
      ("skip: waits for {{ who }}", "E031 \"{{ who }}\" is text"),
      ("steps: [{ name: 'as {{ who }}', run: }]", "E031 \"{{ who }}\" is text"),
      ("expect: { files: { '{{ who }}': { absent: true } } }", "E031 \"{{ who }}\" is text"),
      ("target: { command: [date], env: { '{{ who }}': a } }", "E031 \"{{ who }}\" is text"),
      ("target: { command: [date], files: { 'a/{{ who }}': a } }", "E031 \"{{ who }}\" is text"),
      (
        "responses: [{ GET https://a.test/: { json: { '{{ who }}': 1 } } }]",
        "E031 \"{{ who }}\" is text"
      ),
    ])
  func template(line: String, message: String) {
    let found = said(line)
    #expect(found.count == 1 && found.first?.contains(message) == true, "\(found)")
  }

  @Test(
    "What is proposed in place of a template is read",
    arguments: [
      ("{{ x }}", "${{ x }}"), ("{{x}}", "${{x}}"), ("{{- x -}}", "${{ x }}"),
      ("{{ x -}}", "${{ x }}"), ("{{ x | upper }}", "${{ upper(x) }}"),
      ("{{x|trim|upper}}", "${{ upper(trim(x)) }}"),
      ("{{ user.name | default: 3 }}", "${{ default(user.name, 3) }}"),
      ("{{ matrix.a | upcase }}", "${{ upper(matrix.a) }}"),
    ])
  func proposals(template: String, value: String) throws {
    let found = ScenarioFile.parse(
      text: "version: 2\nbuild: { a: '\(template)' }\n", path: "f"
    ).diagnostics
    let plain = "${{ '\(template)' }}"

    #expect(found.count == 1)
    #expect(
      found.first?.help == "write \"\(value)\" for the value, or \"\(plain)\" for the text")
    #expect(found.first?.fix == nil)
    #expect(said("build: { a: \"\(value)\", b: \"\(plain)\" }").isEmpty)
  }

  @Test(
    "Of a template that no expression replaces, the text is proposed, and the reason is told",
    arguments: [
      (
        "{{ x | title }}",
        ": expressions have functions and no filters, and none of them is \"title\"; for \"or\" write ||;"
          + " the page \"Expressions\" lists them"
      ),
      (
        "{{ x | join }}",
        ": expressions have functions and no filters: write join(…), with the value as the first argument"
      ), ("{{ x | }}", ""),
    ])
  func withoutProposal(template: String, reason: String) {
    let found = ScenarioFile.parse(
      text: "version: 2\nbuild: { a: '\(template)' }\n", path: "f"
    ).diagnostics
    let plain = "${{ '\(template)' }}"

    #expect(
      found.map(\.help)
        == ["write \"\(plain)\" for the text, or an expression for the value\(reason)"])
  }

  @Test(
    "Text that is no template, or is written as text, is let through",
    arguments: [
      "target: { command: [docker, ps, --format, '{{.Names}} {{ .Id }} {{json .}}'] }",
      "build: { a: \"${{ '{{ x }}' }}\", b: \"${{ '{{' }} x }}\", c: '$${{ x }}', d: '{{}}' }",
      "build: { a: '{{{{ x }}}}', b: '{ x }', c: '{{ 3 | upper }}', d: '{{ x }', e: '{{' }",
      "target:\n  command: [cat]\n  files:\n    a.html:\n      text: |\n        <p>{{ user }}</p>\n",
      "expect: { stdout: { matches: 'a{2}{{2}}|\\{\\{ x \\}\\}' } }",
      "description: |\n  renders\n  {{ user }}", "name: 'renders {{#if x}}'",
      "build: { a: { $raw: { '{{ user }}': '{{ user }}' } } }",
      "build: { a: '{{ 7 * 7 }}', b: '{{#if x}}{{/if}}', c: '{{ .Values.x }}', d: '{{ if eq .a 1 }}' }",
      "build: { a: '{\"a\":{\"b\":{}}}', b: 'style={{ color: red }}', c: '{{ x', d: '{% x %}' }",
      "steps: [{ write: { path: '{{ name }}/README', text: \"{{ name }}\\n{{ user['x'] }}\\n\" } }]",
      "steps: [{ start: }, { wait: { stdout: '^a{2,3}$' } }, { capture: { a: { stdout: 'x{{2}}' } } }]",
    ])
  func noTemplate(lines: String) {
    #expect(said(lines).isEmpty, "\(said(lines))")
  }

  @Test("What a program writes of such text is read as that text")
  func shielded() throws {
    for text in [
      "{{ x }}", "a {{ b.c }} ${{ d }} {{e}}", "${{ a }}", "{{.A}}", "é {{ x }} {{ y }}",
      "{{ vars['x'] }}", "{{{ x }}} {{- y ?? 1 -}}", "{{ a + b }}{{ c }}",
    ] {
      let template = try Template(
        text: Template.shielded(text), at: SourceRange(file: "f", line: 1, column: 1))
      let read = template.segments.map { segment in
        switch segment {
        case .literal(let text): text
        case .expression: "{{"
        }
      }.joined()
      #expect(read == text)
      #expect(said("build: { a: \(YAMLQuoting.quoted(Template.shielded(text))) }").isEmpty)
    }
  }

  @Test(
    "A comment that begins in a text is reported, and one that is parted from it is not",
    arguments: [
      ("name: issue #12 is", "2:7 W026 the text ends before \"#12 is\", which is a comment"),
      ("tags: [\n  a #b\n  ]", "3:3 W026 the text ends before \"#b\", which is a comment"),
      (
        "build:\n  a: red #ff0000",
        "3:6 W026 the text ends before \"#ff0000\", which is a comment"
      ),
      (
        "target:\n  command:\n    - cat\n    - é #1",
        "5:7 W026 the text ends before \"#1\", which is a comment"
      ),
      (
        "expect:\n  stdout:\n    matches: a #b",
        "4:14 W026 the text ends before \"#b\", which is a comment"
      ),
      ("skip: see #7", "2:7 W026 the text ends before \"#7\", which is a comment"),
      (
        "description: issue #12 is",
        "2:14 W026 the text ends before \"#12 is\", which is a comment"
      ),
      (
        "steps:\n  - run:\n    description: see #7",
        "4:18 W026 the text ends before \"#7\", which is a comment"
      ),
      (
        "build:\n  a: red or\n    blue #fff",
        "3:6 W026 the text ends before \"#fff\", which is a comment"
      ),
      (
        "description: a\n  b\n  c #1",
        "2:14 W026 the text ends before \"#1\", which is a comment"
      ),
    ])
  func comment(lines: String, message: String) {
    #expect(said(lines) == [message])
  }

  @Test(
    "Comments of other kinds are none of a text",
    arguments: [
      "name: issue # 12", "name: a ## b", "name: 'issue' #12", "name: issue#12",
      "timeout: 5s #five",
      "seed: 1 #one", "build:\n  a: red or\n    blue # fff", "build: { a: [x\n    y, 3 #z\n    ] }",
      "build:\n  a: 'red or\n    blue' #fff", "description: 'a' #b",
      "name: |-\n  a #12", "build: #now\n  a: 1", "name: a #! b", "tags: [a] #b",
    ])
  func noComment(lines: String) {
    #expect(said(lines).isEmpty, "\(said(lines))")
  }

  @Test("A number that a name shows otherwise is reported")
  func numbers() {
    #expect(
      said("matrix: { py: [3.9, 3.10, '3.20', 3, +5] }") == [
        "2:21 W027 3.10 is a number and is read as 3.1",
        "2:38 W027 +5 is a number and is read as 5",
      ])
    #expect(
      said("matrix: [{ a: 1.50 }, { a: [1, 2e1] }]").map { $0.prefix(9) } == [
        "2:15 W027", "2:32 W027",
      ])
    #expect(
      said("vars: { py: 3.10, go: { default: [1.20] }, x: '3.10', y: 3.1 }") == [
        "2:13 W027 3.10 is a number and is read as 3.1",
        "2:35 W027 1.20 is a number and is read as 1.2",
      ])
    #expect(
      said(
        """
        factories: { f: { fields: { v: 1.20 }, traits: { t: { fields: { v: [2.50] } } } } }
        build: { o: { v: { w: 1.20 } }, p: { $build: f, with: { v: 7.10 } }, q: { $raw: 1.10 }, r: { $pick: [1, 3.10] } }
        """
      ).map { $0.prefix { $0 != " " } } == [
        "2:32", "2:69", "3:23", "3:60", "3:81", "3:105",
      ])
    #expect(
      said(
        """
        matrix: { a: [1, 2.5, -3, true] }
        target: { command: [date, 3.10], env: { A: 3.10 } }
        build: { price: 3.1, range: { $float: [1.0, 2.50] }, text: '3.10', n: 0o10 }
        """
      ).isEmpty)
  }

  // MARK: - Values in the syntax of other tools

  private static let defining = """
    vars: { who: me }
    matrix: { plan: [a, b] }
    build: { user: { name: x } }

    """

  @Test(
    "A name of the file's own in the syntax of shells and JavaScript is told, with what to write",
    arguments: [
      ("target: { command: [echo, '${vars.who}'] }", "5:28", "${vars.who}", "${{ vars.who }}"),
      ("target: { command: 'echo a ${ vars.who }' }", "5:28", "${ vars.who }", "${{ vars.who }}"),
      // A slip in the name does not make it text.
      ("name: of ${matrix.plans}", "5:10", "${matrix.plans}", "${{ matrix.plans }}"),
      ("target: { command: [echo, $vars.who] }", "5:27", "$vars.who", "${{ vars.who }}"),
      ("name: runs with ${matrix.plan}", "5:17", "${matrix.plan}", "${{ matrix.plan }}"),
      (
        "expect: { stdout: '${build.user.name}' }", "5:20", "${build.user.name}",
        "${{ build.user.name }}"
      ),
      (
        "expect: { stdout: { matches: 'a $matrix.plan' } }", "5:33", "$matrix.plan",
        "${{ matrix.plan }}"
      ),
    ])
  func namedValue(line: String, place: String, text: String, meant: String) {
    let found = ScenarioFile.parse(text: "version: 2\n\(Self.defining)\(line)\n", path: "f")
      .diagnostics

    #expect(found.map(\.code) == [.looksLikeExpression], "\(found.map(\.message))")
    #expect(found.map { "\($0.range?.line ?? 0):\($0.range?.column ?? 0)" } == [place])
    #expect(found.first?.message.hasPrefix("\"\(text)\" is text") == true)
    #expect(found.first?.help?.hasPrefix("write \"\(meant)\" for the value") == true)
  }

  @Test(
    "What a shell, JavaScript or a pattern may mean is none",
    arguments: [
      "target: { command: [echo, '${{ vars.who }}', '${{ matrix.plan }}'] }",
      // Variables of a shell, and names that the file does not define.
      "target: { command: 'echo ${vars} $vars $build.log ${HOME} ${secrets.token} $vars.other' }",
      // Templates of JavaScript, and what is escaped.
      "target: { command: [node, -e, 'console.log(`${vars.who}`)'] }",
      "target: { command: [echo, '\\${vars.who}', '$${vars.who}', '${{ ''${'' }}vars.who}'] }",
      // What stands in an expression, or in data, and what may be a property of another tool.
      "target: { command: [echo, \"${{ '$vars.who' }}\", '${build.number}', '${with.port}'] }",
      "expect: { files: { a.json: { json: { params: { port: 1 }, run: 'echo ${with.port}' } } } }",
      "target: { command: [echo, '${vars.}', '${vars.who', '${clock.now}', '${x.who}'] }",
    ])
  func noNamedValue(line: String) {
    #expect(said(Self.defining + line) == [])
  }

  @Test(
    "What is no expression of this language is not written as one",
    arguments: [
      ("${vars.who:-none}", "${{ vars.who }}"), ("${vars.who|upper}", "${{ vars.who }}"),
      ("${vars.who()}", "${{ vars.who }}"), ("${vars.who == 1}", "${{ vars.who == 1 }}"),
    ])
  func namedValueBesideOther(text: String, meant: String) {
    let line = "target: { command: [echo, '\(text)'] }"
    let found = ScenarioFile.parse(text: "version: 2\n\(Self.defining)\(line)\n", path: "f")
      .diagnostics

    #expect(found.map(\.code) == [.looksLikeExpression])
    #expect(found.first?.help?.hasPrefix("write \"\(meant)\" for the value") == true)
    #expect(
      (found.first?.fix != nil) == (meant.dropFirst(4).dropLast(3) == text.dropFirst(2).dropLast()))
  }

  @Test(
    "Where no expression can stand, none is proposed",
    arguments: [
      "name: of ${build.user.name}", "vars: { a: 1, b: '${vars.a}' }",
      "matrix: { plan: ['${matrix.plan}'] }",
    ])
  func namedValueInFixedText(line: String) {
    let lines = line.hasPrefix("name") ? Self.defining + line : line
    let found = ScenarioFile.parse(text: "version: 2\n\(lines)\n", path: "f").diagnostics

    #expect(found.map(\.code) == [.looksLikeExpression], "\(found.map(\.message))")
    #expect(found.map(\.help) == ["write fixed text"])
    #expect(found.allSatisfy { $0.fix == nil })
  }

  @Test("A secret has the name of its variable, and a param that of its block")
  func namedSecret() {
    let target = "target: { command: [echo, '${secrets.TOKEN}', '${secrets.env}'] }"
    let block = "blocks: { go: { params: [port], steps: [{ exec: 'nc ${with.port}' }] } }"

    #expect(
      said("secrets: { env: [TOKEN] }\n\(target)").map { $0.prefix(9) } == ["3:28 W031"])
    #expect(said(block).map { $0.prefix(9) } == ["2:53 W031"])
  }

  @Test("A text that stands often in a scalar is told once")
  func namedValueOften() {
    func command(_ text: String) -> String {
      "target: { command: [echo, '\(String(repeating: text, count: 4000))'] }"
    }

    #expect(said(Self.defining + command("${vars.who} ")).count == 1)
    #expect(said(Self.defining + command("${vars.who} $vars.who ")).count == 2)
    #expect(said(Self.defining + command("${vars.who ")).isEmpty)
  }

  @Test("A block of text names the line, and a file without such names has none")
  func namedValueInBlock() {
    let script = "target:\n  command: |\n    echo\n    echo ${vars.who}"

    #expect(said(Self.defining + script).map { $0.prefix(9) } == ["8:10 W031"])
    #expect(said(script) == [])
  }
}
