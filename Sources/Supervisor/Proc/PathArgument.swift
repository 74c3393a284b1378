/// A path as a call names it: text in the caller's memory, and the folder from which it counts.
struct PathArgument: Equatable {
  /// The address of the text in the target's memory.
  var address: UInt64
  /// A descriptor, or AT_FDCWD for the working directory.
  var directory: Int32
  /// The most bytes that it may have, where it needs no zero at its end.
  var length: Int?
}
