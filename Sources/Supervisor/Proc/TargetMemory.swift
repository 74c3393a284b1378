internal import CSupervisor
internal import Glibc

/// The memory of one address space, read and written through /proc/PID/mem.
///
/// proc(5): a tracer may write there even where the mapping is read-only; private pages are copied
/// first. The descriptor stays with the address space that the process had when it was opened.
final class TargetMemory {
  private let process: ThreadIdentifier
  private let descriptor: Int32

  /// Opens the memory of a process; `nil` if the process is gone.
  init?(of process: ThreadIdentifier) {
    self.process = process
    let path = "/proc/\(process.number)/mem"
    descriptor = ProcessOwner.retrying(path) { open(path, O_RDWR | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Reads exactly as many bytes as the buffer holds; false if any of them is not mapped.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at address: UInt64) -> Bool {
    pread(descriptor, buffer.baseAddress, buffer.count, off_t(truncatingIfNeeded: address))
      == buffer.count
  }

  /// Reads a value of a trivial type.
  func read<Trivial: BitwiseCopyable>(_ type: Trivial.Type, at address: UInt64) -> Trivial? {
    withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<Trivial>.size, alignment: MemoryLayout<Trivial>.alignment
    ) { buffer in
      read(buffer, at: address) ? buffer.baseAddress?.loadUnaligned(as: type) : nil
    }
  }

  /// Reads up to `count` bytes; fewer at the end of a mapping.
  func readBytes(_ count: Int, at address: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let result = pread(descriptor, buffer.baseAddress, count, off_t(truncatingIfNeeded: address))
      initialized = max(0, result)
    }
  }

  /// Reads a string that ends with a zero byte; `nil` if it does not end within `limit` bytes.
  func readText(at address: UInt64, limit: Int = 4096) -> String? {
    var bytes: [UInt8] = []
    var position = address
    while bytes.count < limit {
      // Not beyond the page: the next one may not be mapped.
      let chunk = readBytes(Int(256 - position % 256), at: position)
      guard !chunk.isEmpty else { return nil }
      if let end = chunk.firstIndex(of: 0) {
        bytes += chunk[..<end]
        return String(decoding: bytes, as: UTF8.self)
      }
      bytes += chunk
      position += UInt64(chunk.count)
    }
    return nil
  }

  /// The number of descriptors that the process's table has room for (proc(5): FDSize).
  var descriptorTableSize: Int {
    let status = SmallFile.read("/proc/\(process.number)/status") ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("FDSize:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Writes what the kernel would write for the process; false if the process may not write there.
  @discardableResult
  func writeAsKernel(_ buffer: UnsafeRawBufferPointer, at address: UInt64) -> Bool {
    let count = UInt64(buffer.count)
    let write = {
      scenario_write_as_process(self.process.number, buffer.baseAddress, count, address) == 1
    }
    if write() { return true }
    guard errno == EPERM, let owner = ProcessOwner(ofProcess: process.number) else { return false }
    return owner.borrowed(write) ?? false
  }

  /// Writes a value as the kernel would.
  @discardableResult
  func writeAsKernel<Trivial: BitwiseCopyable>(_ value: Trivial, at address: UInt64) -> Bool {
    withUnsafeBytes(of: value) { writeAsKernel($0, at: address) }
  }

  /// Writes all bytes, whatever the mapping allows; false if any of them cannot be written.
  @discardableResult
  func write(_ buffer: UnsafeRawBufferPointer, at address: UInt64) -> Bool {
    pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(truncatingIfNeeded: address))
      == buffer.count
  }

  /// Writes a value of a trivial type.
  @discardableResult
  func write<Trivial: BitwiseCopyable>(_ value: Trivial, at address: UInt64) -> Bool {
    withUnsafeBytes(of: value) { write($0, at: address) }
  }
}
