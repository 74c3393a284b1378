@testable import Foundations
@testable import Patterns
@testable import ScenarioCompiler
@testable import ScenarioPlan
import Testing

@Suite("Generators")
struct GeneratorTests {
  @Test("Hashes and streams are the published ones")
  func vectors() {
    func hash(_ text: String) -> UInt64 {
      var key = StreamKey()
      key.add(text)
      return key.value
    }
    #expect(hash("") == 0xcbf2_9ce4_8422_2325)
    #expect(hash("a") == 0xaf63_dc4c_8601_ec8c)
    #expect(hash("foobar") == 0x8594_4171_f739_67e8)
    var stream = SplitMix64(seed: 0)
    #expect(stream.next() == 0xe220_a839_7b1d_cdaf)
    #expect(stream.next() == 0x6e78_9e6a_a1b9_65f4)
    #expect(stream.next() == 0x06c4_5d18_8009_454f)
  }

  @Test("The stream of a field is that of its address")
  func address() {
    let evaluator = DataEvaluator(
      factories: [], builds: [], seed: 42,
      context: EvaluationContext(scenario: "homeless user"))
    var key = StreamKey(seed: 42, entry: "homeless user")
    let place = DataAddress(.key("score"), of: DataAddress(root: "build.bob"))
    place.add(to: &key)
    #expect(key.value == 0x5a64_9ef4_1613_2968)
    var stream = evaluator.random(at: place)
    #expect(stream.next() == 0x8355_07d0_2ed2_29be)
    var whole = StreamKey(seed: 42, entry: "homeless user")
    let deep = DataAddress(
      .key("b"), of: DataAddress(.index(3), of: DataAddress(.key("a"), of: DataAddress(root: "m"))))
    deep.add(to: &whole)
    var plain = StreamKey(seed: 42, entry: "homeless user")
    plain.add("m\0a[3].b")
    #expect(whole.value == plain.value)
  }

  private let random = """
    factories:
      r:
        fields:
          a: { $int: [1, 1000000] }
          b: { $string: 8 }
          c: { $maybe: { probability: 0.5, then: { $int: [1, 9] }, else: { $float: [0, 1] } } }
          d: { list: [{ $uuid: true }, { $fake: name }] }
    """

  @Test("A random value depends on its own address alone")
  func stability() throws {
    let plain = try Samples.data("{ $build: r }", with: random)
    let same = try Samples.data("{ $build: r }", with: random)
    let overridden = try Samples.data("{ $build: r, with: { a: 1 } }", with: random)
    let more = try Samples.data(
      "{ $build: r }",
      with: random.replacing("fields:\n", with: "fields:\n      z: { $int: [1, 6] }\n"))
    let seeded = try Samples.data("{ $build: r }", with: random + "\nseed: 1")

    #expect(plain == same)
    for name in ["b", "c", "d"] {
      #expect(overridden[name] == plain[name])
      #expect(more[name] == plain[name])
    }
    #expect(more["a"] == plain["a"] && seeded["a"] != plain["a"] && seeded["d"] != plain["d"])
    let list = try Samples.data("{ $build: r, count: 3 }", with: random)
    let long = try Samples.data("{ $build: r, count: 5 }", with: random)
    #expect(list[0]?["a"] != list[1]?["a"])
    #expect((0..<3).allSatisfy { list[$0] == long[$0] })
  }

