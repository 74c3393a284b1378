internal import Foundations
internal import ScenarioModel

extension Grammar {
  static let fake = MapGrammar<FakeRequest>(
    "fake", "A realistic fake value, and its settings."
  ) {
    Field("name", .fakeName, "What it is.") { $0.name = $1 }.required("name: city")
    Field("locale", .word(), "The language of the words (default: en).", \.locale)
    Field(
      "unique", .truth, "Whether values from this place in the file are unique within a scenario.",
      \.isUnique)
    Field(
      "count", .count(1...1_000), "For words and paragraph: the number of words or sentences.",
      \.count)
    Field("length", .count(1...1_000), "For password: the number of letters.", \.length)
    Field("min", .decimal, "For price, house_number, latitude and longitude: the minimum.", \.least)
    Field("max", .decimal, "For the same: the maximum.", \.greatest)
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
