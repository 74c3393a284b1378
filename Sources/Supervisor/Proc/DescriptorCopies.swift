internal import CSupervisor

/// Copies of this process's descriptors in children that have not closed them yet.
///
/// A descriptor that a case's mock server, or its supervisor, closes meanwhile stays open, and a
/// waiter for its end sleeps on, though the end is under way.
enum DescriptorCopies {
  /// The number of children that were announced so far; `nil` if one of them may have copies now.
  ///
  /// Two equal answers mean that there were no copies between.
  static var none: UInt64? {
    var number: UInt64 = 0
    return scenario_has_no_copies(&number) ? number : nil
  }
}