  @Test(
    "Values stay within their bounds",
    arguments: [
      "{ $int: [3, 5] }", "{ $int: { min: 0, max: 20, step: 5 } }", "{ $float: [1, 2] }",
      "{ $float: { min: 0, max: 1, digits: 1 } }", "{ $string: [2, 4] }",
      "{ $string: { length: 6, of: aé } }", "{ $bool: 0.5 }", "{ $pick: [a, b] }",
      "{ $pick: { x: 1, never: 0 } }", "{ $uuid: true }", "{ $match: '[A-Z]{2}-\\d{3}(x|yy)?' }",
      "{ $match: '^(?i)ab+c$' }", "{ $time: [-7d, +0s] }",
      "{ $time: { from: 2026-01-01, to: 2026-01-02, step: 6h } }",
    ])
  func bounds(generator: String) throws {
    let list = try Samples.data(
      "{ $list: { count: 60, of: \(generator) } }", with: "clock: { at: 2026-03-08T00:00:00Z }")
    let values = try #require(list.elements)
    #expect(values.count == 60)
    let patterns = [
      "{ $int: [3, 5] }": "^[345]$", "{ $int: { min: 0, max: 20, step: 5 } }": "^(0|5|10|15|20)$",
      "{ $float: [1, 2] }": #"^1\.\d+$"#,
      "{ $float: { min: 0, max: 1, digits: 1 } }": #"^(0\.\d|1\.0)$"#,
      "{ $string: [2, 4] }": "^[a-z0-9]{2,4}$", "{ $string: { length: 6, of: aé } }": "^[aé]{6}$",
      "{ $bool: 0.5 }": "^(true|false)$", "{ $pick: [a, b] }": "^[ab]$",
      "{ $pick: { x: 1, never: 0 } }": "^x$",
      "{ $uuid: true }": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
      "{ $match: '[A-Z]{2}-\\d{3}(x|yy)?' }": #"^[A-Z]{2}-\d{3}(x|yy)?$"#,
      "{ $match: '^(?i)ab+c$' }": "^(?i)ab+c$",
      "{ $time: [-7d, +0s] }": #"^2026-03-0[1-8]T\d\d:\d\d:\d\dZ$"#,
      "{ $time: { from: 2026-01-01, to: 2026-01-02, step: 6h } }":
        #"^2026-01-0[12]T(00|06|12|18):00:00Z$"#,
    ]
    let pattern = RegularExpression(try #require(patterns[generator]))
    for value in values {
      let text = value.textForm ?? ""
      #expect(pattern.isFound(in: text), "\(text)")
    }
    #expect(Set(values.map { $0.jsonText() }).count > 1 || generator.contains("never"))
  }

  @Test("Choices are about as frequent as their weights")
  func weights() throws {
    let list = try Samples.data("{ $list: { count: 4000, of: { $pick: { a: 1, b: 3 } } } }")
    let values = try #require(list.elements)
    let count = values.filter { $0 == .string("a") }.count
    #expect((900...1100).contains(count), "\(count)")
    let maybe = try Samples.data(
      "{ $list: { count: 4000, of: { $maybe: { probability: 0.1, then: 1 } } } }")
    let chances = try #require(maybe.elements)
    #expect((300...500).contains(chances.filter { $0 == .integer(1) }.count))
  }

  @Test("Sequences of all kinds begin anew in each scenario")
  func sequences() throws {
    let yaml = """
      sequences: { ticket: { start: 100, step: 5, value: "T-${{ pad(n, 4, '0') }}" }, plain: 1 }
      factories:
        a:
          fields:
            t: { $seq: ticket }
            level: { $cycle: [low, high] }
            word: { $seq: [one, two, three] }
            mail: { $seq: { value: "u${{ n }}@x" } }
            wide: { $seq: { scope: suite } }
      build: { list: { $build: a, count: 3 }, other: { $seq: ticket } }
      target: { command: [echo, "${{ json(build.list) }}", "${{ build.other }}"] }
      scenarios: [{ name: one }, { name: two }]
      """
    let cases = try #require(try Samples.plan(yaml).plan).cases
    let lists = try cases.map { try JSONText.parse(try #require($0.target.command[1].literal)) }
    for (index, list) in lists.enumerated() {
      #expect(list[0]?["t"] == .string("T-0100") && list[2]?["t"] == .string("T-0110"))
      #expect((0..<3).map { list[$0]?["level"] } == ["low", "high", "low"].map { .string($0) })
      #expect(list[2]?["word"] == .string("three") && list[1]?["mail"] == .string("u2@x"))
      #expect(list[1]?["wide"] == .integer(Int64(index * 1000 + 2)))
    }
    #expect(cases.map { $0.target.command[2].literal } == ["T-0115", "T-0115"])
    let used = try Samples.dataErrors("{ $list: { count: 3, of: { $seq: [1, 2] } } }")
    #expect(used.map(\.message) == ["all 2 values are already used"])
    let unknown = try Samples.dataErrors("{ $seq: tiket }", with: "sequences: { ticket: 1 }")
    #expect(unknown.first?.help?.contains("did you mean \"ticket\"?") == true)
    let full = try Samples.dataErrors(
      "{ $build: a, count: 1001 }",
      with: "factories: { a: { fields: { n: { $seq: { scope: suite } } } } }")
    #expect(full.first?.message.contains("1000 numbers") == true)
  }

  @Test("An overridden generator draws nothing")
  func overridden() throws {
    let list = try Samples.data(
      "{ $build: a, each: [{ with: { w: x } }, {}] }",
      with: "factories: { a: { fields: { w: { $seq: [one, two] } } } }")

    #expect(list.jsonText() == #"[{"w":"x"},{"w":"one"}]"#)
  }

  @Test("Every fake is text or a number, and always the same")
  func fakes() throws {
    for fake in FakeValue.allCases {
      let list = try Samples.data("{ $list: { count: 40, of: { $fake: \(fake.rawValue) } } }")
      let values = try #require(list.elements)
      #expect(values.count == 40)
      #expect(values.allSatisfy { !($0.textForm ?? "").isEmpty }, "\(fake)")
      #expect(Set(values.map { $0.jsonText() }).count > 5, "\(fake)")
    }
    let frozen = try Samples.data(
      "[{ $fake: name }, { $fake: city }, { $fake: email }, { $fake: iban }]")
    #expect(frozen.jsonText() == Self.frozen)
    let errors = try Samples.dataErrors("{ $fake: ctiy }")
    #expect(errors.first?.help?.hasPrefix("did you mean \"city\"?") == true)
  }

  /// What the lists of version 1 give, for ever.
  private static let frozen =
    #"["Elena Kovacs","Madrid","ruth.barros744@anchor.example.net","DE29509697624622827801"]"#

  @Test("A schema gives values that it allows")
  func schemas() throws {
    let schema = """
      {
        type: object, required: [id, email, tags, kind],
        properties: {
          id: { type: integer, minimum: 10, maximum: 12 }, email: { type: string, format: email },
          tags: { type: array, items: { type: string, pattern: "^[a-c]{2}$" }, minItems: 2, uniqueItems: true },
          kind: { enum: [a, b] }, when: { type: string, format: date-time },
          next: { anyOf: [{ type: "null" }, { $ref: "#/$defs/leaf" }] },
          rate: { type: number, exclusiveMinimum: 0, maximum: 1 }, code: { multipleOf: 5, type: integer }
        },
        $defs: { leaf: { type: object, required: [x], properties: { x: { const: 1 } }, additionalProperties: false } }
      }
      """
    let list = try Samples.data("{ $list: { count: 30, of: { $schema: \(schema) } } }")
    let values = try #require(list.elements)
    #expect(values.count == 30)
    #expect(values.allSatisfy { $0["id"] != nil && $0["kind"] != nil })
    #expect(values.contains { $0["when"] != nil } && values.contains { $0["when"] == nil })
    let errors = try Samples.dataErrors("{ $schema: { type: string, not: { type: string } } }")
    #expect(errors.first?.message.hasPrefix("found no value that the schema allows") == true)
  }

  @Test("Data becomes text, and text with a dollar stays what it is")
  func encodings() throws {
    let list = try Samples.data(
      "[{ $json: { a: [1, '${{ 1 + 1 }}'] } }, { $raw: { $ref: '#/x', t: '${{ y }}' } }, '$${{ z }}']"
    )

    #expect(
      list.jsonText() == ##"["{\"a\":[1,2]}",{"$ref":"#/x","t":"${{ y }}"},"${{ z }}"]"##)
    let planned = try Samples.onlyCase(
      """
      target:
        command: [cat]
        stdin: { csv: [{ a: 1, b: { c: "x,y" } }, { a: null, d: [true] }] }
        files: { x.yaml: { yaml: { a: [1, "no"], t: "${{ 1 }}" } } }
        env: { USER: { $json: { a: 1 } } }
      """)
    #expect(planned.target.standardInput?.literal == "a,b.c,d[0]\n1,\"x,y\",\n,,true\n")
    #expect(planned.target.environment.first?.value.literal == #"{"a":1}"#)
    guard case .text(let text)? = planned.target.files.first?.content else {
      Issue.record("no text")
      return
    }
    #expect(text.literal?.contains("- \"no\"") == true, "\(text)")
  }

  @Test("Files are read as what they are")
  func files() throws {
    let yaml = """
      target: { command: [a] }
      build: { j: { $file: u.json }, t: { $file: t.txt }, b: { $file: { path: t.txt, as: base64 } }, none: { $file: gone } }
      """
    let file = try Samples.file(yaml)
    let options = PlannerOptions(
      fileExists: { _ in true },
      readFile: {
        $0 == "u.json" ? Array(#"{"a":[1]}"#.utf8) : $0 == "t.txt" ? Array("hi".utf8) : nil
      })
    let (model, _) = ModelBuilder.build("t", of: file, options: options)
    #expect(model == nil)
    let good = try Samples.file(yaml.replacing(", none: { $file: gone }", with: ""))
    for (name, expected) in [("j", #"{"a":[1]}"#), ("t", #""hi""#), ("b", #""aGk=""#)] {
      #expect(
        ModelBuilder.build(name, of: good, options: options).model?.value.jsonText() == expected)
    }
    #expect(
      Planner.plan(files: [file], options: options).diagnostics.map(\.message)
        == ["cannot read the file \"gone\""])
  }

  @Test("Times need to know when the scenario begins")
  func times() throws {
    let clock = "clock: { at: 2026-03-01T09:00:00Z }"
    #expect(try Samples.data("{ $time: +1d }", with: clock) == .string("2026-03-02T09:00:00Z"))
    #expect(
      try Samples.data("{ $time: tomorrow 07:00 }", with: clock) == .string("2026-03-02T07:00:00Z"))
    #expect(try Samples.data("{ $time: 2020-01-01 }") == .string("2020-01-01T00:00:00Z"))
    let errors = try Samples.dataErrors("{ $time: +1d }")
    #expect(errors.map(\.message) == ["the scenario does not set the time at which it starts"])
  }

  @Test("A list of very many objects is built")
  func large() throws {
    let yaml =
      "factories: { a: { fields: { n: { $seq: 1 }, t: 'x${{ n }}' } } }\ntarget: { command: [a] }"
    let (model, diagnostics) = ModelBuilder.build(
      "a", of: try Samples.file(yaml), count: 100_000,
      options: PlannerOptions(fileExists: { _ in true }))
    #expect(diagnostics == [])
    #expect(model?.value[99_999]?["t"] == .string("x100000"))
  }

  @Test("An explanation tells who set each part, where, and what was drawn")
  func explanation() throws {
    let yaml = """
      factories:
        user:
          fields:
            id: { $seq: 5 }
            name: Bob
            address: { $build: address }
            role: none
            dice: { $int: [1, 6] }
          traits: { admin: { fields: { role: root } } }
        address: { fields: { city: Oslo, zip: 150 } }
      target: { command: [a] }
      build: { bob: { $build: user, traits: admin, with: { name: Eve, address.city: Paris } } }
      """
    let (model, _) = ModelBuilder.build(
      "bob", of: try Samples.file(yaml), explains: true,
      options: PlannerOptions(fileExists: { _ in true }))
    let lines = try #require(model).leaves.map { leaf in
      "\(leaf.path)|\(leaf.value.jsonText())|\(leaf.setter)|\(leaf.range?.line ?? 0)|\(leaf.draw?.prefix(8) ?? "")"
    }
    #expect(
      lines.filter { !$0.hasPrefix("dice") } == [
        "id|5|base user|4|sequence", "name|\"Eve\"|with name|12|",
        "address.city|\"Paris\"|with city|12|", "address.zip|150|base address|10|",
        "role|\"root\"|trait admin|9|",
      ])
    #expect(lines.last?.contains("|base user|8|draw ") == true)
  }

