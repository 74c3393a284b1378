/// One entry of `factories:`.
public struct FactoryDefinition: Hashable, Sendable {
  /// The factory's name.
  public var name: Located<String>
  /// `aliases:` other names of it.
  public var aliases: [Located<String>] = []
  /// `extends:` the factory whose definitions this one begins with.
  public var parent: Located<String>?
  /// `params:` values that fields may name and objects do not hold.
  public var params: [DataField] = []
  /// `fields:`.
  public var fields: [DataField]
  /// `traits:`.
  public var traits: [TraitDefinition]
  /// `default_traits:` that apply to every object, below the factory's own fields.
  public var defaultTraits: [Located<String>] = []
  /// `enums:` fields with one trait for each of their values.
  public var enums: [EnumDefinition] = []
  /// `construct:`.
  public var construct: ConstructRule?
  /// `readonly:` fields that `with` must not set.
  public var readonly: [Located<String>] = []
  /// `types:` what values a field may have.
  public var types: [FieldType] = []
  /// `schema:` that every object must be valid against.
  public var schema: SchemaReference?
  /// `extra: allow` whether `with` may bring in fields that nobody defined.
  public var allowsExtra: Bool?
  /// `after:` what is set and asserted when all fields are known.
  public var after: [AfterRule] = []

  /// Creates a definition.
  public init(name: Located<String>, fields: [DataField], traits: [TraitDefinition]) {
    self.name = name
    self.fields = fields
    self.traits = traits
  }
}

/// One entry of a factory's `traits:`.
public struct TraitDefinition: Hashable, Sendable {
  /// The trait's name.
  public var name: Located<String>
  /// `params:` that win over the factory's own.
  public var params: [DataField] = []
  /// `fields:` that win over the factory's own.
  public var fields: [DataField]
  /// `traits:` that apply before this trait's own fields.
  public var traits: [Located<String>]
  /// `construct:` instead of the factory's own.
  public var construct: ConstructRule?

  /// Creates a definition.
  public init(name: Located<String>, fields: [DataField], traits: [Located<String>] = []) {
    self.name = name
    self.fields = fields
    self.traits = traits
  }
}

/// One entry of `enums:`: a field, and its values by the names of their traits.
public struct EnumDefinition: Hashable, Sendable {
  /// The field.
  public var field: Located<String>
  /// Traits and the values that they set.
  public var values: [DataField]

  /// Creates a definition.
  public init(field: Located<String>, values: [DataField]) {
    self.field = field
    self.values = values
  }
}

/// `construct:` how an object that cannot change is made.
public struct ConstructRule: Hashable, Sendable {
  /// `args:` fields in the order of the arguments.
  public var arguments: [Located<String>]
  /// `from:` a map that the object begins with.
  public var base: DataNode?
  /// Where it stands.
  public var range: SourceRange

  /// Creates a rule.
  public init(arguments: [Located<String>], base: DataNode?, range: SourceRange) {
    self.arguments = arguments
    self.base = base
    self.range = range
  }
}

/// One entry of `types:`.
public struct FieldType: Hashable, Sendable {
  /// What values a field may have.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
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
  public var field: Located<String>
  /// Its kind.
  public var kind: Located<Kind>

  /// Creates a type.
  public init(field: Located<String>, kind: Located<Kind>) {
    self.field = field
    self.kind = kind
  }
}

/// One entry of `after:`.
public enum AfterRule: Hashable, Sendable {
  /// `set: { path: value }`
  case set([DataField])
  /// `assert: ${{ … }}`
  case assert(DataNode)
}

/// A JSON Schema, and the place in it that counts.
public struct SchemaReference: Hashable, Sendable {
  /// Where a schema stands.
  public enum Source: Hashable, Sendable {
    /// In the scenario file.
    case inline(DataNode)
    /// In a file, relative to the scenario file.
    case file(Located<String>)
  }

  /// Where the schema stands.
  public var source: Source
  /// The place in it, as in `/$defs/user`; empty is the whole.
  public var pointer: String
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a reference.
  public init(source: Source, pointer: String, range: SourceRange) {
    self.source = source
    self.pointer = pointer
    self.range = range
  }
}
