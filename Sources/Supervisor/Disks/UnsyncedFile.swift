/// The content of a file after a crash of the machine, as far as it differs from the present one.
///
/// Kept in layers, the oldest first: each holds the file's length when it began, and the bytes that
/// were overwritten or cut off since. A call that makes the file durable begins a layer at its
/// entry, and drops those below at its exit: what others write meanwhile is not durable with it.
struct UnsyncedFile: Equatable {
  /// Bytes as they were.
  struct Piece: Equatable {
    /// The former content.
    enum Content: Equatable {
      case bytes([UInt8])
      /// A run of so many zeros, which take no memory.
      case zeros(Int64)
    }

    /// The offset of the bytes in the file.
    var offset: Int64
    var content: Content

    init(offset: Int64, bytes: [UInt8]) {
      self.offset = offset
      content = .bytes(bytes)
    }

    /// Creates a piece of bytes that were never written.
    init(zeros range: Range<Int64>) {
      offset = range.lowerBound
      content = .zeros(range.upperBound - range.lowerBound)
    }

    /// The place behind them.
    var end: Int64 {
      switch content {
      case .bytes(let bytes): offset + Int64(bytes.count)
      case .zeros(let count): offset + count
      }
    }

    /// The range of the bytes in the file.
    var range: Range<Int64> { offset..<end }

    /// Returns the part of them in a range; `nil` if there is none.
    func part(in other: Range<Int64>) -> Piece? {
      let common = range.clamped(to: other)
      guard !common.isEmpty else { return nil }
      guard common != range else { return self }
      switch content {
      case .bytes(let bytes):
        let start = Int(common.lowerBound - offset)
        let count = Int(common.upperBound - common.lowerBound)
        return Piece(offset: common.lowerBound, bytes: Array(bytes[start..<start + count]))
      case .zeros: return Piece(zeros: common)
      }
    }
  }

  /// The changes since a moment.
  struct Layer: Equatable {
    /// Its number; later ones are higher.
    var number: Int
    /// The file's length at that moment.
    var size: Int64
    /// The bytes that were changed since, in order, none twice.
    var pieces: [Piece] = []
    /// Bytes that the kernel took for durable at that moment, and that never arrived.
    var forsaken = ByteRanges()
    /// What became of the file's shape since, where that does not outlast a crash by itself.
    var reshaping = Reshaping()

    /// The place of the first piece that ends behind a byte; their number if none does.
    func firstPiece(endingBehind place: Int64) -> Int {
      var lower = 0
      var upper = pieces.count
      while lower < upper {
        let middle = (lower + upper) / 2
        if pieces[middle].end > place { upper = middle } else { lower = middle + 1 }
      }
      return lower
    }

    /// Forgets what was in a range.
    mutating func cut(_ range: Range<Int64>) {
      pieces = pieces.flatMap { piece -> [Piece] in
        guard piece.range.overlaps(range) else { return [piece] }
        return [
          piece.part(in: 0..<max(0, range.lowerBound)),
          piece.part(in: range.upperBound..<Int64.max),
        ].compactMap(\.self)
      }
    }

    /// Inserts a piece where there is none.
    mutating func insert(_ piece: Piece) {
      pieces.insert(piece, at: firstPiece(endingBehind: piece.offset))
    }

    /// Gives the file another length; added bytes are zeros.
    mutating func resize(to length: Int64) {
      if length < size { cut(length..<Int64.max) }
      if length > size { insert(Piece(zeros: size..<length)) }
      size = length
    }
  }

  /// The unit in which the kernel writes a file back, in bytes: a change of a byte writes its whole
  /// page.
  private static let pageSize: Int64 = 4096

  /// The layers, the oldest first; there is always one.
  private(set) var layers: [Layer]
  private var nextNumber = 1
  /// True if lengths that were set outlast a crash, as those of names that are kept: then bytes that were cut
  /// off are gone although nothing was synced.
  private let keepsLengths: Bool
  /// Bytes that a sync that failed has left: the kernel takes their pages for clean, and no later sync writes
  /// them, unless they are changed again.
  private(set) var forsaken = ByteRanges()

  /// A file of which nothing has changed yet.
  ///
  /// - Parameters:
  ///   - size: its length.
  ///   - keepsLengths: whether lengths that were set outlast a crash.
  init(size: Int64, keepsLengths: Bool = false) {
    layers = [Layer(number: 0, size: size)]
    self.keepsLengths = keepsLengths
  }

  // MARK: - Changes

