internal import Foundations

/// A value of a document, with the pointer that leads to it.
struct OpenAPIPlace {
  /// The file's path.
  var file: String
  /// The JSON pointer (RFC 6901); empty for the whole file.
  var pointer: String
  /// The value.
  var node: YAMLNode

  /// The place in the file.
  var range: SourceRange { node.range }

  /// The pointer with the file, as a name that no other value has.
  var name: String { "\(file)#\(pointer)" }

  /// The members of a map; empty if the value is none.
  var members: [(key: Located<String>, value: OpenAPIPlace)] {
    guard case .mapping(let members) = node.content else { return [] }
    return members.map { ($0.key, below($0.key.value, $0.value)) }
  }

  /// The elements of a list; empty if the value is none.
  var elements: [OpenAPIPlace] {
    guard case .sequence(let nodes) = node.content else { return [] }
    return nodes.enumerated().map { below("\($0.offset)", $0.element) }
  }

  /// The last step of the pointer: the key of the value, or its place in a list.
  var key: String {
    JSONPointer.unescaped(
      pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
  }

  /// True if the value is a map.
  var isMap: Bool {
    if case .mapping = node.content { true } else { false }
  }

  /// True if the value is a list.
  var isList: Bool {
    if case .sequence = node.content { true } else { false }
  }

  /// The value of a key.
  subscript(key: String) -> OpenAPIPlace? {
    guard case .mapping(let members) = node.content,
      let member = members.first(where: { $0.key.value == key })
    else { return nil }
    return below(key, member.value)
  }

  /// The element of a list, or the value of a key, that a step of a pointer names.
  func step(_ name: String) -> OpenAPIPlace? {
    guard case .sequence(let nodes) = node.content else { return self[name] }
    guard let index = Int(name), nodes.indices.contains(index) else { return nil }
    return below(name, nodes[index])
  }

  /// The text of a scalar; `nil` for null, lists and maps.
  var text: String? {
    guard case .scalar(let scalar) = node.content, !node.isNull else { return nil }
    return scalar.text
  }

  /// True if the value is `true`.
  var isTrue: Bool { node.plainValue == .bool(true) }

  /// The data.
  var value: Value { node.plainValue }

  func below(_ key: String, _ node: YAMLNode) -> OpenAPIPlace {
    OpenAPIPlace(file: file, pointer: pointer + "/" + JSONPointer.escaped(key), node: node)
  }
}
