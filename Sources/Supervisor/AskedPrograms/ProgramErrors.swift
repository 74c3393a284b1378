import Glibc
internal import Synchronization

/// What a program writes to standard error, of which the end is kept for reports.
///
/// The program waits where nobody reads; so whoever waits for its answer reads.
final class ProgramErrors: Sendable {
  fileprivate struct State {
    /// The reading end of the pipe; `nil` before the program starts and behind its end.
    var descriptor: Int32?
    var end: [UInt8] = []
    var isCut = false
  }

  /// The number of bytes that are kept.
  private static let limit = 16 << 10

  private let state = Mutex(State())

  /// Takes the reading end of a pipe, which must not block.
  func open(_ descriptor: Int32) {
    state.withLock { $0.descriptor = descriptor }
  }

  /// Reads what is there.
  func read() {
    state.withLock { $0.read(limit: Self.limit) }
  }

  /// Reads what is there, and closes the pipe.
  func close() {
    state.withLock { state in
      state.read(limit: Self.limit)
      if let descriptor = state.descriptor { Glibc.close(descriptor) }
      state.descriptor = nil
    }
  }

  /// The end of what was written until now, and whether something stands before it.
  func text() -> (end: [UInt8], isCut: Bool) {
    state.withLock { state in
      state.read(limit: Self.limit)
      return (state.end, state.isCut)
    }
  }

  /// The last line that is not empty; `nil` if there is none.
  var lastLine: String? {
    text().end.split(separator: UInt8(ascii: "\n")).last.map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

extension ProgramErrors.State {
  fileprivate mutating func read(limit: Int) {
    guard let descriptor else { return }
    while true {
      let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, 65_536))
      }
      guard !chunk.isEmpty else { return }
      end += chunk
      guard end.count > limit else { continue }
      end.removeFirst(end.count - limit)
      isCut = true
    }
  }
}
