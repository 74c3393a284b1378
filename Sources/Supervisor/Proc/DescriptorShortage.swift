internal import Glibc

/// The lack of descriptors in this process: calls that need one then fail, which says nothing about
/// the target.
enum DescriptorShortage {
  /// Returns the error with which so many descriptors cannot be had at once (EMFILE, ENFILE); `nil`
  /// if they can.
  static func errorNumber(among count: Int) -> Int32? {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<count {
      let descriptor = open("/", PathFlags.pathOnly | O_CLOEXEC)
      guard descriptor >= 0 else { return errno }
      descriptors.append(descriptor)
    }
    return nil
  }

  /// The number of descriptors that this process may have (getrlimit(2)).
  static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: min(limit.rlim_cur, 1 << 20))
  }
}
