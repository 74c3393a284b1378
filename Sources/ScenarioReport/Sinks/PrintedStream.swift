internal import Glibc

/// A standard stream of this process that people and CI systems read.
package enum PrintedStream: Int32, Sendable {
  /// Standard output.
  case output = 1
  /// Standard error.
  case error = 2

  /// Finds the stream that a path leads to: `/dev/stderr`, `/proc/self/fd/2`, the terminal's own name or that of a
  /// FIFO, a symbolic link to one of these.
  ///
  /// A file or a device without a terminal, which a stream was redirected to, is meant only by a link to the stream:
  /// under its own name it is a file like others.
  package init?(path: String) {
    var (place, link) = (stat(), stat())
    guard stat(path, &place) == 0, lstat(path, &link) == 0 else { return nil }
    let isLink = link.st_mode & S_IFMT == S_IFLNK
    let isPipe = [S_IFIFO, S_IFSOCK].contains(place.st_mode & S_IFMT)
    // /dev/tty leads to the terminal that the process has, and is a device of its own (tty(4)).
    let isOwnTerminal =
      place.st_mode & S_IFMT == S_IFCHR && place.st_rdev == Self.ownTerminal
    let last = path.split(separator: "/").last
    let prefersError = last == "stderr" || last == "2"
    let order: [PrintedStream] = prefersError ? [.error, .output] : [.output, .error]
    let stream = order.first { stream in
      let isTerminal = isatty(stream.rawValue) == 1
      if isOwnTerminal { return isTerminal }
      return stream.isOpen(at: place) && (isLink || isPipe || isTerminal)
    }
    guard let stream else { return nil }
    self = stream
  }

  /// A sink that writes there.
  ///
  /// - Parameter content: what is written, so that none of it commands a CI system that reads the log.
  package func sink(_ content: PrintedText) -> any ReportSink {
    DescriptorSink(descriptor: rawValue, name: name, content: content)
  }

  /// What messages call it.
  package var name: String {
    switch self {
    case .output: "standard output"
    case .error: "standard error"
    }
  }

  /// The device number of /dev/tty: 5, 0.
  private static let ownTerminal: dev_t = 5 << 8

  private func isOpen(at place: stat) -> Bool {
    var status = stat()
    return fstat(rawValue, &status) == 0 && status.st_dev == place.st_dev
      && status.st_ino == place.st_ino
  }
}
