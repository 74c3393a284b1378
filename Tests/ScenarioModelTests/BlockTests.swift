import Foundations
import ScenarioModel
@testable import ScenarioSyntax
import Testing

/// `blocks:`: parts of scenarios under a name, with parameters.
@Suite("Blocks")
struct BlockTests {
  private func found(_ text: String) -> [String] {
    ScenarioFile.parse(text: "version: 2\n" + text, path: "f").diagnostics.map {
      "\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.code.rawValue) \($0.message)"
    }
  }

  private func body(_ text: String) throws -> ScenarioBody {
    let (file, messages) = parse("version: 2\n" + text)
    #expect(messages == "")
    return try #require(file).defaults
  }

  @Test("A block's steps stand in place of its use, with values for its parameters")
  func steps() throws {
    let body = try body(
      """
      target: { command: [x] }
      blocks:
        login: { params: { user: guest, times: 1 }, steps: [{ run: ["${{ with.user }}", "n-${{ with.times + 1 }}"] }] }
        twice: { steps: [{ block: login }, { block: login, with: { user: ann } }] }
      steps:
        - { block: twice }
        - { block: login, with: { user: "${{ seed }}", times: 3 } }
      """)
    let arguments = body.allSteps.map { step -> [String] in
      guard case .run(let arguments) = step.action else { return [] }
      return arguments.map { node in
        switch node.content {
        case .literal(.string(let text)): text
        case .template: "template"
        default: "\(node.content)"
        }
      }
    }
    #expect(arguments.map(\.first) == ["guest", "ann", "template"])
    #expect(body.allSteps.count == 3)
  }

  @Test("A map is joined with its block, and what stands beside it wins")
  func maps() throws {
    let body = try body(
      """
      blocks:
        base: { target: { command: [x], env: { A: 1, B: 2 } }, expect: { exit: 3, stdout: a }, clock: { flow: auto } }
      target: { block: base, env: { B: 3 } }
      clock: { block: base }
      expect: { block: base, exit: 0 }
      """)
    #expect(body.target?.environment.map(\.key.value) == ["B", "A"])
    #expect(body.clock?.flow?.value == .auto)
    #expect(body.subjects.count == 2)
  }