  @Test("What a layer leaves as it was is told of the one below")
  func explanationOfLayers() throws {
    let yaml = """
      factories:
        user:
          fields:
            prefs: { theme: { dark: true, size: 2 }, lang: en }
            pet: { $build: pet }
            tags: [a, b]
            place: { city: Oslo, zip: 150 }
          traits:
            big:
              fields:
                prefs: { $merge: { theme: { size: 9 } } }
                pet: { $merge: { kind: { wild: yes } } }
                tags: { $append: [c, { $uuid: true }] }
        pet: { fields: { kind: { wild: no, legs: 4 }, name: Rex } }
      target: { command: [a] }
      build:
        bob:
          $build: user
          traits: [big]
          with: { place.city: Paris, prefs: { $merge: { extra: 1 } } }
      """
    let (model, _) = ModelBuilder.build(
      "bob", of: try Samples.file(yaml.replacing("yes", with: "1").replacing("no,", with: "0,")),
      explains: true, options: PlannerOptions(fileExists: { _ in true }))
    let lines = try #require(model).leaves.map { leaf in
      "\(leaf.path)|\(leaf.setter)|\(leaf.range?.line ?? 0)|\(leaf.draw?.prefix(4) ?? "")"
    }
    #expect(
      lines == [
        "prefs.theme.dark|base user|4|", "prefs.theme.size|trait big|11|",
        "prefs.lang|base user|4|", "prefs.extra|with prefs|20|",
        "pet.kind.wild|trait big|12|", "pet.kind.legs|base pet|14|", "pet.name|base pet|14|",
        "tags[0]|base user|6|", "tags[1]|base user|6|", "tags[2]|trait big|13|",
        "tags[3]|trait big|13|draw", "place.city|with place.city|20|", "place.zip|base user|7|",
      ])
  }
}

extension Value {
  /// The elements of a list.
  fileprivate var elements: [Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }
}