  /// Returns the runs of a range whose bytes must be saved before they are changed.
  func unsaved(in range: Range<Int64>) -> [Range<Int64>] {
    guard let top = layers.last else { return [] }
    let range = range.clamped(to: 0..<max(0, top.size))
    var runs: [Range<Int64>] = []
    var place = range.lowerBound
    for piece in top.pieces[top.firstPiece(endingBehind: place)...] {
      guard piece.offset < range.upperBound else { break }
      if piece.offset > place { runs.append(place..<piece.offset) }
      place = max(place, piece.end)
    }
    if place < range.upperBound { runs.append(place..<range.upperBound) }
    return runs
  }

  /// Saves bytes that are about to be changed.
  mutating func save(_ bytes: [UInt8], at offset: Int64) {
    guard !bytes.isEmpty, !layers.isEmpty else { return }
    let last = layers.count - 1
    let index = layers[last].firstPiece(endingBehind: offset)
    // What is written in order is kept in one piece.
    if index > 0, layers[last].pieces[index - 1].end == offset,
      case .bytes(var known) = layers[last].pieces[index - 1].content
    {
      layers[last].pieces[index - 1].content = .zeros(0)
      known += bytes
      layers[last].pieces[index - 1].content = .bytes(known)
    } else {
      layers[last].pieces.insert(Piece(offset: offset, bytes: bytes), at: index)
    }
  }

  /// Saves a hole that is about to be filled.
  mutating func saveHole(_ range: Range<Int64>) {
    guard !range.isEmpty, !layers.isEmpty else { return }
    layers[layers.count - 1].insert(Piece(zeros: range))
  }

  /// Bytes have been written.
  mutating func recordWrite(_ range: Range<Int64>) {
    guard !forsaken.isEmpty else { return }
    forsaken.remove(Self.pages(range))
  }

  private static func pages(_ range: Range<Int64>) -> Range<Int64> {
    guard !range.isEmpty else { return range }
    let start = range.lowerBound / pageSize * pageSize
    let (end, overflow) = range.upperBound.addingReportingOverflow(pageSize - 1)
    return start..<(overflow ? Int64.max : end / pageSize * pageSize)
  }

  // MARK: - Lengths

  /// The file was given a length (truncate(2), O_TRUNC of open(2)).
  mutating func setLength(_ length: Int64) {
    guard keepsLengths else { return reshape { $0.setLength(length) } }
    for index in layers.indices { layers[index].resize(to: length) }
    forsaken.remove(length..<Int64.max)
  }

  /// The file was given a length that is not below its own (fallocate(2)).
  mutating func extend(to length: Int64) {
    guard keepsLengths else { return reshape { $0.extend(to: length) } }
    for index in layers.indices where layers[index].size < length {
      layers[index].resize(to: length)
    }
  }

  /// Bytes were made a hole (FALLOC_FL_PUNCH_HOLE and FALLOC_FL_ZERO_RANGE of fallocate(2)).
  mutating func clear(_ range: Range<Int64>) {
    guard keepsLengths else { return reshape { $0.clear(range) } }
    for index in layers.indices {
      let inner = range.clamped(to: 0..<max(0, layers[index].size))
      guard !inner.isEmpty else { continue }
      layers[index].cut(inner)
      layers[index].insert(Piece(zeros: inner))
    }
    forsaken.remove(range)
  }

  /// Bytes were taken out of the file (FALLOC_FL_COLLAPSE_RANGE).
  mutating func collapse(_ range: Range<Int64>) {
    forsaken.remove(range.lowerBound..<Int64.max)
    guard keepsLengths else { return reshape { $0.move(behind: range.lowerBound) } }
    let length = range.upperBound - range.lowerBound
    for index in layers.indices {
      layers[index].cut(range)
      layers[index].move(behind: range.upperBound, by: -length)
      let size = layers[index].size
      layers[index].size = size - max(0, min(size, range.upperBound) - range.lowerBound)
    }
  }

  /// A hole was put into the file (FALLOC_FL_INSERT_RANGE).
  mutating func insert(_ range: Range<Int64>) {
    forsaken.remove(range.lowerBound..<Int64.max)
    guard keepsLengths else { return reshape { $0.move(behind: range.lowerBound) } }
    let length = range.upperBound - range.lowerBound
    for index in layers.indices where layers[index].size > range.lowerBound {
      // A piece that reaches across the place becomes two.
      let behind = layers[index].pieces.compactMap {
        $0.part(in: range.lowerBound..<Int64.max)
      }
      layers[index].cut(range.lowerBound..<Int64.max)
      layers[index].pieces += behind
      layers[index].move(behind: range.lowerBound, by: length)
      layers[index].insert(Piece(zeros: range))
      layers[index].size += length
    }
  }

  private mutating func reshape(_ body: (inout Reshaping) -> Void) {
    guard !layers.isEmpty else { return }
    body(&layers[layers.count - 1].reshaping)
  }

