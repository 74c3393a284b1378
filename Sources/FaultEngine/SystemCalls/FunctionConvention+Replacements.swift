package import ScenarioPlan

extension FunctionConvention {
  /// The kind of what stands in place of a function's own result.
  package enum Replacement: Sendable, Hashable, CaseIterable {
    /// Zero, which stands for all results of a function of Go.
    case zero
    /// Another integer.
    case integer
    /// An integer, with an errno.
    case integerAndErrno
    /// A floating point number.
    case fraction
    /// The address of a text.
    case text
    /// The result by which a function of that name reports an error.
    case error
    /// A result that is computed from the function's own.
    case computation
    /// The answer of a program, which may leave the result alone.
    case answer
  }

  /// Returns the reason, in a sentence, why a function cannot return a replacement; `nil` if it can.
  package static func obstacle(to replacement: Replacement, of name: String) -> String? {
    if returnsString(name) { return replacement == .answer ? nil : obstacleToError(of: name) }
    if name.hasSuffix(".abi0") {
      return "\"\(name)\" is an assembly function of Go, which returns on the stack"
    }
    let documented = documentedName(of: name)
    if replacement == .error, errorless.contains(documented) {
      return "\"\(name)\" reports no errors"
    }
    let isRefused =
      switch of(documented) {
      case .integer: replacement == .fraction && returnsInteger(documented)
      case .extended, .complex: true
      case .double, .float: ![.zero, .integer, .integerAndErrno, .fraction].contains(replacement)
      case .go: [.text, .error, .integerAndErrno].contains(replacement)
      }
    guard isRefused else { return nil }
    return obstacleToError(of: documented)?
      .replacing("\"\(documented)\"", with: "\"\(name)\"") ?? "\"\(name)\" returns an integer"
  }

  /// The name of the function of libm that a symbol is an implementation of, as a static program has them: glibc
  /// chooses among `__sin_fma` and `__sin_sse2` by the processor, and calls `__ieee754_exp` and `__cos` by itself.
  ///
  /// The symbol's own name where it is none.
  private static func documentedName(of symbol: String) -> String {
    guard symbol.hasPrefix("__") else { return symbol }
    var name = symbol.dropFirst(2)
    if name.hasPrefix("ieee754_") { name = name.dropFirst("ieee754_".count) }
    if let suffix = implementations.first(where: { name.hasSuffix($0) }) {
      name = name.dropLast(suffix.count)
    }
    let documented = String(name)
    let convention = of(documented)
    let isKnown =
      convention == .integer
      ? returnsInteger(documented) || errorless.contains(documented) : convention != .go
    return isKnown ? documented : symbol
  }

  /// Functions of the C library whose manual pages know no errors: string(3), bstring(3).
  private static let errorless: Set<String> = [
    "basename", "bcmp", "bcopy", "bzero", "memccpy", "memchr", "memcmp", "memcpy", "memmem",
    "memmove", "mempcpy", "memrchr", "memset", "rawmemchr", "stpcpy", "stpncpy", "strcasecmp",
    "strcasestr", "strcat", "strchr", "strchrnul", "strcmp", "strcpy", "strcspn", "strlen",
    "strncasecmp", "strncat", "strncmp", "strncpy", "strnlen", "strpbrk", "strrchr", "strsep",
    "strspn", "strstr", "strtok", "strtok_r", "wcslen", "wmemcpy", "wmemset",
  ]

  /// The words that glibc puts behind the name of one of several implementations.
  private static let implementations = [
    "_avx2_unaligned_erms", "_avx_unaligned_erms", "_sse2_unaligned_erms", "_avx_unaligned",
    "_sse2_unaligned", "_fma4", "_fma", "_avx2_rtm", "_avx2", "_avx", "_evex", "_sse41", "_sse2",
    "_c", "_finite", "_internal",
  ]
}

extension PlannedProvider {
  /// The kinds of what it gives in place of a function's own result, at least at times.
  package var replacements: Set<FunctionConvention.Replacement> {
    switch self {
    case .result(0): [.zero]
    case .result, .randomNumber: [.integer]
    case .failure: [.integerAndErrno]
    case .fraction: [.fraction]
    case .text: [.text]
    case .error, .randomError, .randomDocumented: [.error]
    case .compute(let computation): computation.result == nil ? [] : [.computation]
    case .execute: [.answer]
    case .signal(_, _, let next), .delay(_, _, let next): next.replacements
    case .sequence(let providers):
      providers.reduce(into: []) { $0.formUnion($1.replacements) }
    case .match(let branches, let otherwise):
      branches.reduce(into: otherwise.replacements) { $0.formUnion($1.provider.replacements) }
    case .original, .exit, .kill, .hang, .short, .corrupt, .lie, .link, .disk, .crash, .stop,
      .restart:
      []
    }
  }
}
