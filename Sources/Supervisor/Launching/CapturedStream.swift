internal import Glibc

/// What the target writes to one stream: kept in memory up to a bound, all of it counted.
///
/// Up to `limit` bytes are kept; of longer output the beginning is kept and the rest is counted.
final class CapturedStream {
  /// How many bytes are kept.
  static let limit = 64 << 20

  /// How many times a pipe is read in one turn of the loop.
  private static let readsPerTurn = 64

  private(set) var descriptor: Int32
  /// What is kept.
  private(set) var bytes: [UInt8] = []
  /// How many bytes came beyond what is kept.
  private(set) var omitted = 0

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    buffer.deallocate()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Puts what another stream holds before what comes.
  func goOn(after former: CapturedStream) {
    bytes = former.bytes + bytes
    omitted += former.omitted
  }

  /// Reads what is there; true if anything was.
  func drain() -> Bool {
    var progressed = false
    // A bound, so that a target that never stops writing does not keep the loop here.
    for _ in 0..<Self.readsPerTurn where descriptor >= 0 {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 {
        // Every writer has closed the pipe.
        close(descriptor)
        descriptor = -1
      }
      guard count > 0 else { return progressed }
      progressed = true
      let kept = min(count, max(0, Self.limit - bytes.count))
      bytes += buffer[..<kept]
      omitted += count - kept
    }
    return progressed
  }
}
