internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of blocks.
  static let blockDefinitions: [LanguageDefinition] = [
    Grammar.block.definition, Grammar.blockUse.definition,
  ]
}

extension Grammar {
  /// Values have their place beside the block that takes them.
  static let blockRule = KeyRule.needs("with", "block")

  static let block = MapGrammar<Void>(
    "block", "Parts of scenarios under a name, for use by `block`.",
    rules: [.someOf(["clock", "expect", "responses", "steps", "target"])]
  ) {
    Field(
      "params", .either(.oneOrMore(.text), .map(of: .anything)),
      """
      What `${{ with.NAME }}` stands for in the block: names, or names with what stands in where nothing is given.
      """)
    Field("steps", .list(of: .the("step")), "Steps, for a list of steps.")
    Field("expect", .the("expect"), "What must hold, for an `expect`.")
    Field("target", .the("target"), "An executable, for a `target` or one of `targets`.")
    Field("clock", .the("clock"), "A clock, for a `clock`.")
    Field("responses", .list(of: .the("response")), "Entries, for a list of `responses`.")
  }

  static let blockUse = MapGrammar<Void>("blockUse", "A block in place of an entry.") {
    Field("block", .text, "The block's name.", isRequired: true)
    Field("with", .map(of: .anything), "Values for its parameters.")
  }

  /// The use of a block in a map that it is joined with.
  ///
  /// The keys are gone when the map is read, unless values stand there without a block.
  ///
  /// - Parameter isEntry: whether the map is an entry of a list, in whose place the block's entries come.
  static func blockFields<Owner>(isEntry: Bool = false) -> [Field<Owner>] {
    [
      Field(
        "block", .text,
        isEntry
          ? "The block whose steps stand in place of this one, which has nothing but `with` beside it."
          : "The block that it is joined with; what stands beside it wins."),
      Field("with", .map(of: .anything), "Values for the block's parameters.") {
        decoder, node, _ in
        decoder.report(
          "\"with\" stands without \"block\"", code: .missingKey, at: node.range,
          help: "name the block whose parameters are meant, or take it out")
      },
    ]
  }
}
