/// The way in which a function returns its result, by its name: a program's symbols have no types.
///
/// A name that says nothing is taken for a function that returns an integer or a pointer, as most
/// functions do.
package enum FunctionConvention: Sendable, Hashable {
  /// An integer or a pointer.
  case integer
  /// A `double`.
  case double
  /// A `float`.
  case float
  /// A `long double`, which has a register of its own that cannot be set here.
  case extended
  /// A complex number, for which one register is not enough.
  case complex
  /// A function of Go: one or more results, the last of which often is an `error`.
  case go

  /// The convention of a function, by its symbol's name.
  package static func of(_ name: String) -> FunctionConvention {
    if doubles.contains(name) { return .double }
    if complexes.contains(name) { return .complex }
    if isGo(name) { return .go }
    if name == "strtold" || name == "wcstold" { return .extended }
    guard let (base, convention) = typed(name) else { return .integer }
    // strtol and wcstol return an integer.
    if mathematics.contains(base) || ["strto", "wcsto"].contains(base) && !name.hasSuffix("l") {
      return convention
    }
    return complexes.contains(base) ? .complex : .integer
  }

  /// Splits the name of a function into its base and the type that the rest of the name stands for, in glibc's
  /// spellings (math.h): `sinf`, `sinl`, and the aliases for the types of ISO/IEC TS 18661-3, as `sinf32x`.
  private static func typed(_ name: String) -> (base: String, convention: FunctionConvention)? {
    for (suffix, convention) in suffixes where name.hasSuffix(suffix) {
      return (String(name.dropLast(suffix.count)), convention)
    }
    return nil
  }

  /// No suffix is the end of another one.
  private static let suffixes: [(String, FunctionConvention)] = [
    ("f", .float), ("l", .extended), ("f32", .float), ("f64", .double), ("f32x", .double),
    ("f64x", .extended),
    ("f128", .extended),
  ]

  /// Returns the reason, in a sentence, why a function cannot be made to fail with an error; `nil` if it can.
  package static func obstacleToError(of name: String) -> String? {
    switch of(name) {
    case .integer:
      returnsString(name)
        ? "\"\(name)\" returns a std::string or a reference to one, which cannot be replaced" : nil
    case .extended: "\"\(name)\" returns a long double, which cannot be replaced"
    case .complex: "\"\(name)\" returns a complex number, which cannot be replaced"
    case .double, .float:
      "\"\(name)\" returns a floating point number, which an error or a computation of integers cannot replace"
    case .go: "\"\(name)\" is a Go function, whose errors are values, not an errno"
    }
  }

  /// Returns whether a function is one of libm that returns an integer.
  package static func returnsInteger(_ name: String) -> Bool {
    integers.contains(name) || typed(name).map { integers.contains($0.base) } == true
  }

  /// Returns whether a function of C++ returns a `std::string`, or something that refers to one.
  ///
  /// The tag `cxx11` behind its own name says so, where it does not follow from the parameters (Itanium C++ ABI,
  /// 5.1.4.1). Such an object is made where the caller says, and no register holds it.
  package static func returnsString(_ name: String) -> Bool {
    guard name.hasPrefix("_Z"), let tag = name.firstRange(of: "B5cxx11") else { return false }
    // Within a nested name, the tag may belong to what the function is a member of.
    return !name.hasPrefix("_ZN") || name[tag.upperBound...].hasPrefix("E")
  }

  /// The bits of a number as the function would return them in its register for floating point numbers;
  /// `nil` where it returns none there.
  package func number(for integer: Int64) -> Double? {
    switch self {
    case .double: Double(integer)
    case .float: Double(bitPattern: UInt64(Float(integer).bitPattern))
    case .integer, .extended, .complex, .go: nil
    }
  }

  /// Returns the bits of a floating point number as the function would return them in that
  /// register.
  ///
  /// A function whose name says nothing returns a `double` where an entry gives it such a number.
  package func number(for fraction: Double) -> Double {
    self == .float ? Double(bitPattern: UInt64(Float(fraction).bitPattern)) : fraction
  }

  /// Returns whether a symbol's name is one of Go: a package's path, a dot, and a name that may have a receiver.
  private static func isGo(_ name: String) -> Bool {
    guard let dot = name.split(separator: "/").last?.firstIndex(of: "."), !name.hasPrefix("."),
      !name.hasPrefix("_Z")
    else { return false }
    let rest = name[name.index(after: dot)...]
    guard let first = rest.first, first == "(" || first == "_" || first.isLetter else {
      return false
    }
    // What compilers of C call the parts and copies of a function.
    let part = rest.prefix { $0 != "." }
    return ![
      "part", "cold", "constprop", "isra", "lto_priv", "llvm", "localalias", "hot", "unlikely",
    ].contains(String(part))
  }

  /// Functions of libm that return a `double`; with `f` and `l` behind they return the others.
  private static let mathematics: Set<String> = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cabs", "carg", "cbrt", "ceil",
    "cimag", "copysign", "cos", "cosh", "creal", "drem", "erf", "erfc", "exp", "exp10", "exp2",
    "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "gamma", "hypot",
    "j0", "j1", "jn", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb", "modf", "nan",
    "nearbyint", "nextafter", "nexttoward", "pow", "remainder", "remquo", "rint", "round",
    "roundeven", "scalb", "scalbln", "scalbn", "significand", "sin", "sinh", "sqrt", "tan", "tanh",
    "tgamma", "trunc", "y0", "y1", "yn",
  ]

  /// Functions of libm that return an integer.
  private static let integers: Set<String> = [
    "finite", "ilogb", "isinf", "isnan", "llogb", "llrint", "llround", "lrint", "lround",
  ]

  /// Functions of libm that return a complex number.
  private static let complexes: Set<String> = [
    "cacos", "cacosh", "casin", "casinh", "catan", "catanh", "ccos", "ccosh", "cexp", "clog",
    "clog10", "conj", "cpow", "cproj", "csin", "csinh", "csqrt", "ctan", "ctanh",
  ]

  private static let doubles = mathematics.union([
    "atof", "strtod", "wcstod", "drand48", "erand48", "difftime", "lgamma_r",
  ])
}
