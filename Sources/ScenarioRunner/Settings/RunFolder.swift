internal import ScenarioEvents
internal import Supervisor
internal import Synchronization

/// The folder of one run, and what its cases share in it.
final class RunFolder: Sendable {
  let path: String
  /// Folders of cases that others can have.
  let pool: DirectoryPool
  private let sharedAuthority = Mutex<RunAuthority?>(nil)
  private let sharedNameFiles = Mutex<NameFiles?>(nil)
  private let sharedMachine = Mutex<MachineAddresses?>(nil)
  private let keptFolders = Mutex<Set<String>>([])

  init(path: String) {
    self.path = path
    pool = DirectoryPool(in: path)
  }

  /// Keeps the folder of a case after the run.
  func keep(_ name: String) {
    keptFolders.withLock { _ = $0.insert(name) }
  }

  /// Removes everything but what is to stay; what could not be removed, and why.
  func remove() -> [String] {
    let kept = keptFolders.withLock { $0 }
    guard !kept.isEmpty else { return FileTree.remove(path) }
    return FileTree.entries(of: path).filter { !kept.contains($0.name) }.flatMap {
      FileTree.remove("\(path)/\($0.name)")
    }
  }

  /// The run's certificate authority, made when a case first needs it; others that need it wait meanwhile.
  func authority() throws(Failure) -> RunAuthority {
    try sharedAuthority.withLock { shared throws(Failure) in
      if let shared { return shared }
      let authority = try RunAuthority(folder: path)
      shared = authority
      return authority
    }
  }

  /// The machine's own addresses, read once: reading them takes more calls than all folders of a case.
  func machine() -> MachineAddresses {
    sharedMachine.withLock { shared in
      let machine = shared ?? MachineAddresses()
      shared = machine
      return machine
    }
  }

  /// The files by which targets resolve names, made when a case first needs them.
  func nameFiles() throws(Failure) -> NameFiles {
    try sharedNameFiles.withLock { shared throws(Failure) in
      if let shared { return shared }
      let files = try NameFiles(folder: path)
      shared = files
      return files
    }
  }
}
