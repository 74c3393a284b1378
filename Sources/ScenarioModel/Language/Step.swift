package import Foundations

/// One entry of `steps:`.
package struct Step: Sendable {
  /// The action of a step.
  package indirect enum Action: Sendable {
    /// `run: [arguments]`: start the target with more arguments, wait for its end.
    case run([DataNode])
    /// `start:` / `start: [arguments]`: start the target and go on.
    case start([DataNode])
    /// `stop:` TERM, and wait for the end.
    case stop
    /// `signal: TERM`
    case signal(Located<String>)
    /// `send: "text"` to the target's standard input.
    case send(DataNode)
    /// `close: stdin`
    case closeStandardInput
    /// `close: stdout`, `close: stderr`: the reading end is closed.
    case closeOutput(CaptureRule.Source)
    /// `signal: { name: TERM, process: worker }`: to each process of the target that runs the program.
    case signalProcess(Located<String>, process: Located<String>)
    /// `wait: { stdout: REGEX }`, `wait: exit`
    case wait(WaitCondition)
    /// `responses: [ … ]`: from here on these answer before all others.
    case respond([ResponseEntry])
    /// `set: { NAME: data }`: from here on the state has these values.
    case set([DataField])
    /// `dns: { NAME: … }`: from here on names have these records.
    case resolve([NameRecords])
    /// `travel: INSTANT`
    case travel(Located<InstantExpression>)
    /// `jump: DURATION`
    case jump(Located<Nanoseconds>)
    /// `jump: { by: DURATION, over: DURATION, target: a }`: the wall clock of one target, at once or little by little.
    case adjust(by: Located<Nanoseconds>, over: Located<Nanoseconds>?)
    /// `freeze:` / `freeze: INSTANT`
    case freeze(Located<InstantExpression>?)
    /// `tick: DURATION`
    case tick(Located<TickAmount>)
    /// `wait: idle`
    case settle
    /// `pause:`, `pause: 10m`: the environment pauses until it is resumed.
    case pause(Located<Nanoseconds>?)
    /// `suspend: DURATION`
    case suspend(Located<Nanoseconds>)
    /// `rate: x60`
    case rate(Located<ClockRate>)
    /// `return:`
    case returnToPresent
    /// `apply: NAME`, `apply: all`, `apply: { name: NAME, seed: 7 }`
    case apply(Located<ChaosSelection>, seed: Int64?)
    /// `revert: NAME`, `revert: all`
    case revert(Located<ChaosSelection>)
    /// `partition: [[n1], [n2, n3]]`: hosts of different groups reach each other no more.
    case partition([[Located<String>]])
    /// `heal: all`, `heal: NAME`: they do again.
    case heal(Located<PartitionSelection>)
    /// a time step's block form: `travel: { to: …, during: […] }`
    case block(Action, during: [Step])
    /// `expect:` alone
    case expect
    /// `capture: { NAME: { output: REGEX } }`, `capture: { NAME: { json: PATH } }`
    case capture([CaptureRule])
    /// `exec: "text"`, `exec: [program, argument]`: a command outside of the case's environment.
    case exec(HelperCommand)
    /// `build: { NAME: data }` values that may hold what was captured.
    case build([DataField])
    /// `write: { path: FILE, text: … }` into the case's directory.
    case write(FileFixture)
    /// `send: { key: ctrl-c }`, `send: { key: [down, enter] }` to the target's terminal.
    case press([TerminalKey])
    /// `resize: 120x40` of the target's terminal.
    case resize(TerminalSize)
  }

  /// `name:`.
  package var name: Located<String>?
  /// The action.
  package var action: Action
  /// `expect:` checked behind the step.
  package var expect: ExpectationBlock?
  /// The step's keyword and its place.
  package var keyword: Located<String>
  /// The settings of its execution.
  package var settings = StepSettings()
  /// `target:` the target of the step; `nil` is the scenario's `target`, or its only one.
  package var target: Located<String>?

  /// Creates a step.
  package init(
    name: Located<String>?, action: Action, expect: ExpectationBlock?, keyword: Located<String>
  ) {
    self.name = name
    self.action = action
    self.expect = expect
    self.keyword = keyword
  }
}

/// One entry of `capture:`: a value from the target, by a name for `${{ capture.NAME }}`.
package struct CaptureRule: Sendable {
  /// The source that is searched.
  package enum Source: String, Sendable, Hashable, Codable, CaseIterable {
    /// Standard output.
    case output
    /// Standard error.
    case errorOutput = "error_output"
  }

  /// The pattern that finds the value there.
  package enum Pattern: Sendable {
    /// A regular expression: its first group counts, or all that it matches.
    case expression(Located<String>)
    /// A path into JSON.
    case json(Located<String>)
  }

  /// The name.
  package var name: Located<String>
  /// The source that is searched.
  package var source: Source
  /// The pattern that finds the value there.
  package var pattern: Pattern

  /// Creates a rule.
  package init(name: Located<String>, source: Source, pattern: Pattern) {
    self.name = name
    self.source = source
    self.pattern = pattern
  }
}

