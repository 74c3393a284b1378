/// The kernel's number of a thread; the number of a process is that of its first thread.
package struct ThreadIdentifier: Hashable, Sendable, Comparable {
  /// The number.
  package let number: Int32

  /// Creates an identifier.
  package init(_ number: Int32) {
    self.number = number
  }

  /// Orders by number.
  package static func < (left: ThreadIdentifier, right: ThreadIdentifier) -> Bool {
    left.number < right.number
  }
}

/// A ptrace(2) request that failed.
struct TraceError: Error {
  /// The request, as ptrace(2) calls it.
  var operation: String
  /// ESRCH means that the thread has been killed meanwhile.
  var errorNumber: Int32
}
