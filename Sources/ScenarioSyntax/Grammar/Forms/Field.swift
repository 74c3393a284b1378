internal import Foundations
internal import ScenarioModel

/// A key of a map: its name, what stands behind it, its documentation, and where its value goes.
///
/// Decoding, the vocabulary, the JSON Schema, the book's reference and what editors offer follow from it.
struct Field<Owner>: Sendable {
  /// Reads the value behind the key, and puts it into the owner; false if that was not possible,
  /// and was reported.
  typealias Reader = @Sendable (inout ScenarioDecoder, YAMLMember, inout Owner) -> Bool

  /// The property that a value is stored in.
  typealias Property<Content> = any WritableKeyPath<Owner, Content> & Sendable

  /// The documentation of the key for readers and editors.
  var key: LanguageKey
  /// The reader of the value; `nil` for a key that the map's reader reads by itself, as its meaning
  /// depends on other keys.
  let read: Reader?
  /// An example that adds the key where it is missing; `nil` if the map can do without it, or if
  /// the map's reader reads the key by itself.
  private(set) var example: String?

  private init(key: LanguageKey, read: Reader?) {
    self.key = key
    self.read = read
  }

  /// Creates a key of another map, which that map's reader reads.
  init(naming key: LanguageKey) { self.init(key: key, read: nil) }

  /// Creates a key that the map's reader reads by itself.
  init(
    _ name: String, _ shape: SchemaShape, _ summary: String, isRequired: Bool = false,
    examples: [Value] = [], snippets: [Snippet] = []
  ) {
    let key = LanguageKey(
      name, shape, summary, isRequired: isRequired, examples: examples, snippets: snippets)
    self.init(key: key, read: nil)
  }
}

extension Field {
  /// Returns the key as a required one, with an example of it for authors who have left it out.
  func required(_ example: String) -> Field {
    var field = self
    field.key.isRequired = true
    field.example = example
    return field
  }
}

// MARK: - Values with a place

extension Field {
  /// A key whose value has a place of its own.
  init<Content>(
    _ name: String, _ form: Form<Content>, _ summary: String,
    _ place: Property<Content?>, snippets: [Snippet] = []
  ) {
    self.init(name, form, summary, snippets: snippets) { $0[keyPath: place] = $1 }
  }

  /// Creates a key whose value replaces the owner's default.
  init<Content>(
    _ name: String, _ form: Form<Content>, _ summary: String,
    _ place: Property<Content>, snippets: [Snippet] = []
  ) {
    self.init(name, form, summary, snippets: snippets) { $0[keyPath: place] = $1 }
  }

  /// Creates a key whose value is kept without its place.
  init<Content>(
    _ name: String, _ form: Form<Located<Content>>, _ summary: String,
    _ place: Property<Content?>, snippets: [Snippet] = []
  ) {
    self.init(name, form, summary, snippets: snippets) { $0[keyPath: place] = $1.value }
  }

  /// Creates a key whose value replaces the owner's default, and is kept without its place.
  init<Content>(
    _ name: String, _ form: Form<Located<Content>>, _ summary: String,
    _ place: Property<Content>, snippets: [Snippet] = []
  ) {
    self.init(name, form, summary, snippets: snippets) { $0[keyPath: place] = $1.value }
  }

  /// A key whose value is put into the owner by `put`.
  init<Content>(
    _ name: String, _ form: Form<Content>, _ summary: String, snippets: [Snippet] = [],
    put: @escaping @Sendable (inout Owner, Content) -> Void
  ) {
    self.init(key: LanguageKey(name, form.shape, summary, snippets: snippets)) {
      decoder, member, owner in
      guard let content = form.read(&decoder, member.value, name) else { return false }
      put(&owner, content)
      return true
    }
  }

  /// A key whose value has a place of its own, and a form that no other key has.
  init<Content>(
    _ name: String, _ shape: SchemaShape, _ summary: String, _ place: Property<Content?>,
    snippets: [Snippet] = [],
    read: @escaping @Sendable (inout ScenarioDecoder, YAMLNode) -> Content?
  ) {
    let form = Form<Content>(shape) { decoder, node, _ in read(&decoder, node) }
    self.init(name, form, summary, place, snippets: snippets)
  }

  /// Creates a key whose value replaces the owner's default, and has a form that no other key has.
  init<Content>(
    _ name: String, _ shape: SchemaShape, _ summary: String, _ place: Property<Content>,
    snippets: [Snippet] = [],
    read: @escaping @Sendable (inout ScenarioDecoder, YAMLNode) -> Content?
  ) {
    let form = Form<Content>(shape) { decoder, node, _ in read(&decoder, node) }
    self.init(name, form, summary, place, snippets: snippets)
  }

  /// A key whose value goes to several places, or to one that its form decides.
  init(
    _ name: String, _ shape: SchemaShape, _ summary: String,
    into read: @escaping @Sendable (inout ScenarioDecoder, YAMLNode, inout Owner) -> Void
  ) {
    self.init(key: LanguageKey(name, shape, summary)) { decoder, member, owner in
      read(&decoder, member.value, &owner)
      return true
    }
  }
}
