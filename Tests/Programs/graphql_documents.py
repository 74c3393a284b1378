"""Prints GraphQL documents and what graphql-core thinks of them, as lines of JSON.

    graphql_documents.py SCHEMA SEED COUNT

Most documents are valid but for one or two places, so that a rule that is too strict shows as well as
one that is missing.
"""
import json
import random
import sys

from graphql import build_schema, parse, validate

FIELDS = {
    "Query": ["me", "user", "node", "search", "count", "ids", "__typename"],
    "User": ["id", "name", "email", "age", "role", "friends", "posts", "score", "__typename"],
    "Post": ["id", "title", "author", "data"],
    "Node": ["id", "__typename"],
    "Result": ["__typename"],
    "Mutation": ["rename"],
    "Subscription": ["tick", "user"],
}
TYPES = {
    "me": "User", "user": "User", "node": "Node", "search": "Result", "friends": "User",
    "posts": "Post", "author": "User", "rename": "User",
}
ARGUMENTS = {
    "user": {"id": ["1", '"x"', "$id"]},
    "node": {"id": ["1", "$id"]},
    "search": {"filter": ['{text: "a"}', "$f", '{text: $b, roles: [ADMIN]}']},
    "count": {"min": ["1", "$a"], "step": ["2", "$a"]},
    "ids": {"ids": ["[1]", "5", "$id"]},
    "friends": {"first": ["3", "$a", "null"]},
    "posts": {"tag": ['"t"', "$b"]},
    "rename": {"id": ["1", "$id"], "name": ['"n"', "$b"]},
    "tick": {"every": ["1", "$a"]},
}
WRONG = [
    "1", '"a"', "null", "true", "ADMIN", "1.5", "$a", "$b", "$zzz", "[1, 2]", '["x", $a]', "{}",
    '{text: "x"}', "{text: 1}", '{txt: "a"}', "3000000000", "[]", '{text: "q", roles: [NOBODY]}',
]
VARIABLES = "($a: Int!, $b: String!, $c: Boolean!, $f: Filter!, $id: ID!)"
FRAGMENTS = {"User": "F", "Post": "G", "Node": "H"}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def strays(self, probability=0.01):
        return self.random.random() < probability

    def arguments(self, field):
        parts = []
        for name, values in ARGUMENTS.get(field, {}).items():
            if self.strays():
                continue
            value = self.random.choice(WRONG if self.strays(0.03) else values)
            parts.append(f"{name}: {value}")
        if self.strays():
            parts.append("zzz: 1")
        return f"({', '.join(parts)})" if parts else ""

    def directives(self):
        if self.strays():
            return self.random.choice([" @zzz", " @skip", " @include(if: 3)", " @skip(if: $zzz)"])
        return self.random.choice([" @skip(if: true)", " @include(if: $c)"]) if self.strays(0.1) else ""

    def field(self, type_name, depth):
        name = "zzz" if self.strays() else self.random.choice(FIELDS[type_name])
        alias = self.random.choice(["", "a: "]) if self.strays(0.1) else f"k{self.random.randrange(10**6)}: "
        text = alias + name + self.arguments(name) + self.directives()
        result = TYPES.get(name)
        if result if not self.strays() else not result:
            text += " " + self.selections(result or "User", depth - 1)
        return text

    def selections(self, type_name, depth):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.75 or depth <= 0:
                parts.append(self.field(type_name, depth))
            elif kind < 0.9:
                inner = type_name
                if type_name in ("Node", "Result"):
                    inner = self.random.choice(["User", "Post", type_name])
                if self.strays(0.05):
                    inner = self.random.choice(["User", "Role", "Zzz"])
                below = inner if inner in FIELDS else type_name
                parts.append(f"... on {inner}{self.directives()} {self.selections(below, depth - 1)}")
            elif type_name in FRAGMENTS or self.strays(0.1):
                parts.append("..." + FRAGMENTS.get(type_name, "F"))
        return "{ " + " ".join(parts or ["__typename"]) + " }"

    def document(self):
        kind = self.random.choice(["query"] * 6 + ["mutation", "subscription"])
        selections = self.selections(kind.capitalize(), 3)
        if not self.strays(0.05):
            # What is not used is an error of its own, which would hide all others.
            selections = selections[:-1] + "u: __typename @skip(if: $c) }" if kind == "query" else selections
        text = f"{kind} Q{VARIABLES} {selections}"
        bodies = {name: self.selections(type_name, 2) for type_name, name in FRAGMENTS.items()}
        needed, pending = set(), [selections]
        while pending:
            here = pending.pop()
            for name in bodies:
                if f"...{name}" in here and name not in needed:
                    needed.add(name)
                    pending.append(bodies[name])
        for type_name, name in FRAGMENTS.items():
            if (name in needed) != self.strays():
                text += f" fragment {name} on {type_name} {bodies[name]}"
        used = [name for name in ("a", "b", "c", "f", "id") if text.count(f"${name}") > 1]
        if not self.strays(0.05):
            kept = [part for part in VARIABLES[1:-1].split(", ") if part[1 : part.index(":")] in used]
            text = text.replace(VARIABLES, f"({', '.join(kept)})" if kept else "", 1)
        return text


def main():
    schema = build_schema(open(sys.argv[1]).read())
    generator = Generator(int(sys.argv[2]))
    remaining = int(sys.argv[3])
    while remaining:
        text = generator.document()
        errors = [error.message for error in validate(schema, parse(text))]
        # A rule that came after October 2021, and hides others.
        if any("must not use `@skip`" in message for message in errors):
            continue
        remaining -= 1
        print(json.dumps({"document": text, "valid": not errors, "errors": errors[:3]}))


main()