  // MARK: - Durability

  /// A call begins that makes the file durable as it is now.
  ///
  /// - Returns: what `endSync` wants to know.
  mutating func beginSync(size: Int64) -> Int {
    let number = nextNumber
    nextNumber += 1
    layers.append(Layer(number: number, size: size, forsaken: forsaken))
    return number
  }

  /// Ends a sync that succeeded.
  mutating func endSync(_ number: Int) {
    guard let index = layers.firstIndex(where: { $0.number == number }) else { return }
    let arrived = layers[index]
    let below = layers[..<index]
    layers.removeFirst(index)
    guard !arrived.forsaken.isEmpty else { return }
    let left = below.indices.compactMap { place in
      below[place].left(by: arrived, after: below[place...].map(\.reshaping))
    }
    layers.insert(contentsOf: left, at: 0)
  }

  /// Ends a sync that failed: what was not durable stays so.
  ///
  /// fsync(2): an error is reported once, and on Linux the pages are clean afterwards.
  mutating func failSync(size: Int64) {
    for layer in layers {
      for piece in layer.pieces { forsaken.insert(Self.pages(piece.range)) }
      if layer.size < size { forsaken.insert(Self.pages(layer.size..<size)) }
    }
  }

  /// Makes bytes durable, whatever happens to the others (O_DSYNC of open(2), msync(2)).
  ///
  /// With them the disk gets the file's metadata: bytes that were cut off do not come back.
  ///
  /// - Parameter size: the file's length in bytes.
  mutating func makeDurable(_ range: Range<Int64>, size: Int64) {
    arriveReshaped(size: size)
    for part in forsaken.missing(in: range) {
      for index in layers.indices {
        layers[index].cut(part)
        let size = layers[index].size
        guard size < part.upperBound else { continue }
        // Between the old end and the bytes there is a hole.
        if size < part.lowerBound { layers[index].insert(Piece(zeros: size..<part.lowerBound)) }
        layers[index].size = part.upperBound
      }
    }
  }

  /// The disk has got the file's metadata as it is now.
  private mutating func arriveReshaped(size: Int64) {
    guard layers.contains(where: { $0.size > size || !$0.reshaping.isEmpty }) else { return }
    let reshapings = layers.map(\.reshaping)
    for index in layers.indices {
      layers[index] = layers[index].reshaped(by: reshapings[index...], limit: size)
    }
  }

  // MARK: - The crash

  /// The length that the file has after a crash.
  var durableSize: Int64 { layers.first?.size ?? 0 }

  /// The pieces that are written to the file at a crash, in this order, before it gets its length.
  var restoration: [Piece] { layers.reversed().flatMap(\.pieces) }

  /// The number of bytes that are kept.
  var keptBytes: Int {
    layers.reduce(0) { sum, layer in
      layer.pieces.reduce(sum) { sum, piece in
        if case .bytes(let bytes) = piece.content { sum + bytes.count } else { sum }
      }
    }
  }

  /// Returns whether the file is after a crash what it is now.
  func isDurable(size: Int64) -> Bool {
    durableSize == size && layers.allSatisfy { $0.size == size && $0.pieces.isEmpty }
  }
}

extension UnsyncedFile.Layer {
  /// Moves all pieces behind a place.
  fileprivate mutating func move(behind place: Int64, by distance: Int64) {
    for index in pieces.indices where pieces[index].offset >= place {
      pieces[index].offset += distance
    }
  }

  /// Returns the part of this layer that remains after a sync which has passed over some bytes;
  /// `nil` if none.
  ///
  /// The file grows up to the last byte that has arrived: what was passed over before it is a hole.
  ///
  /// - Parameter reshapings: what became of the file's shape between the two, the oldest first.
  fileprivate func left(
    by arrived: UnsyncedFile.Layer, after reshapings: [UnsyncedFile.Reshaping]
  ) -> UnsyncedFile.Layer? {
    let shape = reshaped(by: reshapings, limit: arrived.size)
    // No sync that is still under way drops it.
    var rest = UnsyncedFile.Layer(number: -1, size: shape.size)
    for piece in shape.pieces {
      for range in arrived.forsaken.within(piece.range) {
        if let part = piece.part(in: range) { rest.pieces.append(part) }
      }
    }
    let grown = shape.size..<arrived.size
    if let end = arrived.forsaken.missing(in: grown).last?.upperBound {
      for range in arrived.forsaken.within(grown.lowerBound..<end) {
        rest.pieces.append(UnsyncedFile.Piece(zeros: range))
      }
      rest.size = end
    }
    return rest.pieces.isEmpty && rest.size == arrived.size ? nil : rest
  }
}
