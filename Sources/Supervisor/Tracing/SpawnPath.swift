/// Where a thread stands in the tree, told in a way that is the same in each run.
///
/// Numbers of processes and threads are the kernel's choice, and who comes first is real time's. What a thread
/// has made, and in which order, is in its program.
struct SpawnPath {
  /// Which child it is, counted from 0, of which of its makers, from the first thread on.
  private(set) var path: [UInt32] = []
  private var children: UInt32 = 0
  private var connections: UInt32 = 0

  /// Of a thread whose maker ended before it could be asked: behind all others.
  static let unknown = SpawnPath(path: [.max])

  private init(path: [UInt32]) {
    self.path = path
  }

  /// Of the first thread.
  init() {}

  /// The lineage of the next thread that this one makes.
  mutating func nextChild() -> SpawnPath {
    defer { children &+= 1 }
    return SpawnPath(path: path.count < Self.maximumDepth ? path + [children] : path)
  }

  /// The number of the next connection that this thread makes, counted from 0.
  mutating func nextConnection() -> UInt32 {
    defer { connections &+= 1 }
    return connections
  }

  /// A program that starts itself anew for ever needs no longer one each time.
  private static let maximumDepth = 256
}
