internal import CSupervisor

/// File systems that several machines have at once.
package enum SharedFileSystem {
  /// Returns whether an open file or folder is in one: locks of flock(2) may be each machine's own there.
  package static func holds(_ descriptor: Int32) -> Bool {
    scenario_is_shared(descriptor) != 0
  }
}
