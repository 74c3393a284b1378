package import Foundations
package import Patterns
package import ScenarioModel

/// One step, ready to run.
package struct PlannedStep: Sendable, Hashable, Codable {
  /// The action of the step.
  package indirect enum Action: Sendable, Hashable, Codable {
    /// Start with more arguments and wait for the end.
    case run(arguments: [PlannedText])
    /// Start with more arguments.
    case start(arguments: [PlannedText])
    /// TERM, and wait for the end.
    case stop
    /// Send a signal; `name` is without SIG.
    case signal(name: String, number: Int32)
    /// Write to standard input.
    case send(PlannedText)
    /// Close standard input.
    case closeStandardInput
    /// Read an output stream no more.
    case closeOutput(CaptureRule.Source)
    /// Send a signal to each process of the target that runs a program of that name.
    case signalProcess(name: String, number: Int32, process: String)
    /// Wait for the end.
    case waitForExit
    /// Wait until standard output matches.
    case waitForOutput(RegularExpression)
    /// Wait until standard error matches.
    case waitForErrorOutput(RegularExpression)
    /// Wait until what the terminal shows matches.
    case waitForScreen(RegularExpression)
    /// Let the responses answer that have its number, counted from 0.
    case respond(Int)
    /// Set values of the state that responses share.
    case set([PlannedStateChange])
    /// The records of the `dns:` step of a number, counted from 0, hold.
    case resolve(Int)
    /// Set the wall clock.
    case travel(InstantExpression)
    /// Displace the wall clock.
    case jump(Nanoseconds)
    /// Displace the wall clock of the step's target, at once or over a length of time.
    case adjust(by: Nanoseconds, over: Nanoseconds?)
    /// Stand still, now or there.
    case freeze(InstantExpression?)
    /// Let time pass.
    case tick(TickAmount)
    /// Wait until everything sleeps.
    case settle
    /// Pause the environment until it is resumed, or the bound in real time has passed.
    case pause(atMost: Nanoseconds?)
    /// Let the machine sleep.
    case suspend(Nanoseconds)
    /// Flow at a rate.
    case rate(ClockRate)
    /// Back to the present.
    case returnToPresent
    /// Let chaos entries hold, from their beginning.
    case apply(ChaosSelection, seed: Int64?)
    /// Let them hold no more.
    case revert(ChaosSelection)
    /// Let hosts of different groups reach each other no more.
    case partition(PlannedPartition)
    /// Let them reach each other again.
    case heal(PartitionSelection)
    /// A time step that ends with its block.
    case block(Action, during: [PlannedStep])
    /// Only checks expectations.
    case expect
    /// Keep texts by names.
    case capture([PlannedCapture])
    /// Run a command outside of the case's environment.
    case exec(PlannedHelper)
    /// Make values by names.
    case build([PlannedBuild])
    /// Write a file.
    case write(PlannedFile)
    /// Press keys at the terminal.
    case press([TerminalKey])
    /// Give the terminal another size.
    case resize(TerminalSize)
  }

  /// The author's name for it, or the keyword.
  package var name: String
  /// The action.
  package var action: Action
  /// The conditions that must hold after it.
  package var expect: [PlannedExpectation]
  /// The place in the scenario file.
  package var range: SourceRange
  /// The settings of its execution; `nil` for a step that has none.
  package var settings: PlannedStepSettings?
  /// The purpose, in the author's words.
  package var description: String?
  /// The index of the target that it is about; `nil` is the first.
  package var target: Int?

  /// Creates a step.
  package init(name: String, action: Action, expect: [PlannedExpectation], range: SourceRange) {
    self.name = name
    self.action = action
    self.expect = expect
    self.range = range
  }
}

extension PlannedStep {
  /// The step and, for a block, those in it, in the order in which they are performed.
  package var flattened: [PlannedStep] {
    guard case .block(_, let steps) = action else { return [self] }
    return [self] + steps.flatMap(\.flattened)
  }
}
