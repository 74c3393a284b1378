internal import Foundations
internal import OrderedCollections

/// Reads schemas as far as a recorded shape goes: schemas may hold themselves, many times over.
struct OpenAPISchemaWalk {
  /// The maximum number of schemas that are visited for one reply; those beyond may be anything.
  private static let budget = 200_000
  /// Keywords that apply to maps only, so that "type" is often left out beside them.
  private static let mapKeys = ["properties", "required", "additionalProperties"]

  private let references: OpenAPIReferences
  private var remaining = Self.budget

  /// Prepares a walk through the schemas of one document.
  init(references: OpenAPIReferences) {
    self.references = references
  }

  /// The shape that a schema declares, where something has been seen.
  mutating func shape(of schema: Value, seen: Shape) -> Shape {
    shape(of: schema, seen: seen, trail: [])
  }

  /// - Parameter trail: the references that led to this schema for the same value.
  private mutating func shape(of schema: Value, seen: Shape, trail: Set<String>) -> Shape {
    guard case .known(let known) = seen, remaining > 0 else { return .unknown }
    remaining -= 1
    var all = Shape.unknown
    // Keywords beside "$ref" count as well (OpenAPI 3.1); "nullable" is often put there in 3.0.
    if case .string(let reference)? = schema["$ref"], !trail.contains(reference),
      let target = references.target(of: reference)
    {
      all = shape(of: target, seen: seen, trail: trail.union([reference]))
    }
    if case .list(let parts)? = schema["allOf"] {
      for part in parts { all = Self.both(all, shape(of: part, seen: seen, trail: trail)) }
    }
    for key in ["oneOf", "anyOf"] {
      guard case .list(let parts)? = schema[key] else { continue }
      let shapes = parts.map { shape(of: $0, seen: seen, trail: trail) }
      guard !shapes.contains(.unknown) else { continue }
      all = Self.both(all, shapes.reduce(.unknown) { $0.merged(with: $1) })
    }
    all = Self.both(all, plainShape(of: schema, seen: known))
    return schema["nullable"] == .bool(true) ? all.orNull() : all
  }

  private mutating func plainShape(of schema: Value, seen: KnownShape) -> Shape {
    guard let types = Self.types(of: schema) else { return Self.listed(in: schema) }
    var shape = KnownShape()
    shape.isNullable = types.contains("null")
    shape.isBool = types.contains("boolean")
    if types.contains("integer") { shape.number = .integer }
    if types.contains("number") { shape.number = .number }
    if types.contains("string") {
      shape.text = TextShape(values: Self.words(of: schema), isDeclared: true)
    }
    if types.contains("array") {
      if let items = schema["items"], let elements = seen.elements {
        shape.elements = self.shape(of: items, seen: elements)
      } else {
        shape.elements = .unknown
      }
    }
    if types.contains("object") { shape.members = members(of: schema, seen: seen.members) }
    return .known(shape)
  }

  private static func types(of schema: Value) -> Set<String>? {
    switch schema["type"] {
    case .string(let type)?: [type]
    case .list(let list)?:
      Set(list.compactMap { if case .string(let type) = $0 { type } else { nil } })
    default:
      if Self.mapKeys.contains(where: { schema[$0] != nil }) {
        ["object"]
      } else if schema["items"] != nil {
        ["array"]
      } else {
        nil
      }
    }
  }

  // MARK: - Enumerations

  /// The only values that are allowed.
  private static func values(of schema: Value) -> [Value]? {
    if let value = schema["const"] { return [value] }
    guard case .list(let values)? = schema["enum"] else { return nil }
    return values
  }

  private static func words(of schema: Value) -> Set<String>? {
    values(of: schema).map { values in
      Set(values.compactMap { if case .string(let word) = $0 { word } else { nil } })
    }
  }

  /// Returns the shape that a schema without a type allows: the types of its values.
  private static func listed(in schema: Value) -> Shape {
    guard let values = values(of: schema) else { return .unknown }
    let shape = values.reduce(Shape.unknown) { $0.merged(with: Shape(of: $1)) }
    guard case .known(var known) = shape else { return shape }
    // A map or list that is a constant says nothing of what others hold.
    if known.elements != nil || known.members != nil { return .unknown }
    if known.text != nil { known.text = TextShape(values: words(of: schema), isDeclared: true) }
    return .known(known)
  }

  // MARK: - Maps

  private mutating func members(of schema: Value, seen: MapShape?) -> MapShape {
    var required: Set<String> = []
    if case .list(let names)? = schema["required"] {
      required = Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
    var map = MapShape()
    if case .map(let properties)? = schema["properties"] {
      // What is for requests alone is in no reply.
      for (name, property) in properties
      where references.resolved(property)["writeOnly"] != .bool(true) {
        let inner = seen?.members[name].map { shape(of: property, seen: $0.shape) }
        map.members[name] = MapShape.Member(
          shape: inner ?? .unknown, isOptional: !required.contains(name))
      }
    } else {
      map.isOpen = true
    }
    // The members themselves may be described in another part of "allOf".
    for name in required where schema["properties"]?[name] == nil {
      map.members[name] = MapShape.Member(shape: .unknown, isOptional: false)
    }
    if schema["patternProperties"] != nil { map.rest = .unknown }
    switch schema["additionalProperties"] {
    case .bool(true)?: map.rest = .unknown
    case .bool(false)?: map.isOpen = false
    case .map(let rest)? where map.rest == nil:
      let others = (seen?.members ?? [:]).filter { map.members[$0.key] == nil }
      let all = others.values.reduce(Shape.unknown) { $0.merged(with: $1.shape) }
      map.rest = shape(of: .map(rest), seen: all)
    default: break
    }
    return map
  }

  // MARK: - Both

  /// A shape that both allow: members of either, since neither forbids the other's.
  private static func both(_ left: Shape, _ right: Shape) -> Shape {
    guard case .known(let left) = left else { return right }
    guard case .known(let right) = right else { return .known(left) }
    var shape = KnownShape()
    shape.isNullable = left.isNullable && right.isNullable
    shape.isBool = left.isBool && right.isBool
    if let mine = left.number, let theirs = right.number {
      shape.number = mine == theirs ? mine : .integer
    }
    if let mine = left.text, let theirs = right.text {
      let values = mine.values.map { values in theirs.values.map(values.intersection) ?? values }
      shape.text = TextShape(values: values ?? theirs.values, isDeclared: true)
    }
    if let mine = left.elements, let theirs = right.elements {
      shape.elements = both(mine, theirs)
    }
    if let mine = left.members, let theirs = right.members { shape.members = both(mine, theirs) }
    // What contradicts itself allows nothing: the first word counts.
    return .known(shape.typeNames.isEmpty && !shape.isNullable ? left : shape)
  }

  private static func both(_ left: MapShape, _ right: MapShape) -> MapShape {
    var map = MapShape(
      members: left.members.merging(right.members) { first, second in
        MapShape.Member(
          shape: both(first.shape, second.shape),
          isOptional: first.isOptional && second.isOptional)
      })
    map.isOpen = left.isOpen && right.isOpen
    map.rest = left.rest.map { rest in right.rest.map { both(rest, $0) } ?? rest } ?? right.rest
    return map
  }
}
