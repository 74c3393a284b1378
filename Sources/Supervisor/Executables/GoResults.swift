internal import FaultEngine

/// The results of a function of Go, as far as a constant in their place needs to know them (Go internal ABI).
struct GoResults: Sendable, Hashable {
  /// The first result, by the register in which it is returned.
  enum First: Sendable, Hashable {
    /// An integer, or a `bool`: RAX.
    case integer
    /// A `float64`: XMM0.
    case double
    /// A `float32`: XMM0.
    case float
    /// Something else, of which no register can be set alone: a pointer, a string, an interface such as `error`, a
    /// structure.
    case other(type: String)
  }

  /// The first of them; `nil` if there is none.
  var first: First?
  /// True if registers hold all of them, and none is on the stack.
  var areInRegisters = true

  /// Returns the reason, in a sentence, why a function cannot return a replacement; `nil` if it can.
  ///
  /// Each type of Go can be zero, which all registers are then.
  func obstacle(to replacement: FunctionConvention.Replacement, of name: String) -> String? {
    guard areInRegisters else {
      return "\"\(name)\" returns on the stack, as it has an array or too much for the registers,"
        + " which cannot be replaced"
    }
    switch (first, replacement) {
    // What a program answers is judged when it has answered.
    case (_, .zero), (_, .answer), (.integer, .integer), (.integer, .computation),
      (.double, .integer), (.double, .fraction), (.float, .integer), (.float, .fraction):
      return nil
    case (.integer, _): return "\"\(name)\" returns an integer"
    case (.double, _), (.float, _):
      return "\"\(name)\" returns a floating point number, which a computation cannot replace"
    case (.other(let type), _):
      return "\"\(name)\" first returns \(Self.words(for: type)), of which only zero can be given:"
        + " { constant: 0 }"
    case (nil, _): return "\"\(name)\" returns nothing"
    }
  }

  /// The convention by which the first is returned, if that is a floating point number.
  var convention: FunctionConvention? {
    switch first {
    case .double: .double
    case .float: .float
    case .integer, .other, nil: nil
    }
  }

  private static func words(for type: String) -> String {
    type.isEmpty ? "neither an integer nor a floating point number" : "the type \"\(type)\""
  }
}

/// The registers that results of Go may take: RAX, RBX, RCX, RDI, RSI and R8 to R11, and XMM0 to XMM14.
struct GoResultRegisters {
  var integers = 9
  var numbers = 15
  var hasArray = false
  /// The number of types that may still be looked at.
  var patience = 64

  /// True if they hold all that was taken.
  var isEnough: Bool { integers >= 0 && numbers >= 0 && !hasArray && patience > 0 }
}
