internal import CSupervisor
internal import Glibc

/// Pipes that are opened one after the other: where one cannot be had, those before it are closed.
struct PipeOpening {
  private var opened: [Int32] = []

  /// The ends of another pipe, both closed in programs that are started (pipe2(2): O_CLOEXEC).
  mutating func open() throws(LaunchError) -> (read: Int32, write: Int32) {
    var ends: (read: Int32, write: Int32) = (-1, -1)
    let error = scenario_open_pipe(&ends.read, &ends.write)
    guard error == 0 else {
      for descriptor in opened { close(descriptor) }
      throw .failed(operation: "pipe2", errorNumber: error)
    }
    opened += [ends.read, ends.write]
    return ends
  }

  /// A descriptor from which nothing can be read.
  ///
  /// Without it, where there is no device for that, the program would be started with a descriptor that is none.
  mutating func openNothing() throws(LaunchError) -> Int32 {
    let descriptor = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let number = errno
      for descriptor in opened { close(descriptor) }
      throw .failed(operation: "open /dev/null", errorNumber: number)
    }
    opened.append(descriptor)
    return descriptor
  }
}
