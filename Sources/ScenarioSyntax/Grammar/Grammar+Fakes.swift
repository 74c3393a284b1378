internal import Foundations
internal import ScenarioModel

extension Grammar {
  static let fake = MapGrammar<FakeRequest>(
    "fake", "A value that looks like those of real life, and what is wished beside its name."
  ) {
    Field("name", .fakeName, "What it is.") { $0.name = $1 }.required("name: city")
    Field("locale", .word(), "The language of its words; en unless said.", \.locale)
    Field(
      "unique", .truth, "Whether no value comes twice from this place of the file in a scenario.",
      \.isUnique)
    Field(
      "count", .count(1...1_000), "Of words and paragraph: how many words or sentences.", \.count)
    Field("length", .count(1...1_000), "Of password: how many letters.", \.length)
    Field("min", .decimal, "Of price, house_number, latitude and longitude: the least.", \.least)
    Field("max", .decimal, "The greatest of these.", \.greatest)
  }
}

extension Form<Located<String>> {
  /// The name of a fake.
  fileprivate static var fakeName: Form {
    Form(.words(LanguageDescription.fakes)) {
      $0.decodeText($1, $2, example: "write a name such as city")
    }
  }
}

extension Form<Located<Double>> {
  /// A number.
  fileprivate static var decimal: Form {
    Form(.number) { decoder, node, subject in
      decoder.decodeNumber(node, subject).map { Located($0, at: node.range) }
    }
  }
}

extension ScenarioDecoder {
  /// `$fake: NAME`, `$fake: { name: NAME, locale: de, unique: true }`.
  mutating func decodeFake(_ node: YAMLNode) -> DataGenerator? {
    guard case .mapping = node.content else {
      return decodeText(node, "$fake", example: "write a name such as city").map {
        .fake(FakeRequest($0))
      }
    }
    let initial = FakeRequest(Located("", at: node.range))
    return decode(node, as: Grammar.fake, subject: "\"$fake\"", from: initial).map { .fake($0) }
  }
}
