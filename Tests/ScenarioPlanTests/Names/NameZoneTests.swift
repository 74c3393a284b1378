import MockEngine
import ScenarioPlan
import Testing

/// Which records a name has, as RFC 1034, section 4.3.2, and RFC 4592 say.
@Suite("A zone of names")
struct NameZoneTests {
  private static let address: UInt16 = 1
  private static let alias: UInt16 = 5
  private static let text: UInt16 = 16
  private static let subtreeAlias: UInt16 = 39

  private func name(
    _ name: String, _ records: (type: UInt16, data: [UInt8])..., step: Int? = nil
  ) -> PlannedName {
    var planned = PlannedName(
      name: name,
      answers: [
        PlannedName.Answer(
          records: records.map { PlannedRecord(type: $0.type, timeToLive: 5, data: $0.data) })
      ])
    planned.step = step
    return planned
  }

  private func alias(_ target: String) -> (UInt16, [UInt8]) {
    (Self.alias, NameZone.encoded(target))
  }

  private func data(
    _ zone: inout NameZone, _ name: String, _ type: UInt16 = address
  ) -> [[UInt8]] {
    zone.find(name, type: type).records.filter { $0.type == type }.map(\.data)
  }

  @Test("Aliases are followed, and their records come first")
  func aliases() {
    var zone = NameZone([
      name("a.test", alias("b.test")), name("b.test", alias("c.test")),
      name("c.test", (Self.address, [1, 2, 3, 4])), name("out.test", alias("else.where")),
      name("loop.test", alias("loop.test")),
    ])

    let finding = zone.find("a.test", type: Self.address)
    let outside = zone.find("out.test", type: Self.address)

    #expect(finding.records.map(\.owner) == ["a.test", "b.test", "c.test"])
    #expect(finding.end == .complete)
    #expect(outside.name == "else.where")
    #expect(outside.end == .absent(hasNamesBelow: false))
    #expect(zone.find("a.test", type: Self.alias).records.map(\.owner) == ["a.test"])
    #expect(zone.find("loop.test", type: Self.address).end == .endless)
  }

  @Test("A wildcard does not stand for a host, which nothing is said of then")
  func hosts() {
    var zone = NameZone(
      [name("*.test", (Self.address, [1, 1, 1, 1]))], hosts: ["web.test"])
    #expect(zone.find("web.test", type: Self.address).end == .absent(hasNamesBelow: false))
    #expect(data(&zone, "other.test") == [[1, 1, 1, 1]])
    #expect(!zone.covers("web.test"))
  }

  @Test("A wildcard stands for names that do not exist, at any depth, and not for those that do")
  func wildcards() {
    var zone = NameZone([
      name("*.test", (Self.address, [1, 1, 1, 1])), name("a.sub.test", (Self.text, [0])),
      name("here.test", (Self.text, [0])),
    ])

    #expect(data(&zone, "x.test") == [[1, 1, 1, 1]])
    #expect(zone.find("x.test", type: Self.address).records.map(\.owner) == ["x.test"])
    #expect(data(&zone, "x.y.test") == [[1, 1, 1, 1]])
    #expect(data(&zone, "here.test") == [])
    #expect(zone.find("here.test", type: Self.address).end == .unaddressed)
    // "sub.test" exists, as there is a name below it.
    #expect(zone.find("sub.test", type: Self.address).end == .absent(hasNamesBelow: true))
    #expect(zone.find("b.sub.test", type: Self.address).end == .absent(hasNamesBelow: false))
    #expect(zone.find("test", type: Self.address).end == .absent(hasNamesBelow: true))
  }

  @Test("DNAME moves what is below a name")
  func subtrees() {
    var zone = NameZone([
      name("old.test", (Self.subtreeAlias, NameZone.encoded("new.test"))),
      name("a.new.test", (Self.address, [1, 2, 3, 4])),
    ])

    let finding = zone.find("a.old.test", type: Self.address)

    #expect(finding.records.map(\.type) == [Self.subtreeAlias, Self.alias, Self.address])
    #expect(finding.records.map(\.owner) == ["old.test", "a.old.test", "a.new.test"])
    #expect(zone.find("old.test", type: Self.address).records == [])
  }

  @Test("A queue counts the lookups of each type by itself, and its last answer stays")
  func queues() {
    func answer(_ last: UInt8, times: Int) -> PlannedName.Answer {
      PlannedName.Answer(
        records: [PlannedRecord(type: Self.address, timeToLive: 0, data: [10, 0, 0, last])],
        times: times)
    }
    var zone = NameZone([
      PlannedName(name: "q.test", answers: [answer(1, times: 2), answer(2, times: 1)])
    ])

    _ = zone.find("q.test", type: 28)
    #expect((0..<4).map { _ in data(&zone, "q.test")[0][3] } == [1, 1, 2, 2])
  }

  @Test("A step's records replace those of their names")
  func steps() {
    var zone = NameZone([
      name("a.test", (Self.address, [2, 2, 2, 2]), step: 1),
      name("a.test", (Self.address, [1, 1, 1, 1]), step: 0),
      name("a.test", (Self.address, [0, 0, 0, 0]), (Self.text, [0])),
    ])

    #expect(data(&zone, "a.test") == [[0, 0, 0, 0]])
    zone.open(step: 0)
    #expect(data(&zone, "a.test") == [[1, 1, 1, 1]])
    #expect(data(&zone, "a.test", Self.text) == [])
    zone.open(step: 1)
    #expect(data(&zone, "a.test") == [[2, 2, 2, 2]])
  }

  @Test("The start of authority is that of the nearest name above")
  func authority() {
    let zone = NameZone([
      name("test", (6, [1])), name("sub.test", (6, [2])), name("a.sub.test", (Self.text, [0])),
    ])

    #expect(zone.authority(for: "a.sub.test")?.data == [2])
    #expect(zone.authority(for: "x.test")?.owner == "test")
    #expect(zone.authority(for: "else") == nil)
  }
}
