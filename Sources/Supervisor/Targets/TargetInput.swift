internal import CSupervisor
internal import Glibc

/// The standard input of a target, and what is still to be written to it.
final class TargetInput {
  /// The inode of the pipe that it is; `nil` if it is none.
  let pipe: UInt64?
  /// The descriptor that it is written to; negative once it is closed.
  private(set) var descriptor: Int32
  private var pending: ArraySlice<UInt8>
  private var closes: Bool

  /// - Parameters:
  ///   - descriptor: where it is written; negative if there is none.
  ///   - pending: what is to be written first.
  ///   - closes: whether it is closed behind that.
  init(_ descriptor: Int32, pending: [UInt8], closes: Bool) {
    var status = stat()
    pipe = descriptor >= 0 && fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    self.descriptor = descriptor
    self.pending = pending[...]
    self.closes = closes
    write()
  }

  deinit {
    close()
  }

  /// True if more bytes may come than are there.
  var isOpen: Bool { descriptor >= 0 }

  /// True if bytes can be added.
  var takesBytes: Bool { isOpen && !closes }

  /// The number of bytes that have not been written.
  var pendingCount: Int { pending.count }

  /// The descriptor and event to poll for, to write more.
  var pollDescriptor: pollfd? {
    isOpen && !pending.isEmpty
      ? pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0) : nil
  }

  /// Adds bytes.
  func add(_ bytes: [UInt8]) {
    pending += bytes
    write()
  }

  /// Closes it once what was added has been written.
  func finish() {
    closes = true
    write()
  }

  /// Writes what can be written without waiting; true if anything was.
  @discardableResult
  func write() -> Bool {
    guard isOpen else { return false }
    var wrote = false
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        guard errno == EAGAIN || errno == EINTR else {
          // EPIPE: the reader is gone.
          close()
          return true
        }
        return wrote
      }
      pending.removeFirst(count)
      wrote = true
    }
    if closes { close() }
    return wrote
  }

  private func close() {
    guard isOpen else { return }
    Glibc.close(descriptor)
    descriptor = -1
    pending = []
  }
}
