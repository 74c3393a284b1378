/// The names of a document, each kept once, and the namespaces that are in force (Namespaces in XML 1.0).
struct XMLNameScope {
  /// What comes of a name.
  enum Outcome {
    /// The place among the names.
    case place(Int32)
    /// A colon stands at an end, or there are several.
    case malformed
    /// The prefix is declared nowhere around it.
    case undeclared(String)
  }

  private struct Expanded: Hashable {
    var local: String
    var namespace: String
  }

  /// The largest number of declarations around one element.
  static let limit = 256

  private(set) var names: [XMLDocument.Name] = []
  private var places: [XMLDocument.Name: Int32] = [:]
  /// For each name, the first one with the same meaning.
  private var firstAlike: [Int32] = []
  private var alike: [Expanded: Int32] = [:]
  private var bindings: [(prefix: String, namespace: String)] = [
    ("xml", "http://www.w3.org/XML/1998/namespace")
  ]
  /// The names that were read under the bindings in force.
  private var elements: [String: Int32] = [:]
  private var attributes: [String: Int32] = [:]

  /// The number of namespaces in force.
  var count: Int { bindings.count }

  /// Declares a prefix, an empty one for elements without one; false if there are too many.
  mutating func bind(_ prefix: String, to namespace: String) -> Bool {
    guard bindings.count < Self.limit else { return false }
    bindings.append((prefix, namespace))
    forget()
    return true
  }

  /// Leaves an element, around which a number of namespaces was in force.
  mutating func leave(_ count: Int) {
    guard bindings.count > count else { return }
    bindings.removeSubrange(count...)
    forget()
  }

  private mutating func forget() {
    elements.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
  }

  /// The place of a name that was read already; `nil` if it was not.
  func place(of written: String, isElement: Bool) -> Int32? {
    isElement ? elements[written] : attributes[written]
  }

  mutating func add(_ written: String, isElement: Bool) -> Outcome {
    let parts = written.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, !parts.contains("") else { return .malformed }
    let prefix = parts.count == 2 ? parts[0] : ""
    // The default is one of elements alone (section 6.2).
    let binding =
      prefix.isEmpty && !isElement ? nil : bindings.last { $0.prefix == prefix }?.namespace
    if !prefix.isEmpty, binding?.isEmpty ?? true { return .undeclared(prefix) }
    let place = add(
      XMLDocument.Name(prefix: prefix, local: parts[parts.count - 1], namespace: binding ?? ""))
    if isElement { elements[written] = place } else { attributes[written] = place }
    return .place(place)
  }

  /// The place of a name that is in no namespace, the target of an instruction.
  mutating func plain(_ written: String) -> Int32 {
    add(XMLDocument.Name(prefix: "", local: written, namespace: ""))
  }

  /// The first name with the same meaning as another one.
  func expanded(_ place: Int32) -> Int32 { firstAlike[Int(place)] }

  private mutating func add(_ name: XMLDocument.Name) -> Int32 {
    if let place = places[name] { return place }
    let place = Int32(names.count)
    names.append(name)
    places[name] = place
    let expanded = Expanded(local: name.local, namespace: name.namespace)
    firstAlike.append(alike[expanded] ?? place)
    if alike[expanded] == nil { alike[expanded] = place }
    return place
  }
}
