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
    "block", "Named parts of scenarios, which `block` inserts.",
    rules: [.someOf(["clock", "expect", "responses", "steps", "target"])]
  ) {
    Field(
      "params", .either(.oneOrMore(.text), .map(of: .anything)),
      """
      The block's parameters, for `${{ with.NAME }}`: a list of names, or a map of names and \
      their defaults.
      """)
    Field("steps", .list(of: .the("step")), "Steps, to insert into a list of steps.")
    Field("expect", .the("expect"), "Expectations, to insert into an `expect`.")
    Field("target", .the("target"), "A target, to insert as a `target` or as one of `targets`.")
    Field("clock", .the("clock"), "A clock, to insert as a `clock`.")
    Field(
      "responses", .list(of: .the("response")),
      "Responses, to insert into a list of `responses`.")
  }

  static let blockUse = MapGrammar<Void>("blockUse", "A block that replaces a list entry.") {
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
          ? "The block whose steps replace this entry. Only `with` is allowed beside it."
          : "The block to merge with. Keys written beside it override those of the block."),
      Field("with", .map(of: .anything), "Values for the block's parameters.") {
        decoder, node, _ in
        decoder.report(
          "\"with\" stands without \"block\"", code: .missingKey, at: node.range,
          help: "name the block whose parameters are meant, or take it out")
      },
    ]
  }
}
