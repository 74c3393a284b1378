extension DiagnosticExplanation {
  /// What the codes of factories mean; `nil` for any other code.
  static func factories(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .unknownFactory:
      DiagnosticExplanation(
        title: "there is no such factory",
        text: """
          Factories are defined below "factories", at the file's top or in a scenario; an alias \
          is a name like any other. The help names the nearest one and lists the others.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob } } }
          build: { bob: { $build: usr } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob } } }
          build: { bob: { $build: user } }
          """))
    case .unknownTrait:
      DiagnosticExplanation(
        title: "the factory has no such trait",
        text: """
          Traits belong to their factory and to what it extends; each value of its "enums" is a \
          trait too. The help lists all of them.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob }, traits: { homeless: { fields: { name: Joe } \
          } } } }
          build: { bob: { $build: user, trait: homles } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob }, traits: { homeless: { fields: { name: Joe } \
          } } } }
          build: { bob: { $build: user, trait: homeless } }
          """))
    case .unknownField:
      DiagnosticExplanation(
        title: "the factory has no such field",
        text: """
          What is given by "with" must be a field or a param of the factory: a misspelled field \
          would otherwise stand beside the right one. A factory with "extra: allow" takes any \
          field.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob } } }
          build: { bob: { $build: user, with: { nmae: Eve } } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob } } }
          build: { bob: { $build: user, with: { name: Eve } } }
          """))
    case .factoryCycle:
      DiagnosticExplanation(
        title: "factories or traits lead back to themselves",
        text: """
          A factory that extends itself over others, traits that ask for each other, or objects \
          that build each other would never come to an end. The notes show the way round. End the \
          circle at one place, with null or with "parent".
          """,
        wrong: .file(
          """
          factories: { a: { extends: b, fields: { x: 1 } }, b: { extends: a } }
          build: { one: { $build: a } }
          """),
        right: .file(
          """
          factories: { a: { extends: b, fields: { x: 1 } }, b: {} }
          build: { one: { $build: a } }
          """))
    case .dependencyCycle:
      DiagnosticExplanation(
        title: "fields need each other",
        text: """
          Fields may be written in any order and are computed when they are needed; but if each \
          of them needs the other, neither can be first. Give one of them a value that does not \
          name the next.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { a: "${{ b }}", b: "${{ a }}" } } }
          build: { one: { $build: user } }
          """),
        right: .file(
          """
          factories: { user: { fields: { a: "${{ b }}", b: 1 } } }
          build: { one: { $build: user } }
          """))
    case .conflictingTraits:
      DiagnosticExplanation(
        title: "two traits exclude each other",
        text: """
          The values of one of the "enums" are traits of which an object has one. Asked for two \
          of them, it could have either.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob }, enums: { status: [active, banned] } } }
          build: { bob: { $build: user, traits: [active, banned] } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob }, enums: { status: [active, banned] } } }
          build: { bob: { $build: user, traits: [banned] } }
          """))
    case .readonlyField:
      DiagnosticExplanation(
        title: "the field must not be given",
        text: """
          The factory calls the field "readonly", as identifiers that come from a sequence are. \
          Where a test needs its own, write "allow_readonly: true" beside "$build".
          """,
        wrong: .file(
          """
          factories: { user: { fields: { id: { $seq: 1 } }, readonly: [id] } }
          build: { bob: { $build: user, with: { id: 7 } } }
          """),
        right: .file(
          """
          factories: { user: { fields: { id: { $seq: 1 } }, readonly: [id] } }
          build: { bob: { $build: user, with: { id: 7 }, allow_readonly: true } }
          """))
    case .badPath:
      DiagnosticExplanation(
        title: "the path leads nowhere",
        text: """
          In "with" a key such as address.city or items[0].price reaches into a field and \
          replaces that part alone; every step of the way must be there.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { address: { city: London } } } }
          build: { bob: { $build: user, with: { address.town: Paris } } }
          """),
        right: .file(
          """
          factories: { user: { fields: { address: { city: London } } } }
          build: { bob: { $build: user, with: { address.city: Paris } } }
          """))
    case .unknownGenerator:
      DiagnosticExplanation(
        title: "there is no such generator",
        text: """
          In data a key that begins with "$" makes a value. If the data itself has such a key, as \
          {$ref: …} in a JSON Schema, write { $raw: … } around it.
          """,
        wrong: .file(
          """
          build: { id: { $uid: true } }
          """),
        right: .file(
          """
          build: { id: { $uuid: true } }
          """))
    case .misusedGenerator:
      DiagnosticExplanation(
        title: "the generator has nothing to work on",
        text: """
          "$merge" and "$append" add to what a field has from further below, so they stand in \
          traits, in factories that extend others, and in "with". "each" takes at most as many \
          entries as "count" makes.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { tags: { $append: [vip] } } } }
          build: { bob: { $build: user } }
          """),
        right: .file(
          """
          factories: { user: { fields: { tags: [] }, traits: { vip: { fields: { tags: { $append: \
          [vip] } } } } } }
          build: { bob: { $build: user, trait: vip } }
          """))
    case .exhausted:
      DiagnosticExplanation(
        title: "the values are used up",
        text: """
          "$iterate" gives each of its values once; a sequence ends where numbers do. "$cycle" \
          begins again behind the last.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: { $iterate: [Ada, Bob] } } } }
          build: { crowd: { $build: user, count: 3 } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: { $cycle: [Ada, Bob] } } } }
          build: { crowd: { $build: user, count: 3 } }
          """))
    case .unknownSequence:
      DiagnosticExplanation(
        title: "there is no such sequence",
        text: """
          "$next" draws from a sequence that is defined by its name below "sequences". A sequence \
          of one field alone is written { $seq: 1 }.
          """,
        wrong: .file(
          """
          sequences: { ticket: { start: 100 } }
          build: { number: { $next: tickt } }
          """),
        right: .file(
          """
          sequences: { ticket: { start: 100 } }
          build: { number: { $next: ticket } }
          """))
    case .unknownFake:
      DiagnosticExplanation(
        title: "there is no such fake",
        text: """
          "$fake" takes names, words and the like from lists that never change, so that equal \
          seeds give equal data. The help names all of them.
          """,
        wrong: .file(
          """
          build: { text: { $fake: sentense } }
          """),
        right: .file(
          """
          build: { text: { $fake: sentence } }
          """))
    case .wrongFieldType:
      DiagnosticExplanation(
        title: "the value is not of the field's type",
        text: """
          "types" says what a field can hold, down to the width of its numbers, so that data \
          which the real service could never have is told here and not by the target. Give the \
          field such a value, or change what "types" says.
          """,
        wrong: .file(
          """
          factories: { user: { fields: { age: 300 }, types: { age: u8 } } }
          build: { bob: { $build: user } }
          """),
        right: .file(
          """
          factories: { user: { fields: { age: 30 }, types: { age: u8 } } }
          build: { bob: { $build: user } }
          """))
    case .brokenSchema:
      DiagnosticExplanation(
        title: "the schema refuses the object",
        text: """
          A factory with "schema" builds only what that JSON Schema accepts. The message names \
          the place in the object, what is expected there and what came.
          """,
        wrong: .command(
          """
          echo '{ "properties": { "age": { "minimum": 18 } } }' > s.json; printf 'version: \
          1\\ntarget: { command: [date] }\\nfactories: { user: { fields: { age: 3 }, schema: \
          s.json } }\\nbuild: { bob: { $build: user } }\\n' > a.yaml; scenario check a.yaml
          """),
        right: .command(
          """
          echo '{ "properties": { "age": { "minimum": 18 } } }' > s.json; printf 'version: \
          1\\ntarget: { command: [date] }\\nfactories: { user: { fields: { age: 30 }, schema: \
          s.json } }\\nbuild: { bob: { $build: user } }\\n' > a.yaml; scenario check a.yaml
          """))
    case .failedAssertion:
      DiagnosticExplanation(
        title: "the object breaks what is asserted",
        text: """
          "after: [{ assert: … }]" states what holds for every object of a factory, whatever \
          traits and overrides it is built with. This one breaks it.
          """,
        wrong: .file(
          """
          factories: { cart: { fields: { total: 0 }, after: [{ assert: "${{ total > 0 }}" }] } }
          build: { cart: { $build: cart } }
          """),
        right: .file(
          """
          factories: { cart: { fields: { total: 9 }, after: [{ assert: "${{ total > 0 }}" }] } }
          build: { cart: { $build: cart } }
          """))
    case .badConstruct:
      DiagnosticExplanation(
        title: "the construction cannot be followed",
        text: """
          "construct: { args: […] }" says in which order fields are arguments, and fixes them; \
          "from" begins with a map. A field among the arguments cannot be set by "after".
          """,
        wrong: .file(
          """
          factories: { user: { fields: { name: Bob }, construct: { args: [name] }, after: [{ set: \
          { name: Eve } }] } }
          build: { bob: { $build: user } }
          """),
        right: .file(
          """
          factories: { user: { fields: { name: Bob, nick: Bo }, construct: { args: [name] }, \
          after: [{ set: { nick: Eve } }] } }
          build: { bob: { $build: user } }
          """))
    case .unencodable:
      DiagnosticExplanation(
        title: "the format cannot write the value",
        text: """
          CSV is a table: a list of maps, or a map. Lists inside a row have no place in it. JSON \
          and YAML write anything.
          """,
        wrong: .file(
          """
          target: { command: [cat], stdin: { csv: 7 } }
          """),
        right: .file(
          """
          target: { command: [cat], stdin: { csv: [{ id: 7 }] } }
          """))
    default: nil
    }
  }
}
