import Foundations
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Factories")
struct FactoryTests {
  private let factories = """
    factories:
      address: { fields: { street: 1 Main St, city: London, line: "${{ street }}, ${{ city }}" } }
      user:
        aliases: [author, reviewer]
        params: { rockstar: false, domain: example.com }
        fields:
          id: { $seq: 1 }
          first_name: Bob
          display: "${{ first_name }}${{ case(rockstar, ' - Rockstar', '') }}"
          email: "${{ lower(first_name) }}.${{ id }}@${{ domain }}"
          friend_count: 10
          address: { $build: address }
          tags: [new]
          meta: { a: 1, deep: { b: 2 } }
        types: { id: i64, friend_count: u8 }
        traits:
          homeless: { fields: { address: null } }
          admin: { fields: { admin: true, tags: { $append: [root] } } }
          staff: { traits: [admin], params: { domain: corp.example } }
        enums: { status: [pending, banned], plan: { free: 0, paid: 1 } }
        default_traits: [pending]
        readonly: [id]
      child:
        extends: user
        default_traits: [paid]
        fields: { first_name: Kid, age: 7, meta: { $merge: { deep: { c: 3 }, a: { $omit: true } } } }
        traits: { homeless: { fields: { address: tent } } }
    """

  private func user(_ text: String) throws -> Value { try Samples.data(text, with: factories) }

  @Test("Params steer fields and are no part of the object")
  func params() throws {
    let plain = try user("{ $build: user }")
    let star = try user("{ $build: user, with: { rockstar: true, domain: x.test } }")

    #expect(plain["display"] == .string("Bob"))
    #expect(star["display"] == .string("Bob - Rockstar"))
    #expect(star["email"] == .string("bob.1@x.test"))
    #expect(star["rockstar"] == nil && star["domain"] == nil)
    #expect(try user("{ $build: user, traits: staff }")["email"] == .string("bob.1@corp.example"))
  }

  @Test("An alias is the factory by another name and shares its sequences")
  func aliases() throws {
    let list = try user("[{ $build: author }, { $build: user }, { $build: reviewer }]")

    #expect([list[0]?["id"], list[1]?["id"], list[2]?["id"]] == [1, 2, 3].map { .integer($0) })
  }

  @Test("Enums give a trait for each value, of which an object has one")
  func enums() throws {
    #expect(try user("{ $build: user }")["status"] == .string("pending"))
    let paid = try user("{ $build: user, traits: [banned, paid] }")
    #expect(paid["status"] == .string("banned") && paid["plan"] == .integer(1))
    #expect(
      try user("{ $build: user, traits: banned, with: { status: x } }")["status"] == .string("x"))

