"""Prints hand-written GraphQL texts and what graphql-core thinks of them, as lines of JSON.

    graphql_rules.py documents SCHEMA | schemas | introspection SCHEMA

One text or more for each rule of the specification of October 2021: section 2 (language), section 3
(type system), section 5 (validation). `introspection` prints the type names and the schema's own text
as graphql-core prints it from a result of introspection that comes on the standard input.
"""
import json
import sys

from graphql import (
    GraphQLError, build_client_schema, build_schema, get_introspection_query, lexicographic_sort_schema,
    parse, print_schema, validate, validate_schema,
)

DOCUMENTS = [
    # 2, the language
    "", "{}", "{ a", "query", "query Q", "query {}", "{ me { id } } }", "{ me { id } } query",
    "{ me { id, name, } }", "\ufeff{ me { id } }", "{ me { id } } # end", "{ me { id } }\r\n#\r",
    "query query { me { id } }", "{ on: me { id } }", "{ me { ... on User { id } } }",
    "{ me { ...on } } fragment on on User { id }", "{ me { ... { id } } }", "{ me { ... @include(if: true) { id } } }",
    "query Q() { me { id } }", "{ user() { id } }", "{ user(id: 1,) { id } }", "{ user(id: [) { id } }",
    "{ user(id: 01) { id } }", "{ user(id: -1) { id } }", "{ user(id: -0) { id } }", "{ user(id: 1.) { id } }",
    "{ user(id: +1) { id } }", "{ user(id: 1a) { id } }", "{ user(id: .5) { id } }", "{ user(id: 0x1) { id } }",
    "{ user(id: 1e5) { id } }", '{ user(id: "a) { id } }', '{ user(id: "\\q") { id } }', '{ user(id: "\\u00g0") { id } }',
    '{ user(id: "\\u0041") { id } }', '{ user(id: "\\uD83D\\uDE00") { id } }', '{ user(id: "\\uD83D") { id } }',
    '{ user(id: "\\u{1F600}") { id } }', '{ user(id: "\\u{110000}") { id } }', '{ user(id: "\\u{D800}") { id } }',
    '{ user(id: """a "b" \\""" c""") { id } }', '{ user(id: """a) { id } }', '{ user(id: "a\nb") { id } }',
    '{ user(id: "a\tb") { id } }', "{ user(id: $) { id } }", "{ user(id: null) { id } }", "{ me { id: } }",
    "{ me: { id } }", "{ a: b: me { id } }", "query Q($a: Int = $b) { count(min: $a) }", "query Q($a) { me { id } }",
    "query Q($a: [Int) { me { id } }", "query Q($a: Int!!) { me { id } }", "query Q(a: Int) { me { id } }",
    "{ me @ { id } }", "{ me { id } } ?", "{ me { id } } type T { a: Int }", "type T { a: Int }", "schema { query: Query }",
    "extend type User { a: Int }", "{ me { id } }\x00", "{ m\u00e9 { id } }", "{ me { id } } fragment F on { id }",
    "fragment F on User { id }", "{ ...F } fragment F($a: Int) on Query { me { id } }", "{ me { ... on } }", "{ me { .. F } }",
    "subscription { tick }", "mutation { rename(id: 1, name: \"a\") { id } }", "{ me { id } } { me { id } }",
    # 5.2, operations
    "query A { me { id } } query A { me { id } }", "query A { me { id } } mutation A { rename(id: 1, name: \"\") { id } }",
    "{ me { id } } query A { me { id } }", "subscription A { tick user(id: 1) { id } }", "subscription A { ...F } fragment F on Subscription { tick user(id: 1) { id } }",
    "subscription A { __typename }", "subscription A { a: tick b: tick }", "subscription A { tick tick }", "subscription A { ... { tick } }",
    "subscription A { tick ...F } fragment F on Subscription { __typename }",
    # 5.3, fields
    "{ nothing }", "{ me { nothing } }", "{ node(id: 1) { name } }", "{ node(id: 1) { ... on User { name } } }",
    "{ search(filter: {text: \"\"}) { id } }", "{ search(filter: {text: \"\"}) { __typename } }", "{ __schema { types { name } } }",
    "{ __type(name: \"User\") { name } }", "{ __type { name } }", "{ me { __schema { types { name } } } }", "{ __typename }",
    "mutation { __schema { types { name } } }",
    "{ me { id: name id } }", "{ me { a: friends(first: 1) { id } a: friends(first: 2) { id } } }",
    "query Q($x: Int) { me { a: friends(first: $x) { id } a: friends(first: $x) { name } } }",
    "query Q($x: Int, $y: Int) { me { a: friends(first: $x) { id } a: friends(first: $y) { name } } }",
    "{ node(id: 1) { ... on User { x: name } ... on Post { x: title } } }", "{ node(id: 1) { ... on User { x: name } ... on Post { x: id } } }",
    "{ node(id: 1) { ... on User { x: age } ... on Post { x: title } } }", "{ node(id: 1) { ... on User { x: name } ... on User { x: email } } }",
    "{ node(id: 1) { ... on User { x: friends { id } } ... on Post { x: author { id } } } }",
    "{ node(id: 1) { ... on User { x: friends { y: name } } ... on User { x: friends { y: id } } } }",
    "{ me { ...A ...B } } fragment A on User { x: name } fragment B on User { x: id }",
    "{ me { friends { ...A } friends { ...B } } } fragment A on User { x: name } fragment B on User { x: id }",
    "{ me { posts(tag: \"a\") { id } posts(tag: \"a\") { title } } }", "{ a: search(filter: {text: \"a\", limit: 1}) { __typename } a: search(filter: {limit: 1, text: \"a\"}) { __typename } }",
    "{ me }", "{ me { id { x } } }", "{ count(min: 1) { x } }", "{ me { } }",
    # 5.4, arguments
    "{ user(idd: 1) { id } }", "{ user { id } }", "{ user(id: 1, id: 2) { id } }", "{ user(id: 1, other: 2) { id } }",
    "{ count(min: 1, step: null) }", "{ count(min: 1) }", "{ count(step: 1) }", "{ me @include { id } }", "{ me @include(if: true, if: false) { id } }",
    "{ me @include(iff: true) { id } }", "{ me @include(if: 1) { id } }",
    # 5.5, fragments
    "{ ...F } fragment F on Query { me { id } } fragment F on Query { me { name } }", "{ ...F } fragment F on Nothing { id }",
    "{ ...F } fragment F on Role { id }", "{ ...F } fragment F on Filter { text }", "{ me { ... on Nothing { id } } }", "{ me { ... on JSON { id } } }",
    "{ me { id } } fragment F on User { id }", "{ me { ...F } }", "{ me { ...F } } fragment F on User { ...F }",
    "{ me { ...F } } fragment F on User { ...G } fragment G on User { ...F }", "{ me { ...F } } fragment F on User { friends { ...F } }",
    "{ me { ... on Post { id } } }", "{ me { ... on Node { id } } }", "{ node(id: 1) { ... on User { id } } }", "{ node(id: 1) { ... on Result { ... on User { id } } } }",
    "{ search(filter: {text: \"\"}) { ... on Node { id } } }", "{ me { ...F } } fragment F on Post { id }", "{ me { ... on Query { me { id } } } }",
    # 5.6, values
    "{ count(min: \"1\") }", "{ count(min: 1.0) }", "{ count(min: 2147483648) }", "{ count(min: -2147483648) }", "{ count(min: true) }", "{ count(min: ONE) }", "{ count(min: {a: 1}) }",
    "{ user(id: 1.5) { id } }", "{ user(id: true) { id } }", "{ user(id: ABC) { id } }", "{ ids(ids: 1) }", "{ ids(ids: [1, \"a\"]) }", "{ ids(ids: [null]) }", "{ ids(ids: [[1]]) }",
    "{ search(filter: {}) { __typename } }", "{ search(filter: {text: null}) { __typename } }", "{ search(filter: {text: \"\", nothing: 1}) { __typename } }",
    "{ search(filter: {text: \"\", text: \"\"}) { __typename } }", "{ search(filter: {text: \"\", roles: ADMIN}) { __typename } }", "{ search(filter: {text: \"\", roles: [ADMIN, null]}) { __typename } }",
    "{ search(filter: {text: \"\", roles: [NOBODY]}) { __typename } }", "{ search(filter: {text: \"\", roles: [\"ADMIN\"]}) { __typename } }", "{ search(filter: {text: \"\", inner: {text: 1}}) { __typename } }",
    "{ search(filter: \"a\") { __typename } }", "{ search(filter: [{text: \"\"}]) { __typename } }", "{ me { score @include(if: \"true\") } }",
    "{ any(json: {a: 1, a: 2}) }", "{ any(json: {a: [1, {b: ENUM}]}) }", "query Q($a: Int) { any(json: {a: [$a]}) }", "{ any(json: {a: [$a]}) }", "{ any(json: null) }",
    "query Q($f: Float = 1) { any(json: $f) }", "query Q($f: Float = \"1\") { any(json: $f) }",
    # 5.7, directives
    "{ me @nothing { id } }", "query @include(if: true) { me { id } }", "{ me { ...F @deprecated } } fragment F on User { id }", "{ me @skip(if: true) @skip(if: false) { id } }",
    "{ me @skip(if: true) @include(if: false) { id } }", "{ me @tag(name: \"a\") @tag(name: \"b\") { id } }", "query Q @once { me { id } }", "query Q @once @once { me { id } }",
    "query Q($a: Int @variable) { count(min: 1, step: $a) }", "query Q($a: Int! @variable) { count(min: $a) }", "fragment F on User @once { id } { me { ...F } }", "{ me { ... @tag(name: \"x\") { id } } }",
    "mutation M @once { rename(id: 1, name: \"\") { id } }", "{ me { id @tag } }", "{ me { id @tag(name: 1) } }",
    # 5.8, variables
    "query Q($a: Int!, $a: Int!) { count(min: $a) }", "query Q($a: User) { me { id } }", "query Q($a: Nothing) { any(json: $a) }", "query Q { count(min: $a) }", "query Q($a: Int!) { me { id } }",
    "query Q($a: Int) { count(min: $a) }", "query Q($a: Int = 1) { count(min: $a) }", "query Q($a: Int = null) { count(min: $a) }", "query Q($a: Int) { count(min: 1, step: $a) }", "query Q($a: String!) { count(min: $a) }",
    "query Q($a: ID!) { ids(ids: $a) }", "query Q($a: ID) { ids(ids: [$a]) }", "query Q($a: [ID!]!) { ids(ids: $a) }", "query Q($a: [ID]) { ids(ids: $a) }", "query Q($a: [ID!]) { ids(ids: $a) }",
    "query Q($f: Filter!) { search(filter: $f) { __typename } }", "query Q($t: String) { search(filter: {text: $t}) { __typename } }", "query Q($t: String!) { search(filter: {text: $t}) { __typename } }",
    "query Q($l: Int) { search(filter: {text: \"\", limit: $l}) { __typename } }", "query Q($r: Role!) { search(filter: {text: \"\", roles: [$r]}) { __typename } }", "query Q($r: Role) { search(filter: {text: \"\", roles: [$r]}) { __typename } }",
    "query Q($a: Boolean!) { me { id @include(if: $a) } }", "query Q($a: Boolean) { me { id @include(if: $a) } }", "query Q($a: Boolean = true) { me { id @include(if: $a) } }",
    "query Q($a: Int!) { ...F } fragment F on Query { count(min: $a) }", "query Q { ...F } fragment F on Query { count(min: $a) }", "query A($a: Int!) { ...F } query B { ...F } fragment F on Query { count(min: $a) }",
    "query A($a: Int!) { ...F } query B($a: String!) { ...F } fragment F on Query { count(min: $a) }", "query Q($a: Int!) { ...F } fragment F on Query { ...G } fragment G on Query { count(min: $a) }",
    "query Q($a: Int!) { ...F ...G } fragment F on Query { me { id } } fragment G on Query { me { name } }", "query Q($a: Int! = 1) { count(min: $a) }", "query Q($a: Int! = \"x\") { count(min: $a) }",
    "query Q($a: Int! = null) { count(min: $a) }", "query Q($f: Filter = {text: 1}) { any(json: $f) }", "query Q($f: Filter = {}) { any(json: $f) }", "query Q($r: [Role] = ADMIN) { any(json: $r) }", "query Q($r: Role = NOBODY) { any(json: $r) }",
    "query Q($a: Int) { any(json: $a) }", "subscription S($a: Int) { tick(every: $a) }", "query ($a: Int!) { count(min: $a) }",
]

