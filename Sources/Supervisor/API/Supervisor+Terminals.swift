package import Foundations
package import Terminal

extension Supervisor {
  /// Returns the picture of a target's terminal; `nil` if it has none.
  package func screen(of target: TargetNumber = .first) -> TerminalScreen? {
    ask { loop in loop.targets[target]?.output.screen }
  }

  /// Gives a target's terminal another size, of which its foreground process group learns by SIGWINCH; false
  /// if it has no terminal.
  package func resizeTerminal(of target: TargetNumber = .first, to size: TerminalSize) -> Bool {
    ask { loop in
      loop.targets[target]?.resizeTerminal(to: size) ?? false
    }
  }
}
