import Foundations
import OrderedCollections
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
@testable import ScenarioTools
import Testing

@Suite("Mutations of data")
struct MutationTests {
  private let user = """
    factories:
      address: { fields: { street: 1 Main St, city: London } }
      user: { fields: { id: 7, name: Bob, tags: [a, b], address: { $build: address } } }
    """

  private func data(_ rule: String, seed: Int = 1) throws -> Value {
    try Samples.data("{ $mutate: { \(rule) } }", with: user + "\nseed: \(seed)")
  }

  private func changed(_ rule: String, seed: Int) throws -> [String] {
    let plain = Dictionary(
      uniqueKeysWithValues: try Samples.data("{ $build: user }", with: user).leaves.map {
        ($0.path, $0.value)
      })
    let other = Dictionary(
      uniqueKeysWithValues: try data(rule, seed: seed).leaves.map { ($0.path, $0.value) })
    return Set(plain.keys).union(other.keys).filter { plain[$0] != other[$0] }.sorted()
  }

  @Test("The same seed makes the same change, another seed another one, and every seed makes one")
  func seeds() throws {
    let plain = try Samples.data("{ $build: user }", with: user)
    var found: Set<Value> = []
    for seed in 1...40 {
      let value = try data("of: { $build: user }", seed: seed)
      #expect(try data("of: { $build: user }", seed: seed) == value)
      #expect(value != plain)
      found.insert(value)
    }
    #expect(found.count > 20)
  }

  @Test("More changes leave the first ones as they are, and none touches another")
  func counts() throws {
    for seed in 1...20 {
      let one = try changed("of: { $build: user }, only: [id, name, tags]", seed: seed)
      let two = try changed("of: { $build: user }, count: 2, only: [id, name, tags]", seed: seed)
      #expect(Set(one).isSubset(of: two) && two.count > one.count, "\(one) \(two)")
    }
  }

  @Test("Only what is named is changed, and what is excepted never")
  func paths() throws {
    var elementCount = 0
    for seed in 1...40 {
      let city = try changed("of: { $build: user }, only: [address.city]", seed: seed)
      #expect(city.allSatisfy { $0.hasPrefix("address.city") } && !city.isEmpty)
      let rest = try changed("of: { $build: user }, count: 9, except: [address, id]", seed: seed)
      #expect(!rest.contains { $0.hasPrefix("address") || $0 == "id" })
      let elements = try changed("of: { $build: user }, only: ['tags[*]']", seed: seed)
      #expect(elements.allSatisfy { $0.hasPrefix("tags[") }, "\(elements)")
      elementCount += elements.count
    }
    #expect(elementCount > 10)
  }

  @Test(
    "Each kind does what it says",
    arguments: [
      ("nil", "name", "null"), ("omit", "'tags[0]'", "[\"b\"]"),
      ("empty", "tags", "[]|[\"\",\"b\"]|[\"a\",\"\"]"),
      ("duplicate", "tags", "[\"a\",\"a\",\"b\"]|[\"a\",\"b\",\"b\"]"),
      (
        "extra", "address",
        "{\"street\":\"1 Main St\",\"city\":\"London\",\"unexpected\":\"unexpected\"}"
      ),
      ("long", "name", "\"" + String(repeating: "a", count: 10_000) + "\""),
      ("type", "id", "\"7\"|true|[7]|{\"value\":7}"),
    ])
  func kinds(kind: String, path: String, results: String) throws {
    let field = path.replacing("'", with: "").replacing("[0]", with: "")
    for seed in 1...20 {
      let value = try data("of: { $build: user }, kinds: [\(kind)], only: [\(path)]", seed: seed)
      let text = value[field]?.jsonText() ?? "nothing"
      #expect(results.split(separator: "|").contains { $0 == text }, "\(text)")
    }
  }

  @Test("Boundaries and texts are never what stood there, and 100 lists stand around what is deep")
  func extremes() throws {
    for seed in 1...40 {
      #expect(
        try data("of: { $build: user }, kinds: [boundary]", seed: seed)["id"] != .integer(7))
      let text = try data("of: { $build: user }, kinds: [text], only: [name]", seed: seed)["name"]
      #expect(text != .string("Bob"))
    }
    var deep = try data("of: { $build: user }, kinds: [deep], only: [id]")["id"]
    for _ in 0..<100 { deep = deep?[0] }
    #expect(deep == .integer(7))
  }

  @Test("A plan names the changes, and a reduced one makes some of them")
  func reduced() throws {
    let text =
      "version: 2\n" + user + """

        target:
          command: [cat, user.json]
          files: { user.json: { json: { $mutate: { of: { $build: user }, count: 3 } } } }
        """
    let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
    var options = PlannerOptions(fileExists: { _ in true })
    let whole = try #require(Planner.plan(files: [file], options: options).plan?.cases.first)
    #expect(whole.mutations?.count == 3)
    options.reduced = (whole.identifier, [1])
    let one = try #require(Planner.plan(files: [file], options: options).plan?.cases.first)
    #expect(one.mutations == whole.mutations && one != whole)
    options.reduced = (whole.identifier, [])
    let none = try #require(Planner.plan(files: [file], options: options).plan?.cases.first)
    guard case .json(let data)? = none.target.files.first?.content else {
      Issue.record("no file")
      return
    }
    #expect(
      try data.resolve(in: CaseScope(directory: "/case"))
        == Samples.data("{ $build: user }", with: user))
    options.reduced = ("test.yaml::another", [])
    #expect(Planner.plan(files: [file], options: options).plan?.cases.isEmpty == true)
  }

  @Test(
    "Mistakes are reported at check",
    arguments: [
      ("of: { $build: user }, only: [adress]", "the path \"adress\" does not exist"),
      ("of: 7, kinds: [text]", "\"$mutate\" finds no value to change"),
      ("of: \"${{ dir }}\"", "the value of \"$mutate\" must be known before the run"),
      ("of: { $build: user }, only: ['$[1:2]']", "\"$[1:2]\" is not a path to fields"),
    ])
  func mistakes(rule: String, message: String) throws {
    let errors = try Samples.dataErrors("{ $mutate: { \(rule) } }", with: user)
    #expect(errors.map(\.message) == [message])
  }

  @Test(
    "The search ends with the few that matter",
    arguments: [[3], [0, 9], [2, 3, 4], [1, 5, 8, 9], []] as [[Int]])
  func search(needed: [Int]) {
    let result = MutationSearch.run(10) { $0.isSuperset(of: needed) }
    #expect(result.needed == needed && result.isMinimal && result.runs <= MutationSearch.runLimit)
  }

  @Test("A search that is stopped, or that takes too long, says that it is not at its end")
  func bounded() {
    var runs = 0
    let stopped = MutationSearch.run(10) { _ in
      runs += 1
      return runs < 3 ? false : nil
    }
    #expect(!stopped.isMinimal && stopped.needed == Array(0..<10))
    let long = MutationSearch.run(100) { $0.count == 100 }
    #expect(!long.isMinimal && long.runs == MutationSearch.runLimit)
  }
}
