internal import Glibc

/// A sink that writes to an open file descriptor, such as standard output.
package final class DescriptorSink: ReportSink {
  private let descriptor: Int32
  private let name: String
  private let content: PrintedText

  /// Creates a sink; the descriptor stays the caller's and is not closed.
  ///
  /// - Parameters:
  ///   - descriptor: The open descriptor.
  ///   - name: What messages call it.
  ///   - content: What is written, so that none of it commands a CI system that reads the log.
  package init(descriptor: Int32, name: String, content: PrintedText = .text) {
    self.descriptor = descriptor
    self.name = name
    self.content = content
  }

  /// Writes the whole text.
  ///
  /// - Throws: If the descriptor takes no more.
  package func write(_ text: String) throws(ReportError) {
    do {
      try writeAll(content.inert(text), to: descriptor)
    } catch {
      throw ReportError(
        "\(name) could not be written: \(error.text)", errorNumber: error.code)
    }
  }

  /// Does nothing: every text was written already.
  package func finish() throws(ReportError) {}
}

/// Writes the whole text, however many calls that takes.
func writeAll(_ text: String, to descriptor: Int32) throws(SystemError) {
  var text = text
  let failure = text.withUTF8 { bytes -> SystemError? in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      } else if written == 0 {
        return SystemError(code: EIO)
      } else if errno == EAGAIN {
        // A terminal that another program has set to non-blocking: wait until it takes more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, -1) >= 0 || errno == EINTR else { return .last }
      } else if errno != EINTR {
        return .last
      }
    }
    return nil
  }
  if let failure { throw failure }
}