/// The entries of `chaos:` that a step is about.
package enum ChaosSelection: Hashable, Sendable, Codable {
  /// `all`
  case all
  /// The entry of a name.
  case entry(String)
}

/// The partitions that a step is about.
package enum PartitionSelection: Hashable, Sendable, Codable {
  /// `all`
  case all
  /// Those of the steps of this name.
  case named(String)
}

/// The distance of `tick:`.
package enum TickAmount: Hashable, Sendable, Codable {
  /// A length of time.
  case duration(Nanoseconds)
  /// The next deadline.
  case next
  /// Until nothing is waiting any more.
  case idle
}

/// The condition of `wait:`.
package enum WaitCondition: Sendable {
  /// The target's end.
  case exit
  /// Standard output matches a regular expression.
  case output(Located<String>)
  /// Standard error matches a regular expression.
  case errorOutput(Located<String>)
  /// The picture on the terminal matches a regular expression.
  case screen(Located<String>)
}

/// The conditions of one `expect:`; all are checked, and all failures are reported.
package struct ExpectationBlock: Sendable {
  /// One condition.
  package enum Subject: Sendable {
    /// `exit:`
    case exit(Matcher)
    /// `signal: SEGV`
    case signal(Located<String>)
    /// `stdout:`
    case standardOutput(Matcher)
    /// `stderr:`
    case standardError(Matcher)
    /// `screen:` what the terminal shows.
    case screen(Matcher)
    /// `watchdog:` the target says that it lives, with no longer silence than that.
    case watchdog(within: Located<Nanoseconds>)
    /// `files:` a path or glob below the case's directory.
    indirect case file(pattern: Located<String>, FileCondition)
    /// one entry of `requests:`
    indirect case request(RequestCondition)
    /// one entry of `requests:` with `order:`: method and path or URL, one behind the other.
    case requestOrder([RequestSelector])
    /// one entry of `state:`: the condition on the value of a name.
    case state(Located<String>, Matcher)
    /// one entry of `chaos:`: how often the entry fired, and how often its conditions matched.
    case chaos(entry: Located<String>, ChaosCount, Matcher)
    /// `timers:` the waits that the target asked for.
    indirect case timers(TimersCondition)
    /// `duration:` the virtual time since the start.
    case elapsed(Matcher)
    /// `clock:` what the wall clock shows.
    case clock(ClockCondition)
    /// `processes:` of the target's tree.
    case processes(ProcessCount, Matcher)
    /// `tolerated:` these conditions hold, or the target has reported that it failed.
    indirect case tolerated([Entry])
    /// `eventually:` and `always:` these hold once, or all the time, within a length of virtual time.
    indirect case repeated(RepeatedCheck, [Entry])
  }

  /// A condition and the place of its key.
  package struct Entry: Sendable {
    /// The condition.
    package var subject: Subject
    /// The place in the file.
    package var range: SourceRange
    /// The target whose end or output it is about, where `targets` names it.
    package var target: Located<String>?

    /// Creates an entry.
    package init(_ subject: Subject, at range: SourceRange) {
      self.subject = subject
      self.range = range
    }
  }

  /// The conditions in file order.
  package var entries: [Entry]

  /// Creates a block.
  package init(entries: [Entry]) {
    self.entries = entries
  }
}

/// The count of an entry of `chaos:`.
package enum ChaosCount: String, Hashable, Sendable, Codable, CaseIterable {
  /// The number of times that it fired.
  case fired
  /// The number of times that its conditions held.
  case matched
}

/// A condition on a file.
package enum FileCondition: Sendable {
  /// `{ absent: true }`
  case absent
  /// `{ exists: true }`
  case exists
  /// Any matcher on its text (`json` reads it as JSON).
  case content(Matcher)
  /// The properties of the file: `{ sha256: …, mode: 0644 }`
  case properties(FileProperties)
  /// A whole folder: `{ folder: expected }`, `{ only: […] }`, `{ snapshot: true }`
  case tree(TreeCondition)
}

/// The way in which conditions are checked again and again.
package struct RepeatedCheck: Sendable, Hashable, Codable {
  /// The quantity of checks that must hold.
  package enum Quantity: String, Sendable, Hashable, Codable {
    /// At least one check must hold.
    case eventually
    /// Every check must hold.
    case always
  }

  /// The quantity of checks that must hold.
  package var quantity: Quantity
  /// `within:` for how much virtual time.
  package var length: Nanoseconds
  /// `every:` how much virtual time passes from one check to the next.
  package var interval: Nanoseconds

  /// Creates a repetition.
  package init(_ quantity: Quantity, within length: Nanoseconds, every interval: Nanoseconds) {
    self.quantity = quantity
    self.length = length
    self.interval = interval
  }
}