Q = "type Query { a: Int } "
SCHEMAS = [
    "", Q, "type Query { }", "type Query", "type Q { a: Int }", "schema { query: Q } type Q { a: Int }", "schema { query: Q }", "schema { } " + Q, "schema { query: Query query: Query } " + Q,
    "schema { query: Query } schema { query: Query } " + Q, "schema { mutation: M } type M { a: Int }", "schema { query: I } interface I { a: Int }", "schema { query: Query mutation: Query } " + Q,
    "schema @d { query: Query } directive @d on SCHEMA " + Q, "extend schema @d directive @d on SCHEMA " + Q, "extend schema { mutation: M } type M { a: Int } " + Q, "schema { query: Query } extend schema { query: Query } " + Q,
    "schema { query: Query } extend schema { mutation: M } type M { a: Int } " + Q, "extend schema " + Q, "\"a\" schema { query: Query } " + Q, "\"\"\"a\"\"\" type Query { \"b\" a: Int }", "\"a\" extend type Query { b: Int } " + Q,
    Q + "type A { a: B }", Q + "type A { a: Int a: Int }", Q + "type A { a: Int } type A { b: Int }", Q + "type A { a(b: Int, b: Int): Int }", Q + "type A { a(b: A): Int }", Q + "type A { a: I } input I { a: Int }", Q + "type __A { a: Int }", Q + "type A { __a: Int }",
    Q + "type A { a(__b: Int): Int }", Q + "type Int { a: Int }", Q + "scalar Int", Q + "scalar A", Q + "scalar A scalar A", Q + "scalar A @specifiedBy(url: \"x\")", Q + "scalar A @specifiedBy", Q + "extend scalar A @d scalar A directive @d on SCALAR", Q + "extend scalar A",
    Q + "interface I { a: Int } type A implements I { a: Int }", Q + "interface I { a: Int } type A implements I { b: Int }", Q + "interface I { a: Int } type A implements I { a: Int! }", Q + "interface I { a: Int! } type A implements I { a: Int }", Q + "interface I { a: I } type A implements I { a: A }",
    Q + "interface I { a: [I] } type A implements I { a: [A!]! }", Q + "interface I { a: [I] } type A implements I { a: A }", Q + "interface I { a(b: Int): Int } type A implements I { a: Int }", Q + "interface I { a(b: Int): Int } type A implements I { a(b: Int, c: Int): Int }",
    Q + "interface I { a: Int } type A implements I { a(c: Int!): Int }", Q + "interface I { a: Int } type A implements I { a(c: Int! = 1): Int }", Q + "interface I { a(b: Int): Int } type A implements I { a(b: Int!): Int }", Q + "type A implements B { a: Int } type B { a: Int }", Q + "type A implements Nothing { a: Int }",
    Q + "interface I { a: Int } type A implements I & I { a: Int }", Q + "interface I implements I { a: Int }", Q + "interface I implements J { a: Int } interface J implements I { a: Int }", Q + "interface I { a: Int } interface J implements I { a: Int } type A implements J { a: Int }", Q + "interface I { a: Int } interface J implements I { a: Int } type A implements J & I { a: Int }",
    Q + "type A implements & I { a: Int } interface I { a: Int }", Q + "type A implements I I2 { a: Int } interface I { a: Int } interface I2 { a: Int }", Q + "interface I { a: U } union U = A type A implements I { a: A }", Q + "interface I", Q + "interface I { a: Int }",
    Q + "union U = A type A { a: Int }", Q + "union U = | A type A { a: Int }", Q + "union U", Q + "union U =", Q + "union U = A | A type A { a: Int }", Q + "union U = I interface I { a: Int }", Q + "union U = Nothing", Q + "union U = Int", Q + "extend union U = B union U = A type A { a: Int } type B { a: Int }", Q + "extend union U = A union U = A type A { a: Int }",
    Q + "enum E { A B }", Q + "enum E { }", Q + "enum E", Q + "enum E { A A }", Q + "enum E { true }", Q + "enum E { null }", Q + "enum E { __A }", Q + "enum E { A @deprecated }", Q + "extend enum E { B } enum E { A }", Q + "extend enum E { A } enum E { A }",
    Q + "input I { a: Int = 1 }", Q + "input I { a: Int = \"x\" }", Q + "input I { }", Q + "input I { a: A } type A { a: Int }", Q + "input I { a: I }", Q + "input I { a: I! }", Q + "input I { a: [I!]! }", Q + "input I { a: J! } input J { a: I! }", Q + "input I { a: J! } input J { a: I }", Q + "input I { a: Int a: Int }", Q + "input I { a: Int! @deprecated }", Q + "input I { a: Int @deprecated }",
    Q + "input I { a: Int! = 1 @deprecated }", Q + "type A { a(b: Int! @deprecated): Int }", Q + "type A { a(b: Int @deprecated(reason: \"x\")): Int }", Q + "input I { a(b: Int): Int }", Q + "input I { __a: Int }", Q + "extend input I { b: Int } input I { a: Int }",
    Q + "directive @d on FIELD", Q + "directive @d on | FIELD | QUERY", Q + "directive @d on NOTHING", Q + "directive @d", Q + "directive @d on FIELD directive @d on FIELD", Q + "directive @__d on FIELD", Q + "directive @d(a: Int, a: Int) on FIELD", Q + "directive @d(a: A) on FIELD type A { a: Int }", Q + "directive @d(a: Int = 1) repeatable on OBJECT type A @d @d(a: 2) { a: Int }",
    Q + "directive @d on OBJECT type A @d @d { a: Int }", Q + "directive @d on OBJECT enum A @d { B }", Q + "type A @nothing { a: Int }", Q + "directive @d(a: Int!) on OBJECT type A @d { a: Int }", Q + "directive @d(a: Int!) on OBJECT type A @d(a: \"x\") { a: Int }", Q + "directive @d(a: Int) on OBJECT type A @d(b: 1) { a: Int }", Q + "directive @d(a: Int) on OBJECT type A @d(a: 1, a: 2) { a: Int }",
    Q + "directive @include(if: Boolean!) on FIELD", Q + "directive @skip on FIELD", Q + "directive @d(a: Int @d) on ARGUMENT_DEFINITION", Q + "directive @d on FIELD FIELD", Q + "extend directive @d on FIELD",
    Q + "extend type Query { b: Int }", Q + "extend type Query { a: Int }", Q + "extend type Nothing { a: Int }", Q + "extend interface Query { b: Int }", Q + "extend type Query implements I interface I { a: Int }", Q + "extend type Query @d directive @d on OBJECT", Q + "extend type Query", Q + "extend type Query { }", Q + "extend type Int { a: Int }",
    "{ a }", Q + "query { a }", Q + "type", Q + "typ A { a: Int }", Q + "type A { a }", Q + "type A { a: }", Q + "type A { a: [Int }", Q + "type A { a: Int = 1 }", Q + "type A { a(b: Int = $c): Int }", Q + "type A { a: Int, b: Int }", Q + "# only a comment", "# only a comment",
    Q + "type A { type: Int input: Int enum: Int on: Int fragment: Int query: Int true: Int }", Q + "type type { a: Int }", Q + "input input { input: Int }", Q + "enum E { on type query }",
    Q + "type A { a(b: E = X): Int } enum E { X }", Q + "type A { a(b: E = Y): Int } enum E { X }", Q + "type A { a(b: I = {c: 1}): Int } input I { c: Int! }", Q + "type A { a(b: I = {}): Int } input I { c: Int! }", Q + "type A { a(b: [Int] = 1): Int }", Q + "type A { a(b: [Int!] = [null]): Int }", Q + "type A { a(b: Int! = null): Int }",
    Q + "type A { a(b: JSON = {x: [1]}): Int } scalar JSON", Q + "type A { a(b: ID = 1): Int }", Q + "type A { a(b: Float = 1): Int }", Q + "type A { a(b: Boolean = 1): Int }",
]


