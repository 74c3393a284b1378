/// The functions of a chaos entry.
package struct PlannedFunctions: Sendable, Hashable, Codable {
  /// The place in which functions are looked up.
  package enum Place: Sendable, Hashable, Codable {
    /// The first place in which the dynamic linker finds a name: the program, then its libraries in
    /// their order. In the program, functions count that are not exported.
    case anywhere
    /// The program.
    case program
    /// The libraries of that name: `libz.so.1`, `libz.so` and `libz` all name one.
    case library(String)
  }

  /// The way in which a function reports that it has failed.
  package enum Failure: Sendable, Hashable {
    /// Returns -1 and sets errno.
    case minusOne
    /// Returns NULL and sets errno.
    case null
    /// Returns the error's number, and leaves errno alone.
    case number
    /// Fails to allocate memory: NULL, the error's number or `std::bad_alloc`, by the function.
    case allocation
  }

  /// The largest number of entries that may name functions.
  package static let entryLimit = 64

  /// The functions' names, as in the symbol table; an asterisk matches any characters.
  package var names: [String]
  /// Names that the patterns with asterisks do not match.
  package var exceptions: [String]
  /// The place in which they are looked up.
  package var place: Place
  /// True if they are one allocator: calls that one of them makes to another are part of the outer call,
  /// and an `operator new` that calls malloc is no call of its own.
  package var isAllocator: Bool

  /// Creates functions.
  package init(
    names: [String], except exceptions: [String] = [], place: Place = .anywhere,
    isAllocator: Bool = false
  ) {
    self.names = names
    self.exceptions = exceptions
    self.place = place
    self.isAllocator = isAllocator
  }

  /// The functions on one line.
  package var summary: String {
    if isAllocator { return "the functions that allocate memory" }
    let all = names.joined(separator: ", ")
    let joined =
      exceptions.isEmpty ? all : "\(all) except \(exceptions.joined(separator: ", "))"
    switch place {
    case .anywhere: return joined
    case .program: return "\(joined) in the executable"
    case .library(let name): return "\(joined) in \(name)"
    }
  }

  /// Returns whether every call of `other`'s functions is one of these.
  package func contain(_ other: PlannedFunctions) -> Bool {
    place == other.place && isAllocator == other.isAllocator
      && (exceptions.isEmpty || exceptions == other.exceptions && names == other.names)
      && other.names.allSatisfy { name in
        names.contains(name)
          || !name.contains("*")
            && names.contains { FunctionNamePattern($0).matches(Array(name.utf8)) }
      }
  }

  // MARK: - Allocation

  /// The functions that allocate memory, whatever allocator the program has.
  ///
  /// reallocarray(3) is not among them: it calls realloc in each library.
  package static let allocations = PlannedFunctions(
    names: [
      "malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign", "valloc",
      "pvalloc",
    ] + throwingAllocators + nothrowAllocators, isAllocator: true)

  /// `operator new` and `operator new[]`, without and with an alignment (Itanium C++ ABI, 5.1.3).
  package static let throwingAllocators = [
    "_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t",
  ]

  /// The same with `std::nothrow`.
  package static let nothrowAllocators = [
    "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
  ]

  // MARK: - Errors

  /// Returns the way in which a function of that name reports an error.
  ///
  /// Sections 3 of the pages of the C library's functions; of others nothing is known, and -1 is what
  /// most of them return.
  package static func failure(of name: String) -> Failure {
    if allocations.names.contains(name) { return .allocation }
    if pointers.contains(name) { return .null }
    let numbers = ["pthread_", "posix_fa", "posix_spawn"]
    return numbers.contains { name.hasPrefix($0) } ? .number : .minusOne
  }

  /// Functions of the C library that return NULL where they fail.
  private static let pointers: Set<String> = [
    "fopen", "fopen64", "fdopen", "freopen", "freopen64", "fmemopen", "open_memstream", "popen",
    "tmpfile", "tmpfile64", "opendir", "fdopendir", "readdir", "readdir64", "fgets", "getcwd",
    "get_current_dir_name", "realpath", "canonicalize_file_name", "strdup", "strndup",
    "reallocarray", "setlocale", "newlocale", "getpwnam", "getpwuid", "getgrnam", "getgrgid",
    "gethostbyname", "gethostbyaddr", "getenv", "secure_getenv", "dlopen", "dlsym", "localtime",
    "gmtime", "localtime_r", "gmtime_r", "inet_ntop", "ttyname", "getlogin", "shmat",
  ]
}
