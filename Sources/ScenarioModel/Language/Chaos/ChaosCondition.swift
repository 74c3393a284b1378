/// A condition of `where:`, by its key.
///
/// A condition is declared here alone: the language's key with its form, its documentation, the checks before a run,
/// the plan and the words of reports follow from `declaration`. What a call has of it is one of `ChaosFacts`, where
/// conditions look it up. In this order summaries name conditions.
package enum ChaosCondition: String, Sendable, Hashable, CaseIterable {
  case path
  case kind = "fd"
  case host
  case port
  case size
  case offset
  case flags
  case arguments = "args"
  case process
  case thread
  case caller

  /// The declaration of the condition.
  package var declaration: Declaration {
    switch self {
    case .path:
      Declaration(
        .pattern(.path), of: [.calls],
        """
        A glob on the path; it counts from the scenario's directory unless it begins with / \
        or **.
        """)
    case .kind: Declaration(.kinds, of: [.calls], "What the descriptor leads to.")
    case .host: Declaration(.pattern(.host), of: [.calls, .link], "A glob on the host's name.")
    case .port: Declaration(.number(0...65_535), of: [.calls, .link], "The port.")
    case .size:
      Declaration(.number(0...Int64.max), of: [.calls], "How many bytes the call is about.")
    case .offset: Declaration(.number(0...Int64.max), of: [.calls], "Where in the file.")
    case .flags: Declaration(.flags, of: [.calls], "Flags that are set, such as O_APPEND.")
    case .arguments:
      Declaration(.arguments, of: [.calls, .functions], "Arguments by their places.")
    case .process:
      Declaration(
        .process, of: [.calls, .functions, .link, .disk],
        """
        A glob on the program's name, or on its path where the glob holds a slash: those of \
        its executable file, or those by which it was started, such as a symbolic link's or a \
        script's; or the process's number in the order of births.
        """)
    case .thread:
      Declaration(
        .pattern(.text), of: [.calls, .functions, .disk], "A glob on the thread's name.")
    case .caller:
      Declaration(
        .pattern(.name), of: [.functions],
        """
        A glob on the name of the library or program whose code calls the function, or on \
        its path where it holds a slash.
        """)
    }
  }

  /// Returns whether it can be evaluated for a kind of target.
  package func isKnown(of target: FaultTarget.Kind) -> Bool {
    declaration.targets.contains(target)
  }

  /// Returns the keys that can be evaluated for a kind of target, in quotes, as in `"host", "port"
  /// or "process"`.
  ///
  /// - Parameter example: The one that comes first, as an example of it stands behind.
  package static func list(of target: FaultTarget.Kind, example: ChaosCondition = .process)
    -> String
  {
    let others = allCases.filter { $0 != example && $0.isKnown(of: target) }
    let words = [example.rawValue] + others.map(\.rawValue).sorted()
    let quoted = words.map { "\"\($0)\"" }
    return quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
  }

  /// The declaration of a condition.
  package struct Declaration: Sendable {
    /// The form of its test.
    package var question: Question
    /// The kinds of targets that have something to answer.
    package var targets: Set<FaultTarget.Kind>
    /// Its documentation.
    package var summary: String

    fileprivate init(_ question: Question, of targets: Set<FaultTarget.Kind>, _ summary: String) {
      self.question = question
      self.targets = targets
      self.summary = summary
    }
  }

  /// The form of a condition's test.
  package enum Question: Sendable, Hashable {
    /// A glob on texts.
    case pattern(TextKind)
    /// A number, which is one of a range.
    case number(ClosedRange<Int64>)
    /// The kind of object that a descriptor leads to, one of several.
    case kinds
    /// Flags, all of which are set.
    case flags
    /// Numbers by the places of arguments.
    case arguments
    /// A glob on a program, or the number of a process.
    case process

    /// The way in which texts are matched; `nil` where none are.
    package var textKind: TextKind? {
      switch self {
      case .pattern(let kind): kind
      case .process: .name
      case .number, .kinds, .flags, .arguments: nil
      }
    }
  }

  /// The way in which a glob is matched with a text.
  package enum TextKind: Sendable, Hashable {
    /// The texts as they are.
    case text
    /// The text in lower case.
    case host
    /// The last part of a path, or all of it where the glob has a slash.
    case name
    /// The path, from the scenario's directory unless the glob begins with `/` or `**`.
    case path
  }
}

/// The test of a condition of `where:`.
package enum ChaosTest: Sendable, Hashable {
  /// A glob.
  case pattern(String)
  /// A number.
  case number(IntegerCondition)
  /// The kind of object that a descriptor leads to, one of these.
  case kinds([DescriptorKind])
  /// Flags by name, all of them set.
  case flags([String])
  /// Arguments by place.
  case arguments([ArgumentCondition])
  /// The process's number in the order of births, from 1.
  case ordinal(Int)

  /// A condition on one argument.
  package struct ArgumentCondition: Sendable, Hashable, Codable {
    /// The place, 0 … 5.
    package var index: Int
    /// The condition that must hold.
    package var condition: IntegerCondition

    /// Creates a condition.
    package init(index: Int, condition: IntegerCondition) {
      self.index = index
      self.condition = condition
    }
  }
}

/// The kind of object that a file descriptor leads to.
package enum DescriptorKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// A file or folder.
  case file
  /// A pipe, with or without a name.
  case pipe
  /// A TCP socket.
  case tcp
  /// A UDP socket.
  case udp
  /// A socket of this machine.
  case unix
  /// A terminal.
  case tty
}
