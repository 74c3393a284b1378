internal import Foundations
internal import Glibc
package import ScenarioPlan

/// The functions of a program and its libraries, read from their files before it runs.
package struct ProgramFunctions: Sendable {
  /// The largest number of libraries that are looked up.
  private static let libraryLimit = 512

  /// The folders in which the dynamic linker looks for libraries without a path (ld.so(8)).
  private static let folders = [
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib",
    "/usr/lib", "/usr/local/lib",
  ]

  private let path: String

  /// - Parameter program: the path of its file.
  package init(program: String) {
    path = program
  }

  /// Functions that cannot be met, each with the nearest name that its file has, if one is near.
  ///
  /// Nothing is said of what may come later: of libraries that no file names, and of the programs
  /// that this one may start.
  package func missing(_ functions: PlannedFunctions) -> [(
    name: String, file: String, near: String?
  )] {
    let files: [String]
    switch functions.place {
    case .anywhere:
      guard !functions.isAllocator else { return [] }
      files = allFiles
    case .program:
      guard isAlone else { return [] }
      files = [path]
    case .library(let name): files = libraries(named: name)
    }
    guard let file = files.first else { return [] }
    return functions.names.compactMap { name in
      // The kernel brings this one along (vdso(7)).
      let isThere = name.hasPrefix("__vdso_") || files.contains { Self.has(name, in: $0) }
      guard !isThere else { return nil }
      return (name, file, files.lazy.compactMap { Self.nearest(to: name, in: $0) }.first)
    }
  }

  /// True if the program starts no other one, according to its file.
  private var isAlone: Bool { Self.startsNone(path) }

  /// Returns whether a file calls nothing that starts another program or loads a library.
  private static func startsNone(_ path: String) -> Bool {
    let starters = [
      "fork", "vfork", "clone", "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle",
      "fexecve", "execveat", "posix_spawn", "posix_spawnp", "popen", "system", "syscall", "dlopen",
    ]
    return reading(path) {
      ELFFile(descriptor: $0).map { $0.dynamicNames(among: starters).isEmpty }
    } ?? false
  }

  /// The program and all libraries that it needs; none where others may come that no file names.
  private var allFiles: [String] {
    guard Self.startsNone(path), let (libraries, isWhole) = neededLibraries, isWhole else {
      return []
    }
    let others = libraries.filter { !Self.isSystemLibrary($0) }
    // A static program does not tell by names of functions what it starts.
    return !libraries.isEmpty && others.allSatisfy { Self.startsNone($0) }
      ? [path] + libraries : []
  }

  /// Returns whether a file is a part of the C library, which loads others for names and encodings alone.
  private static func isSystemLibrary(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let parts = ["libc.", "ld-linux", "libm.", "libpthread.", "libdl.", "librt.", "libresolv."]
    return parts.contains { name.hasPrefix($0) }
  }

  /// The files of that name among the libraries that the program needs, and that these need.
  private func libraries(named name: String) -> [String] {
    (neededLibraries?.files ?? []).filter { LoadedObject.isLibrary($0, named: name) }
  }

  /// The libraries that the program needs, and that these need, each once, and whether all of them were
  /// found; `nil` where a file says itself where its own are.
  private var neededLibraries: (files: [String], isWhole: Bool)? {
    var isWhole = true
    var waiting = [path]
    var known: Set<String> = []
    var found: [String] = []
    while let next = waiting.popLast(), known.count < Self.libraryLimit {
      guard known.insert(next).inserted else { continue }
      let needed = Self.reading(next) {
        ELFFile(descriptor: $0).map { (names: $0.neededLibraries, hasPath: $0.hasLibraryPath) }
      }
      guard let needed else { continue }
      // Who says where its libraries are may mean others than these.
      guard !needed.hasPath else { return nil }
      let libraries = needed.names.compactMap { Self.place(of: $0) }
      isWhole = isWhole && libraries.count == needed.names.count
      waiting += libraries
      found += libraries.filter { !found.contains($0) }
    }
    return (found, isWhole && known.count < Self.libraryLimit)
  }

  private static func place(of library: String) -> String? {
    guard !library.contains("/") else { return library }
    return folders.lazy.map { "\($0)/\(library)" }.first { access($0, R_OK) == 0 }
  }

  private static func has(_ name: String, in path: String) -> Bool {
    let names = FunctionNames([name])
    return reading(path) { SymbolTable(descriptor: $0) { names.contains($0) } }
      .map { !$0.symbols.isEmpty } ?? true
  }

  private static func nearest(to name: String, in path: String) -> String? {
    let length = name.utf8.count
    let table = reading(path) {
      SymbolTable(descriptor: $0) { abs($0.count - length) < Suggestion.distanceLimit }
    }
    return table.flatMap { Suggestion.closest(to: name, in: $0.symbols.map(\.name)) }
  }

  private static func reading<Result>(_ path: String, _ body: (Int32) -> Result?) -> Result? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return body(descriptor)
  }
}