def is_document_valid(text, schema):
    try:
        document = parse(text)
    except GraphQLError as error:
        return False, error.message
    errors = validate(schema, document)
    return not errors, errors[0].message if errors else ""


def is_schema_valid(text):
    try:
        errors = validate_schema(build_schema(text))
    except (GraphQLError, TypeError) as error:
        return False, str(error)
    return not errors, errors[0].message if errors else ""


def main():
    what = sys.argv[1]
    if what == "query":
        print(json.dumps({"query": get_introspection_query(
            schema_description=True, specified_by_url=True, directive_is_repeatable=True,
            input_value_deprecation=True)}))
    elif what == "introspection":
        with open(sys.argv[2]) as file:
            written = build_schema(file.read())
        told = build_client_schema(json.load(sys.stdin)["data"])
        same = print_schema(lexicographic_sort_schema(told)) == print_schema(lexicographic_sort_schema(written))
        print(json.dumps({"same": same, "told": print_schema(lexicographic_sort_schema(told))}))
    elif what == "documents":
        with open(sys.argv[2]) as file:
            schema = build_schema(file.read())
        for text in DOCUMENTS:
            valid, reason = is_document_valid(text, schema)
            print(json.dumps({"text": text, "valid": valid, "reason": reason}))
    else:
        for text in SCHEMAS:
            valid, reason = is_schema_valid(text)
            print(json.dumps({"text": text, "valid": valid, "reason": reason}))


main()
