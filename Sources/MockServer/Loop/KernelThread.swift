import Glibc

/// The calling thread as the kernel knows it.
package enum KernelThread {
  /// Its identifier, as gettid(2) answers it.
  package static func currentIdentifier() throws(MockServerError) -> Int32 {
    // Glibc's module does not offer gettid(2). The link reads PID/task/TID, see proc(5).
    var buffer = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/thread-self", &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "/")
    guard let last = parts.last, let identifier = Int32(last) else {
      throw MockServerError(
        .listening, message: "cannot read \"/proc/thread-self\"",
        help: "mount /proc: it shows whether a thread sleeps")
    }
    return identifier
  }
}
