/// The steps of JSON pointers (RFC 6901).
package enum JSONPointer {
  /// A key as a step of a pointer.
  package static func escaped(_ key: String) -> String {
    key.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// The key that a step of a pointer stands for.
  package static func unescaped(_ step: some StringProtocol) -> String {
    String(step).replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
