internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Running cases at several dates.
struct DateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run each scenario at each of these dates and find the first at which it fails: days, timestamps, \
      ranges such as 2027-01-01..2028-12-31 or RANGE/7d, and month-ends, dst, leap-day, 2038, certificate-ends, alone \
      or as RANGE/dst.
      """, valueName: "dates"), transform: Self.selection)
  var dates: DateSelection?

  static func selection(_ text: String) throws -> DateSelection {
    do {
      return try DateSelection(text: text)
    } catch {
      throw ValidationError("\(error.message); \(error.help)")
    }
  }

  /// Puts in place of each case one for each date.
  ///
  /// - Throws: Exit code 2 where that makes no sense, after it was said.
  func apply(to input: inout PlannedInput) throws {
    guard let dates else { return }
    guard let atDate = input.atDate else {
      throw Refusal(
        "a saved plan already contains its dates", help: "leave out --plan or --dates"
      ).reported(.badArguments)
    }
    try requireClocks(input)
    var identifiers: [WallInstant: Set<String>] = [:]
    for planned in input.plan.cases {
      for date in try self.dates(dates, of: planned) {
        identifiers[date, default: []].insert(planned.identifier)
      }
    }
    var dated: [String: [PlannedCase]] = [:]
    for (date, identifiers) in identifiers.sorted(by: { $0.key < $1.key }) {
      for planned in atDate(identifiers, date) {
        dated[planned.identifier, default: []].append(planned.dated(date))
      }
    }
    input.plan.cases = input.plan.cases.flatMap { dated[$0.identifier] ?? [] }
  }

  /// Plans a case for another date; `nil` where no dates are searched.
  func planner(
    of input: PlannedInput
  ) -> (@Sendable (PlannedCase, WallInstant) -> PlannedCase?)? {
    guard dates != nil, let atDate = input.atDate else { return nil }
    return { planned, date in
      atDate([planned.undatedIdentifier], date).first?.dated(date)
    }
  }

  private func requireClocks(_ input: PlannedInput) throws {
    let timeless = input.plan.cases.filter { $0.clock == nil }
    guard !timeless.isEmpty else { return }
    for planned in timeless {
      Console.report(
        Diagnostic(
          "\"\(planned.name)\" has no clock, so --dates would change nothing",
          code: .contradictory, at: planned.range, help: "add clock: { flow: auto }"))
    }
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }

  private func dates(
    _ selection: DateSelection, of planned: PlannedCase
  ) throws -> [WallInstant] {
    do {
      return try selection.dates(for: Self.place(of: planned))
    } catch {
      Console.report(
        Diagnostic(
          "--dates: \(error.message)", code: .outOfRange, at: planned.range, help: error.help))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }

  /// Returns the facts that the dates of a case depend on.
  private static func place(of planned: PlannedCase) -> DatePlace {
    let start = planned.clock?.at
    let day = Nanoseconds.seconds(86_400).count
    let sinceEpoch = start.map { $0 - .epoch } ?? .zero
    let zone = planned.target.environment.last { $0.name == "TZ" }?.value.literal ?? "UTC"
    return DatePlace(
      from: start,
      timeOfDay: Nanoseconds((sinceEpoch.count % day + day) % day), zoneName: zone,
      certificateEnds: planned.targets.flatMap(\.files).flatMap(certificateEnds)
    ) { first, last in
      if let rule = TimeZoneRule(zone) { return rule.changes(from: first, to: last) }
      let name = zone.hasPrefix(":") ? String(zone.dropFirst()) : zone
      let path = name.hasPrefix("/") ? name : "/usr/share/zoneinfo/\(name)"
      let file = (try? FileTree.read(path)).flatMap { TimeZoneFile($0) }
      return file?.changes(from: first, to: last) ?? []
    }
  }

  private static func certificateEnds(_ file: PlannedFile) -> [WallInstant] {
    switch file.content {
    case .text(let text): CertificateEnd.ends(inPEM: text.literal ?? "")
    case .copy(let path):
      (try? FileTree.read(path)).map {
        CertificateEnd.ends(inPEM: String(decoding: $0, as: UTF8.self))
      }
        ?? []
    default: []
    }
  }
}