/// The requests that a condition is about.
package enum RequestSelector: Sendable {
  /// `POST /orders`: method and path or URL pattern.
  case line(Located<String>)
  /// A pattern, as entries of `responses` have it, and how messages call it.
  case pattern(HTTPRequestPattern, name: Located<String>)
}

/// One entry of `expect.requests`.
package struct RequestCondition: Sendable {
  /// `request:` which requests.
  package var request: RequestSelector
  /// `count:`; at least one where it is missing.
  package var count: Matcher?
  /// `intervals: [1s, { between: [1s, 2s] }]`: the virtual time from each match to the next.
  package var intervals: Located<[Matcher]>?

  /// Creates a condition.
  package init(request: RequestSelector, count: Matcher?, intervals: Located<[Matcher]>?) {
    self.request = request
    self.count = count
    self.intervals = intervals
  }
}

/// A condition on a value, with its place.
package struct Matcher: Sendable {
  /// The condition.
  package indirect enum Condition: Sendable {
    /// Equal as values; for text, one final newline aside.
    case equals(DataNode)
    /// The negation.
    case not(Matcher)
    /// Text: a substring. JSON: a subset.
    case contains(DataNode)
    /// A text begins so.
    case startsWith(DataNode)
    /// A text ends so.
    case endsWith(DataNode)
    /// A regular expression is found in the text.
    case matches(Located<String>)
    /// A regular expression with expressions of the language in it is found in the text.
    case matchesComputed(DataNode)
    /// The presence of a value (true), be it null, or its absence (false).
    case exists(Bool)
    /// A value of one of these kinds.
    case type([DataType])
    /// The number of characters, elements or members.
    case length(Matcher)
    /// An empty value (true), or one that is not (false).
    case empty(Bool)
    /// The text's lines, each with its own matcher.
    case lines([Matcher])
    /// The text read as JSON: the whole value, or paths (`$.total`) and their values.
    case json(JSONCondition)
    /// The value is one of these.
    case oneOf([DataNode])
    /// Numbers and durations.
    case lessThan(DataNode)
    /// Numbers and durations.
    case greaterThan(DataNode)
    /// Numbers and durations: not less.
    case atLeast(DataNode)
    /// Numbers and durations: not more.
    case atMost(DataNode)
    /// Both ends included.
    case between(DataNode, DataNode)
    /// Equal to the first one, or no further away than the second one.
    case near(DataNode, within: DataNode)
    /// A condition on every element of a list.
    case each(Matcher)
    /// A condition on one element of a list at least.
    case any(Matcher)
    /// Every matcher holds.
    case allOf([Matcher])
    /// At least one matcher holds.
    case anyOf([Matcher])
    /// JSON that is valid against a JSON Schema.
    case schema(SchemaSource)
    /// The number of lines of the text.
    case lineCount(Matcher)
    /// The content of a file beside the scenario file; without a name the scenario gives one.
    case snapshot(Located<String>?)
    /// A condition on the text, read as YAML.
    case yaml(JSONCondition)
    /// A condition on the text, read as XML.
    case xml(XMLCondition)
  }

  /// The meaning of a map that an expression brings in place of the operand.
  package enum BroughtMap: Sendable {
    /// Nothing that could be compared: the condition is one on text, a number or a length.
    case mistake
    /// A document, or conditions that do not count as such: nothing says which.
    case undecided
    /// The same in a condition that must not hold: whatever map it is, the author has to say that it is a document.
    case negated
    /// Part of a document.
    case operand
    /// A document, as the author says.
    case document
  }

  /// The condition.
  package var condition: Condition
  /// The place of the value that the author wrote.
  package var range: SourceRange
  /// The meaning of a map that an expression brings.
  package var broughtMap: BroughtMap

  /// Creates a matcher.
  package init(
    _ condition: Condition, at range: SourceRange, broughtMap: BroughtMap = .document
  ) {
    self.condition = condition
    self.range = range
    self.broughtMap = broughtMap
  }
}

/// The place of a JSON Schema.
package enum SchemaSource: Sendable {
  /// A schema in the scenario file.
  case inline(DataNode)
  /// A schema in a file, relative to the scenario file.
  case file(Located<String>)
}

/// The condition of `json:`.
package enum JSONCondition: Sendable {
  /// The whole document.
  case document(DataNode)
  /// `$.path: matcher` pairs.
  case paths([FieldMatcher])
  /// `{ contains: … }`: a subset.
  case subset(DataNode)
  /// `{ schema: … }`
  case schema(SchemaSource)
}

/// The count of processes of the target's tree.
package enum ProcessCount: String, Hashable, Sendable, Codable, CaseIterable {
  /// The processes that live at the end.
  case left
  /// The processes that were ended by a signal which shows a mistake: SEGV, ABRT, BUS, FPE, ILL,
  /// SYS, TRAP.
  case crashed
}
