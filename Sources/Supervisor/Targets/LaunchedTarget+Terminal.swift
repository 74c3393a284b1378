internal import CSupervisor
internal import Foundations
internal import Glibc

extension LaunchedTarget {
  /// Types the character that ends the input of a reader of lines (termios(3): VEOF); false without a reader.
  ///
  /// More can be typed behind it.
  func sendEndOfInput() -> Bool {
    guard isTerminal, input.isOpen else { return false }
    return send([scenario_terminal_end_of_input(input.descriptor)])
  }

  /// Gives the terminal another size; false if the target has none.
  func resizeTerminal(to size: TerminalSize) -> Bool {
    guard isTerminal, input.isOpen else { return false }
    // What stands there was written for the former size.
    _ = output.drain()
    guard scenario_resize_terminal(input.descriptor, size.columns, size.rows) == 0 else {
      return false
    }
    output.resizeScreen(to: size)
    return true
  }
}
