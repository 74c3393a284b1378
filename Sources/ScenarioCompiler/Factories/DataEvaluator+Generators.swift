internal import Foundations
internal import Glibc
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// Evaluates a generator at a place.
  mutating func generate(
    _ generator: DataGenerator, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    switch generator {
    case .omit: return .omitted
    case .raw(let value): return .value(value)
    case .next(let name): return next(name, in: place)
    case .values(let elements, let isEndless):
      return value(among: elements, isEndless, at: range, in: place)
    case .list(let count, let element):
      guard let number = number(of: count, in: place), countElements(number, at: count.range)
      else { return .failed }
      return list(of: number, in: place) { evaluator, _, place in
        evaluator.evaluate(element, in: place)
      }
    case .merge(let node, let base): return merge(node, over: base, at: range, in: place)
    case .append(let node, let base): return append(node, to: base, at: range, in: place)
    case .encoded(let node, let format): return encode(node, as: format, at: range, in: place)
    case .file(let path, let reading):
      return file(path, as: reading, at: range).map(DataOutcome.value) ?? .failed
    case .time(let from, nil, _):
      if place.isInReply, from.isRelative {
        return waitingOutcome(RelativeTime.expression(from, at: range), at: range)
      }
      return instant(from, at: range).map { .value(.string($0.description)) } ?? .failed
    case .pick, .maybe, .integer, .number, .text, .bool, .uuid, .time, .match, .fake, .schema:
      return choose(generator, at: range, in: place)
    case .choice(let source): return pick(from: source, in: place)
    case .mutate(let rule): return mutate(rule, at: range, in: place)
    }
  }

  // MARK: - Chance

  private mutating func choose(
    _ generator: DataGenerator, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    var random = random(at: place.address)
    if explanation != nil {
      var copy = random
      let draw = "draw \(Self.hexadecimal(copy.next()))"
      explanation?.record(place.address, drawn: draw, at: range)
    }
    switch generator {
    case .pick(let choices):
      let index = Self.pick(choices, &random)
      return evaluate(choices[index].value, in: place.part(.key("$pick")).part(.index(index)))
    case .maybe(let chance, let then, let otherwise):
      if random.nextPart() < chance { return evaluate(then, in: place.part(.key("$then"))) }
      return otherwise.map { evaluate($0, in: place.part(.key("$else"))) } ?? .value(.null)
    case .integer(let bounds, let step):
      return .value(.integer(random.next(in: bounds, step: step)))
    case .number(let lower, let upper, let digits):
      return .value(.number(Self.number(from: lower, to: upper, digits, &random)))
    case .text(let length, let alphabet):
      return .value(.string(Self.text(length, alphabet, &random)))
    case .bool(let chance): return .value(.bool(random.nextPart() < chance))
    case .uuid: return .value(.string(random.uuid()))
    case .time(let from, let to, let step):
      return time(from: from, to: to ?? from, step: step, &random, at: range, in: place)
    case .match(let pattern):
      guard let text = matcher(pattern) else { return .failed }
      return catching(as: .badRegularExpression, at: pattern.range) { () throws(PatternError) in
        .string(try text.next(&random))
      }
    case .fake(let request): return fake(request, &random, at: range, in: place)
    case .schema(let reference):
      guard let schema = schema(reference) else { return .failed }
      return catching(as: .badSchema, at: range) { () throws(PatternError) in
        var sample = SchemaSample(schema: schema, random: random)
        return try sample.value()
      }
    default: return .failed
    }
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  private static func pick(_ choices: [WeightedData], _ random: inout SplitMix64) -> Int {
    let sum = choices.reduce(0) { $0 + $1.weight }
    var rest = random.nextPart() * sum
    for (index, choice) in choices.enumerated() where choice.weight > 0 {
      if rest < choice.weight { return index }
      rest -= choice.weight
    }
    return choices.lastIndex { $0.weight > 0 } ?? 0
  }

  private static func number(
    from lower: Double, to upper: Double, _ digits: Int?, _ random: inout SplitMix64
  ) -> Double {
    let number = lower + random.nextPart() * (upper - lower)
    guard let digits else { return number }
    let scale = Glibc.pow(10, Double(digits))
    let rounded = (number * scale).rounded() / scale
    return rounded.isFinite ? Swift.min(Swift.max(rounded, lower), upper) : number
  }

  private static func text(
    _ length: ClosedRange<Int>, _ alphabet: String, _ random: inout SplitMix64
  ) -> String {
    let letters = Array(alphabet)
    let count = Int(random.next(in: Int64(length.lowerBound)...Int64(length.upperBound)))
    var text = ""
    for _ in 0..<count { text.append(letters[Int(random.next(below: UInt64(letters.count)))]) }
    return text
  }

  // MARK: - Numbers

  /// Evaluates a count: a whole number that is not negative.
  mutating func number(of node: DataNode, in place: EvaluationSite) -> Int? {
    switch evaluate(node, in: place.part(.key("$count"))) {
    case .value(.integer(let number)) where number >= 0 && number <= Self.objectLimit:
      return Int(number)
    case .value(let value):
      diagnostics.report(
        "\"count\" cannot be \(value.excerpt())", code: .outOfRange, at: node.range,
        help: "write a number from 0 to \(Self.objectLimit)")
      return nil
    case .planned, .omitted:
      diagnostics.report(
        "\"count\" must be known before the run", code: .notKnownHere, at: node.range,
        help: "write a number")
      return nil
    case .failed: return nil
    }
  }

  mutating func draw(
    _ rule: SequenceRule, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    draw(rule, of: SequenceAddress(owner: place.owner, range: range), at: range, in: place)
  }

  private mutating func draw(
    _ rule: SequenceRule, of address: SequenceAddress, at range: SourceRange,
    in place: EvaluationSite
  ) -> DataOutcome {
    let taken = drawn[address, default: 0]
    drawn[address] = taken + 1
    guard let number = number(taken, of: rule, at: range) else { return .failed }
    explanation?.record(place.address, drawn: "sequence \(number)", at: range)
    guard let value = rule.value else { return .value(.integer(number)) }
    var inner = place
    inner.number = number
    return evaluate(value, in: inner)
  }

  /// The number behind so many others.
  private mutating func number(
    _ taken: Int64, of rule: SequenceRule, at range: SourceRange
  ) -> Int64? {
    var (start, overflow) = (rule.start, false)
    if rule.scope == .suite {
      guard taken < 1_000 else {
        diagnostics.report(
          "the sequence with \"scope: suite\" has 1000 numbers for each scenario, which are all "
            + "used", code: .exhausted, at: range,
          help: "use \"scope: scenario\", which restarts in each scenario")
        return nil
      }
      let (skipped, isTooFar) = rule.step.multipliedReportingOverflow(by: 1_000)
      let (offset, isFar) = skipped.multipliedReportingOverflow(by: Int64(context.index))
      (start, overflow) = rule.start.addingReportingOverflow(offset)
      overflow = overflow || isTooFar || isFar
    }
    let (way, isTooLong) = rule.step.multipliedReportingOverflow(by: taken)
    let (number, isBeyond) = start.addingReportingOverflow(way)
    guard !overflow, !isTooLong, !isBeyond else {
      diagnostics.report(
        "the sequence from \(rule.start) in steps of \(rule.step) exceeds the range of whole numbers",
        code: .exhausted, at: range, help: "start nearer to 0, or use smaller steps")
      return nil
    }
    return number
  }

  private mutating func next(_ name: Located<String>, in place: EvaluationSite) -> DataOutcome {
    guard let sequence = sequences[name.value] else {
      diagnostics.report(
        "unknown sequence \"\(name.value)\"", code: .unknownSequence, at: name.range,
        help: sequenceNames.help(for: name.value, label: "known \"sequences\""))
      return .failed
    }
    let address = SequenceAddress(owner: "sequences", range: sequence.name.range)
    return draw(sequence.rule, of: address, at: name.range, in: place)
  }

  private mutating func value(
    among elements: [DataNode], _ isEndless: Bool, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    let address = SequenceAddress(owner: place.owner, range: range)
    let taken = drawn[address, default: 0]
    guard isEndless || taken < elements.count else {
      diagnostics.report(
        "\(elements.count == 1 ? "the only value is" : "all \(elements.count) values are") already used",
        code: .exhausted, at: range,
        help: "add a value, or write $cycle to start again")
      return .failed
    }
    drawn[address] = taken + 1
    let index = Int(taken % Int64(elements.count))
    explanation?.record(
      place.address, drawn: "value \(index + 1) of \(elements.count)", at: range)
    return evaluate(elements[index], in: place)
  }

  // MARK: - Times

  /// An instant seen from the scenario's start.
  mutating func instant(_ expression: InstantExpression, at range: SourceRange) -> WallInstant? {
    switch expression {
    case .absolute(let instant): return instant
    case .shift(let length): return start(at: range).map { $0 + length }
    case .day(let day, let time):
      guard let start = start(at: range) else { return nil }
      return day.instant(at: time, from: start)
    }
  }

  private mutating func time(
    from: InstantExpression, to: InstantExpression, step: Nanoseconds,
    _ random: inout SplitMix64, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    if place.isInReply, from.isRelative || to.isRelative {
      let seed = randomSeed(at: place.address)
      let call = RelativeTime.expression(from: from, to: to, step: step, seed: seed, at: range)
      guard case .shift(let first) = from, case .shift(let last) = to, first > last else {
        return waitingOutcome(call, at: range)
      }
      diagnostics.report(
        "the start of \"$time\", \(from.text), is after its end, \(to.text)", code: .badRange,
        at: range,
        help: "write the earlier instant first")
      return .failed
    }
    guard let first = instant(from, at: range), let last = instant(to, at: range) else {
      return .failed
    }
    guard first <= last else {
      diagnostics.report(
        "the start of \"$time\", \(first), is after its end, \(last)", code: .badRange, at: range,
        help: "write the earlier instant first")
      return .failed
    }
    return .value(.string(random.next(from: first, to: last, step: step).description))
  }

  // MARK: - Texts

  private mutating func matcher(_ pattern: Located<String>) -> MatchingText? {
    if let known = materials.matchers[pattern.value] { return known }
    let made = diagnostics.catching(as: .badRegularExpression, at: pattern.range) {
      () throws(PatternError) in
      try MatchingText(pattern.value)
    }
    materials.matchers[pattern.value] = .some(made)
    return made
  }
}

extension SplitMix64 {
  /// A number between two that is a whole number of steps from the first.
  mutating func next(in bounds: ClosedRange<Int64>, step: Int64) -> Int64 {
    guard step > 1 else { return next(in: bounds) }
    let span = UInt64(bitPattern: bounds.upperBound &- bounds.lowerBound)
    let chosen = next(below: span / UInt64(step) + 1)
    return bounds.lowerBound &+ Int64(bitPattern: chosen &* UInt64(step))
  }
}
