import Foundations
import Testing

@Suite("Paths in with")
struct DeepOverrideTests {
  private let factories = """
    factories:
      order:
        fields:
          id: 7
          buyer: { $build: user }
          items: [{ name: pen, price: 3 }, { name: ink, price: 5 }]
          meta: { source: web, tags: { "a.b": 1, nested: { deep: 0 } } }
          note: null
          link: "${{ id }}"
      user: { fields: { name: Ada, address: { $build: address } } }
      address: { fields: { city: Oslo, line: "in ${{ city }}" } }
    """

  @Test("A path through an object goes into its with, so that its fields follow")
  func object() throws {
    let order = try Samples.data(
      "{ $build: order, with: { buyer.address.city: Paris } }", with: factories)

    #expect(order["buyer"]?["address"]?.jsonText() == #"{"city":"Paris","line":"in Paris"}"#)
    #expect(order["buyer"]?["name"] == .string("Ada"))
  }

  @Test("A path through a map sets only its end")
  func map() throws {
    let order = try Samples.data(
      #"{ $build: order, with: { meta.tags.nested.deep: 9, 'meta.tags["a.b"]': 2 } }"#,
      with: factories)

    #expect(
      order["meta"]?.jsonText()
        == #"{"source":"web","tags":{"a.b":2,"nested":{"deep":9}}}"#)
  }

  @Test("A path through a list needs an index that exists")
  func list() throws {
    let order = try Samples.data(
      #"{ $build: order, with: { "items[1].price": 6 } }"#, with: factories)
    let errors = try Samples.dataErrors(
      #"{ $build: order, with: { "items[2].price": 6 } }"#, with: factories)

    #expect(order["items"]?.jsonText() == #"[{"name":"pen","price":3},{"name":"ink","price":6}]"#)
    #expect(errors.first?.message == "\"items\" is a list of 2 and has no \"[2]\"")
  }

  @Test("A path reaches into what a plain key of the same with has set")
  func both() throws {
    let order = try Samples.data(
      "{ $build: order, with: { meta.x: 2, meta: { x: 1, y: 1 } } }", with: factories)

    #expect(order["meta"]?.jsonText() == #"{"x":2,"y":1}"#)
  }

  @Test(
    "A path that leads through something else is an error",
    arguments: [
      ("note.x", "goes through \"note\", which is null"),
      ("id.x", "goes through \"id\", which is a number"),
      ("link.x", "goes through \"link\", which is an expression"),
      ("meta.tgas.x", "\"meta\" has no \"tgas\""),
      ("meta.sorce", "\"meta\" has no \"sorce\""),
      ("buyer.adress.city", "the factory \"user\" has no field \"adress\""),
      ("meta..x", "is not a path"),
    ])
  func blocked(path: String, message: String) throws {
    let errors = try Samples.dataErrors(
      "{ $build: order, with: { \"\(path)\": 1 } }", with: factories)

    #expect(errors.count == 1)
    #expect(errors.first?.message.contains(message) == true, "\(errors.map(\.message))")
  }

  @Test("A rule of after sets what stands at a path, once the fields around it are known")
  func after() throws {
    let definitions = """
      factories:
        order:
          fields: { items: [{ price: 3 }, { price: 4 }], buyer: { $build: user }, sum: 0 }
          after_build:
            - set: { "items[1].price": "${{ items[0].price * 2 }}", buyer.city: { $omit: true } }
            - set: { sum: "${{ items[0].price + items[1].price }}" }
        user: { fields: { name: Ada, city: Ulm } }
      """
    let order = try Samples.data("{ $build: order }", with: definitions)
    let errors = try Samples.dataErrors(
      "{ $build: order }", with: definitions.replacing("buyer.city", with: "buyer.town"))

    #expect(
      order.jsonText()
        == #"{"items":[{"price":3},{"price":6}],"buyer":{"name":"Ada"},"sum":9}"#)
    #expect(errors.map(\.message) == ["the path \"buyer.town\" does not exist"])
  }
}
