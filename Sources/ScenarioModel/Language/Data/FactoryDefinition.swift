package import Foundations

/// One entry of `factories:`.
package struct FactoryDefinition: Hashable, Sendable {
  /// The factory's name.
  package var name: Located<String>
  /// `aliases:` other names of it.
  package var aliases: [Located<String>] = []
  /// `extends:` the factory whose definitions this one begins with.
  package var parent: Located<String>?
  /// `params:` values that fields may name and objects do not hold.
  package var params: [DataField] = []
  /// `fields:`.
  package var fields: [DataField]
  /// `traits:`.
  package var traits: [TraitDefinition]
  /// `default_traits:` that apply to every object, below the factory's own fields.
  package var defaultTraits: [Located<String>] = []
  /// `enums:` fields with one trait for each of their values.
  package var enums: [EnumDefinition] = []
  /// `construct:`.
  package var construct: ConstructRule?
  /// `readonly:` fields that `with` must not set.
  package var readonly: [Located<String>] = []
  /// `types:` what values a field may have.
  package var types: [FieldType] = []
  /// `schema:` that every object must be valid against.
  package var schema: SchemaReference?
  /// `extra: allow` whether `with` may add fields that the factory does not define.
  package var allowsExtra: Bool?
  /// `after_build:` what is set and asserted when all fields are known.
  package var after: [AfterRule] = []

  /// Creates a definition.
  package init(name: Located<String>, fields: [DataField], traits: [TraitDefinition]) {
    self.name = name
    self.fields = fields
    self.traits = traits
  }
}

/// One entry of a factory's `traits:`.
package struct TraitDefinition: Hashable, Sendable {
  /// The trait's name.
  package var name: Located<String>
  /// `params:` that win over the factory's own.
  package var params: [DataField] = []
  /// `fields:` that win over the factory's own.
  package var fields: [DataField]
  /// `traits:` that apply before this trait's own fields.
  package var traits: [Located<String>]
  /// `construct:` instead of the factory's own.
  package var construct: ConstructRule?
  /// `after_build:` what is set and asserted behind what the factory sets and asserts.
  package var after: [AfterRule] = []

  /// Creates a definition.
  package init(name: Located<String>, fields: [DataField], traits: [Located<String>] = []) {
    self.name = name
    self.fields = fields
    self.traits = traits
  }
}

/// One entry of `enums:`: a field, and its values by the names of their traits.
package struct EnumDefinition: Hashable, Sendable {
  /// The field.
  package var field: Located<String>
  /// Traits and the values that they set.
  package var values: [DataField]

  /// Creates a definition.
  package init(field: Located<String>, values: [DataField]) {
    self.field = field
    self.values = values
  }
}

/// `construct:` how an object that cannot change is made.
package struct ConstructRule: Hashable, Sendable {
  /// `args:` fields in the order of the arguments.
  package var arguments: [Located<String>]
  /// `from:` a map that the object begins with.
  package var base: DataNode?

  /// Creates a rule.
  package init(arguments: [Located<String>], base: DataNode?) {
    self.arguments = arguments
    self.base = base
  }
}

/// One entry of `types:`.
package struct FieldType: Hashable, Sendable {
  /// The kind of values that a field may have.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case i8
    case i16
    case i32
    case i64
    case u8
    case u16
    case u32
    case u64
    case f32
    case f64
    case bool
    case string
  }

  /// The field.
  package var field: Located<String>
  /// Its kind.
  package var kind: Located<Kind>

  /// Creates a type.
  package init(field: Located<String>, kind: Located<Kind>) {
    self.field = field
    self.kind = kind
  }
}

/// One entry of `after_build:`.
package enum AfterRule: Hashable, Sendable {
  /// `set: { path: value }`
  case set([DataField])
  /// `assert: ${{ … }}`
  case assert(DataNode)
}

/// A JSON Schema, and the place in it that counts.
package struct SchemaReference: Hashable, Sendable {
  /// The place of a schema.
  package enum Source: Hashable, Sendable {
    /// A schema in the scenario file.
    case inline(DataNode)
    /// A schema in a file, relative to the scenario file.
    case file(Located<String>)
  }

  /// The place of the schema.
  package var source: Source
  /// The place in it, as in `/$defs/user`; empty is the whole.
  package var pointer: String
  /// The place in the file.
  package var range: SourceRange

  /// Creates a reference.
  package init(source: Source, pointer: String, range: SourceRange) {
    self.source = source
    self.pointer = pointer
    self.range = range
  }
}