  @Test("A part of a block is where its mistakes are told")
  func places() {
    #expect(
      found(
        "target: { command: [x] }\nblocks: { a: { steps: [{ ran: }] } }\nsteps: [{ block: a }]\n")
        == ["3:26 E021 unknown key \"ran\" in a step"])
  }

  @Test(
    "What cannot be used so is told with its place",
    arguments: [
      ("steps: [{ block: b }]", "4:18 E039 unknown block \"b\""),
      (
        "steps: [{ block: a, with: { usr: 1 } }]",
        "4:29 E039 the block \"a\" has no parameter \"usr\""
      ),
      ("steps: [{ block: a }]", "4:18 E039 the block \"a\" needs the parameter \"user\""),
      ("expect: { block: a }", "4:18 E039 the block \"a\" has no \"expect\""),
      (
        "steps: [{ block: a, with: { user: 1 }, name: x }]",
        "4:40 E025 \"name\" cannot be combined with \"block\""
      ),
    ])
  func mistakes(use: String, message: String) {
    let head = "target: { command: [x] }\nblocks: { a: { params: [user], steps: [{ run: }] } }\n"
    #expect(found(head + use + "\n").contains(message), "\(found(head + use + "\n"))")
  }

  @Test("A part of a block that nothing inserts is a mistake where another part is used")
  func lostParts() {
    let head =
      "target: { command: [x] }\nblocks: { a: { steps: [{ run: }], expect: { exit: 3 } } }\n"
    let lost = found(head + "steps: [{ block: a }]\n")
    #expect(
      lost == [
        "3:43 E039 \"expect\" of the block \"a\" has no effect: the block is used only in \"steps\""
      ])
    #expect(found(head + "steps: [{ block: a }]\nexpect: { block: a }\n") == [])
    #expect(found(head + "steps: [{ run: , expect: { block: a } }, { block: a }]\n") == [])
    // A file of blocks alone is there for others.
    #expect(found("blocks: { a: { steps: [{ run: }], expect: { exit: 3 } } }\n") == [])
  }

  @Test("A circle, an unknown parameter within a block and a block that nobody uses are told")
  func circles() {
    let circle = found(
      "target: { command: [x] }\nblocks:\n  a: { steps: [{ block: b }] }\n  b: { steps: [{ block: a }] }\nsteps: [{ block: a }]\n"
    )
    #expect(circle == ["5:25 E039 the block \"a\" contains itself: a → b → a"])
    let unknown = found(
      "target: { command: [x] }\nblocks: { a: { steps: [{ run: [\"${{ with.b }}\"] }] } }\nsteps: [{ block: a }]\n"
    )
    #expect(unknown.contains { $0.contains("E039 the block \"a\" has no parameter \"b\"") })
    let unused = found(
      "target: { command: [x] }\nblocks: { a: { steps: [{ run: }] } }\nsteps: [{ run: }]\n")
    #expect(unused == ["3:11 W010 the block \"a\" is not used"])
  }

  @Test("Of thousands of blocks each unknown name is compared with those alone that may be meant")
  func comparisons() throws {
    let count = 1_000
    var state: UInt64 = 1
    let names = (0..<count).map { _ in
      let letters = (0..<10).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Character(Unicode.Scalar(UInt8(97 + (state >> 33) % 16)))
      }
      return "block_" + String(letters)
    }
    let uses = names.map { "  - { block: \($0)z }\n" }.joined()
    let root = try #require(
      YAMLReader.read(SourceText(path: "f", text: "steps:\n\(uses)")).root)
    let blocks = Dictionary(
      names.map { name in
        (name, BlockDefinition(name: Located(name, at: SourceRange(file: "f", line: 1, column: 1))))
      }, uniquingKeysWith: { first, _ in first })
    var expansion = BlockExpansion(blocks, isPartial: false)
    _ = expansion.expand(file: root)

    #expect(expansion.diagnostics.count == count)
    #expect(expansion.diagnostics.allSatisfy { $0.help?.hasPrefix("did you mean") == true })
    #expect((1..<count * count / 10).contains(expansion.comparisons))
  }

  @Test("Blocks that multiply each other end with a message, and soon")
  func growth() {
    var text = "target: { command: [x] }\nblocks:\n  b0: { steps: [{ run: }] }\n"
    for index in 1...40 {
      text += "  b\(index): { steps: [{ block: b\(index - 1) }, { block: b\(index - 1) }] }\n"
    }
    #expect(found(text + "steps: [{ block: b40 }]\n").contains { $0.contains("E003") })
  }

  @Test(
    "A use that is refused is the one mistake, whatever its block would have brought",
    arguments: [
      ("target: { block: shop }", "E039 unknown block \"shop\""),
      ("targets: { db: { block: shop } }", "E039 unknown block \"shop\""),
      ("target: { block: login }", "E039 the block \"login\" has no \"target\""),
      ("target: { block: base, with: { b: 2 } }", "E039 the block \"base\" has no parameter \"b\""),
      ("target: { block: outer }", "E039 unknown block \"gone\""),
      ("steps: [{ block: lgin }]", "E039 unknown block \"lgin\""),
    ])
  func refused(use: String, message: String) {
    let blocks = """
      blocks:
        login: { steps: [{ run: }] }
        base: { params: { a: 1 }, target: { command: [x, "${{ with.a }}"] } }
        outer: { target: { block: gone } }

      """
    let found = found(blocks + use + "\nexpect: { exit: 0 }\n")

    #expect(found.map { $0.drop { $0 != " " }.dropFirst() } == [message[...]])
  }

  @Test("A parameter that no expression of its block reads is told")
  func unreadParameter() {
    func found(_ steps: String) -> [String] {
      self.found(
        """
        target: { command: [x] }
        blocks: { login: { params: { user: ann, times: 1 }, steps: [\(steps)] } }
        steps: [{ block: login, with: { user: bob } }]
        """)
    }
    #expect(
      found("{ run: [\"${{ with.times }}\"] }") == [
        "3:30 W010 no expression of the block \"login\" reads \"with.user\""
      ])
    #expect(found("{ run: [\"${{ with.user }}\"], repeat: \"${{ with.times }}\" }") == [])
  }

  @Test("A block without what the target needs is no excuse")
  func lacking() {
    let found = found(
      "blocks: { base: { target: { env: { A: b } } } }\ntarget: { block: base }\nexpect: { exit: 0 }\n"
    )

    #expect(
      found.map { $0.drop { $0 != " " } } == [
        " E022 missing required key \"command\" in \"target\""
      ])
  }
}