    let errors = try Samples.dataErrors(
      "{ $build: user, traits: [banned, paid, pending] }", with: factories)
    #expect(errors.map(\.message) == ["\"status\" is set by both \"banned\" and \"pending\""])
    #expect(errors.first?.notes.first?.range != nil)
  }

  @Test("What extends begins with the other's definitions, and traits bind late")
  func extends() throws {
    let list = try user("[{ $build: child, traits: homeless }, { $build: user, traits: homeless }]")

    #expect(
      list[0]?.jsonText()
        == #"{"id":1,"first_name":"Kid","display":"Kid","email":"kid.1@example.com","#
        + #""friend_count":10,"address":"tent","tags":["new"],"meta":{"deep":{"b":2,"c":3}},"#
        + #""status":"pending","age":7,"plan":1}"#)
    // Building the child has changed nothing in what it extends; the sequence is one.
    #expect(
      list[1]?["address"] == .null && list[1]?["id"] == .integer(2) && list[1]?["plan"] == nil)
  }

  @Test("A circle of extends and an unknown one are errors")
  func extendsMistakes() throws {
    let errors = try Samples.dataErrors(
      "1", with: "factories: { a: { extends: b }, b: { extends: a }, c: { extends: usr } }")

    #expect(errors.contains { $0.message == "the factory \"a\" extends itself: a → b → a" })
    #expect(errors.contains { $0.message == "unknown factory \"usr\"" })
  }

  @Test("What extends itself is not what an unknown factory is taken for")
  func extendsHelp() throws {
    let errors = try Samples.dataErrors(
      "1", with: "factories: { user: { extends: userr }, users: { fields: { a: 1 } } }")

    #expect(errors.first?.help?.hasPrefix("did you mean \"users\"?") == true)
  }

  @Test(
    "A hundred factories may extend one another, and more are refused",
    arguments: [(100, true), (101, false), (2_000, false)])
  func longExtends(count: Int, isValid: Bool) throws {
    let chain = (0..<count).map { "f\($0): { extends: f\($0 + 1) }" }.joined(separator: ", ")
    let factories = "factories: { \(chain), f\(count): { fields: { a: 1 } } }"
    guard !isValid else {
      #expect(try Samples.data("{ $build: f0 }", with: factories).jsonText() == #"{"a":1}"#)
      return
    }
    let errors = try Samples.dataErrors("{ $build: f0 }", with: factories)

    #expect(errors.first?.message == "the factory \"f0\" extends more than 100 others")
  }

  @Test(
    "Types have ranges",
    arguments: [
      ("255", true), ("256", false), ("-1", false), ("1.5", false), ("'7'", false), ("null", true),
    ])
  func types(value: String, isValid: Bool) throws {
    let text = "{ $build: user, with: { friend_count: \(value) } }"
    guard !isValid else {
      _ = try user(text)
      return
    }
    let errors = try Samples.dataErrors(text, with: factories)
    #expect(errors.first?.message.hasPrefix("\"user.friend_count\" cannot be ") == true)
    #expect(errors.first?.message.contains("the field is u8") == true)
  }

  @Test("Every kind of type knows what it takes")
  func kinds() {
    func takes(_ kind: FieldType.Kind, _ value: Value) -> Bool { kind.mistake(in: value) == nil }
    let bounds: [(FieldType.Kind, Int64, Int64)] = [
      (.i8, -128, 127), (.i16, -32768, 32767), (.i32, -2_147_483_648, 2_147_483_647),
      (.u8, 0, 255), (.u16, 0, 65535), (.u32, 0, 4_294_967_295),
    ]
    for (kind, lower, upper) in bounds {
      #expect(takes(kind, .integer(lower)) && takes(kind, .integer(upper)), "\(kind)")
      #expect(!takes(kind, .integer(lower - 1)) && !takes(kind, .integer(upper + 1)), "\(kind)")
    }
    #expect(
      takes(.i64, .integer(.min)) && takes(.u64, .integer(.max)) && !takes(.u64, .integer(-1)))
    #expect(
      takes(.f32, .number(3.4e38)) && !takes(.f32, .number(3.5e38)) && takes(.f64, .number(3.5e38)))
    #expect(takes(.bool, .bool(true)) && !takes(.bool, .integer(1)) && takes(.string, .string("")))
    #expect(!takes(.string, .integer(1)) && !takes(.i8, .number(1)))
  }

  @Test("A readonly field is set only where that is allowed")
  func readonly() throws {
    let errors = try Samples.dataErrors("{ $build: user, with: { id: 7 } }", with: factories)

    #expect(errors.map(\.message) == ["\"id\" of the factory \"user\" is readonly"])
    #expect(errors.first?.notes.first?.range?.line == 22)
    #expect(
      try user("{ $build: user, allow_readonly: true, with: { id: 7 } }")["id"] == .integer(7))
    let lifted = try Samples.data(
      "{ $build: user, with: { id: 7 } }", with: factories + "\nallow_readonly: true")
    #expect(lifted["id"] == .integer(7))
  }

  @Test("Merge and append build upon what the field would be")
  func layers() throws {
    let made = try user(
      "{ $build: user, traits: admin, with: { meta: { $merge: { deep: { b: 9 } } }, tags: { $append: ['${{ id }}'] } } }"
    )

    #expect(made["tags"]?.jsonText() == #"["new","root",1]"#)
    #expect(made["meta"]?.jsonText() == #"{"a":1,"deep":{"b":9}}"#)
    let errors = try Samples.dataErrors("{ $merge: { a: 1 } }")
    #expect(errors.map(\.message) == ["\"$merge\" has no value to merge with"])
  }

  @Test("What is omitted is no key, what is null is one")
  func omit() throws {
    let made = try user(
      "{ $build: user, with: { address: { $omit: true }, display: null, meta: { x: { $omit: true } }, tags: [1, { $omit: true }] } }"
    )

    #expect(made["address"] == nil && made["display"] == .null)
    #expect(made["meta"]?.jsonText() == "{}" && made["tags"]?.jsonText() == "[1]")
  }

  @Test("A path of with reaches into objects, maps, lists and lists of objects")
  func paths() throws {
    let list = """
      {
        $build: user, count: 2,
        with: { address.city: Paris, meta.deep.b: 5, "tags[0]": old }
      }
      """
    let made = try user(list)
    #expect(made[1]?["address"]?["line"] == .string("1 Main St, Paris"))
    #expect(
      made[1]?["meta"]?["deep"]?["b"] == .integer(5) && made[1]?["tags"]?.jsonText() == #"["old"]"#)
    let nested = try Samples.data(
      #"{ $build: team, with: { "members[1].address.city": Rome } }"#,
      with: factories + "\n  team: { fields: { members: { $build: user, count: 3 } } }")
    #expect(nested["members"]?[1]?["address"]?["line"] == .string("1 Main St, Rome"))
    #expect(nested["members"]?[2]?["address"]?["line"] == .string("1 Main St, London"))
    let errors = try Samples.dataErrors(
      "{ $build: user, traits: homeless, with: { address.city: x } }", with: factories)
    #expect(
      errors.first?.message == "the path \"address.city\" goes through \"address\", which is null")
    #expect(errors.first?.notes.first?.message.contains("trait homeless") == true)
  }

  @Test("A constructor's arguments come first and cannot change afterwards")
  func construct() throws {
    let extra = """
      factories:
        pair:
          construct: { args: [b, a] }
          fields: { a: { $seq: { start: 10, value: "${{ n }}${{ b }}" } }, b: x, c: "${{ a }}!" }
          after_build: [{ set: { c: "${{ c }}?" } }, { assert: "${{ len(c) > 1 }}" }]
      """
    let planned = try Samples.onlyCase(
      extra
        + "\ntarget: { command: [cat, { $build: pair, with: { b: -1 } }, { $list: { count: 2, of: { $int: [5, 5] } } }] }"
    )
    #expect(planned.target.command.map(\.literal) == ["cat", "-1", "10-1", "5", "5"])
    #expect(try Samples.data("{ $build: pair }", with: extra)["c"] == .string("10x!?"))

    let frozen = try Samples.dataErrors(
      "{ $build: pair }", with: extra.replacing("set: { c", with: "set: { b"))
    #expect(frozen.first?.message.hasPrefix("\"b\" is an argument of \"construct\"") == true)
    let unknown = try Samples.dataErrors("1", with: extra.replacing("[b, a]", with: "[b, aa]"))
    #expect(unknown.map(\.message) == ["the factory \"pair\" has no field \"aa\""])
    let broken = try Samples.dataErrors(
      "{ $build: pair }", with: extra.replacing("> 1", with: "> 9"))
    #expect(
      broken.first?.message
        == "an object of \"pair\" fails its assertion: \"len(c) > 9\" is false")
    let none = try Samples.errors(factories + "\ntarget: { command: [cat, { $build: user }] }")
    #expect(none.first?.message.contains("does not define the order") == true)
  }

  @Test("An object can begin with a map, and extra fields must be allowed")
  func from() throws {
    let definitions = """
      factories:
        t: { construct: { from: { a: 1, nick: old } }, fields: { nick: Bo, twice: "${{ a * 2 }}" } }
        open: { extra: allow, fields: { a: 1 } }
      """
    #expect(
      try Samples.data("{ $build: t, with: { a: 4 } }", with: definitions).jsonText()
        == #"{"a":4,"nick":"Bo","twice":8}"#)
    #expect(
      try Samples.data("{ $build: open, with: { b: '${{ a + 1 }}' } }", with: definitions)
        .jsonText()
        == #"{"a":1,"b":2}"#)
    let errors = try Samples.dataErrors("{ $build: t, with: { b: 1 } }", with: definitions)
    #expect(errors.map(\.message) == ["the factory \"t\" has no field \"b\""])
  }

  @Test("Objects inside others know what is around them, by any depth")
  func parents() throws {
    let definitions = """
      factories:
        post:
          fields:
            id: { $seq: { start: 1000, step: 10 } }
            comments: { $list: { count: 2, of: { $build: comment, with: { at: "${{ index }}/${{ count }}" } } } }
        comment: { fields: { post: "${{ parent.id }}", at: null, vote: { $build: vote } } }
        vote: { fields: { own: "${{ self.n }}", n: "${{ n }}", post: "${{ parent.parent.id }}", first: "${{ parent.at }}" } }
      """
    let posts = try Samples.data("{ $build: post, count: 2 }", with: definitions)
    #expect(
      posts[1]?.jsonText()
        == #"{"id":1010,"comments":[{"post":1010,"at":"0/2","vote":{"own":3,"n":3,"post":1010,"first":"0/2"}},"#
        + #"{"post":1010,"at":"1/2","vote":{"own":4,"n":4,"post":1010,"first":"1/2"}}]}"#)
    let errors = try Samples.dataErrors("{ $build: comment }", with: definitions)
    #expect(
      errors.first?.message
        == "\"parent\" does not exist: this object is not built inside another one")
    let typo = try Samples.dataErrors(
      "{ $build: post }", with: definitions.replacing("parent.at", with: "parent.att"))
    #expect(typo.first?.help?.contains("did you mean \"at\"?") == true)
  }

  @Test("Each object of a list can have its own traits and fields")
  func each() throws {
    let list = try user(
      "{ $build: user, count: 3, with: { first_name: Ann }, each: [{ traits: admin }, { with: { first_name: Zed, address.city: Paris } }] }"
    )
    #expect(list[0]?["admin"] == .bool(true) && list[0]?["first_name"] == .string("Ann"))
    #expect(
      list[1]?["first_name"] == .string("Zed") && list[1]?["address"]?["city"] == .string("Paris"))
    #expect(list[2]?["email"] == .string("ann.3@example.com"))
    let short = try user("{ $build: user, each: [{}, {}] }")
    #expect(short[1]?["id"] == .integer(2) && short[2] == nil)
  }

  @Test("An object is valid against its schema, or the field is told that is not")
  func schema() throws {
    let definitions = """
      factories:
        s:
          schema: { type: object, properties: { age: { type: integer, minimum: 0 } }, required: [age] }
          fields: { age: 3 }
      """
    _ = try Samples.data("{ $build: s }", with: definitions)
    let errors = try Samples.dataErrors("{ $build: s, with: { age: -1 } }", with: definitions)
    #expect(errors.first?.message.contains("is not valid at $.age") == true)
  }

  @Test("A circle in a factory that nobody builds is reported, one that with breaks is none")
  func review() throws {
    let errors = try Samples.dataErrors(
      "{ $build: ok, with: { b: 1 } }",
      with: """
        factories:
          ok: { fields: { a: "${{ b }}", b: "${{ a }}" } }
          bad: { fields: { a: "${{ b }}", b: "${{ a }}" } }
          tree: { fields: { child: { $build: tree } } }
        """)
    #expect(
      errors.map(\.message).contains("\"bad.a\" depends on itself: bad.a → bad.b → bad.a"),
      "\(errors)")
    #expect(errors.contains { $0.message.contains("tree.child → tree.child") })
    #expect(!errors.contains { $0.message.contains("ok.a") })
  }

  @Test("What is defined and never used is a warning of check")
  func unused() throws {
    let file = try Samples.file(
      factories + "\ntarget: { command: [a] }\nbuild: { x: { $build: child, traits: homeless } }")
    var options = PlannerOptions(fileExists: { _ in true })
    #expect(Planner.plan(files: [file], options: options).diagnostics == [])
    options.reportsUnused = true
    let warnings = Planner.plan(files: [file], options: options).diagnostics
    #expect(
      warnings.map(\.message) == [
        "the factory \"address\" is not used",
        "the trait \"homeless\" of \"user\" is not used",
        "the trait \"admin\" of \"user\" is not used",
        "the trait \"staff\" of \"user\" is not used",
      ])
    #expect(warnings.allSatisfy { $0.severity == .warning })
  }
}
