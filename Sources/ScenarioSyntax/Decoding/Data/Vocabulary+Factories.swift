/// The keys of factories and generators.
extension Vocabulary {
  static let factory = [
    "after", "aliases", "construct", "default_traits", "enums", "extends", "extra", "fields",
    "params", "readonly", "schema", "traits", "types",
  ]
  static let trait = ["construct", "fields", "params", "traits"]
  static let construct = ["args", "from"]
  static let after = ["assert", "set"]

  static let generators = [
    "$append", "$bool", "$build", "$cycle", "$fake", "$file", "$float", "$int", "$iterate", "$json",
    "$list", "$match", "$maybe", "$merge", "$mutate", "$next", "$omit", "$pick", "$raw", "$schema",
    "$seq", "$string", "$time", "$uuid",
  ]
  static let buildGenerator = [
    "$build", "allow_readonly", "construct", "count", "each", "trait", "traits", "with",
  ]
  static let buildVariant = ["trait", "traits", "with"]
  static let sequenceGenerator = ["scope", "start", "step", "value"]
  static let maybeGenerator = ["else", "p", "then"]
  static let listGenerator = ["count", "of"]
  static let integerGenerator = ["max", "min", "step"]
  static let numberGenerator = ["digits", "max", "min"]
  static let textGenerator = ["length", "of"]
  static let timeGenerator = ["from", "step", "to"]
  static let mutationGenerator = ["count", "except", "kinds", "of", "only"]
  static let fileGenerator = ["as", "path"]
}
