internal import Glibc

extension UnsafeRawBufferPointer {
  /// Searches for bytes from a place on, and returns the first place at which they are.
  ///
  /// An empty part is found nowhere.
  package func firstOffset(of part: UnsafeRawBufferPointer, from begin: Int = 0) -> Int? {
    guard let base = baseAddress, let sought = part.baseAddress, let first = part.first,
      count >= part.count
    else { return nil }
    // One behind the last place at which the part may begin.
    let end = count - part.count + 1
    var offset = begin
    while offset < end, let found = memchr(base + offset, Int32(first), end - offset) {
      let place = base.distance(to: UnsafeRawPointer(found))
      if memcmp(found, sought, part.count) == 0 { return place }
      offset = place + 1
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns whether other bytes are somewhere in these; an empty part is nowhere.
  package func contains(part: [UInt8]) -> Bool {
    withUnsafeBytes { all in part.withUnsafeBytes { all.firstOffset(of: $0) != nil } }
  }
}
