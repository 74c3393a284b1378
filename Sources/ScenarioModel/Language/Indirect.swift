/// An optional value that lies outside of its owner, which holds eight bytes for it.
///
/// Files have thousands of scenarios, and most of them say little of what a scenario can say: what is
/// large and rare costs them nothing.
@propertyWrapper
package struct Indirect<Value: Sendable>: Sendable {
  private indirect enum Storage: Sendable {
    case absent
    case present(Value)
  }

  private var storage: Storage

  /// The value; `nil` if there is none.
  package var wrappedValue: Value? {
    get {
      guard case .present(let value) = storage else { return nil }
      return value
    }
    set { storage = newValue.map { .present($0) } ?? .absent }
  }

  /// Holds no value.
  package init() {
    storage = .absent
  }
}
