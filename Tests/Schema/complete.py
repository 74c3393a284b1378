"""Answers what an editor asks of the schema, in the way of yaml-language-server.

    complete.py SCHEMA QUESTIONS

QUESTIONS is a JSON list of [document, path]. Prints one line of JSON for each: the keys and values that can
be put in at the path, and what is said of the place on hover.
"""

import json
import re
import sys

from jsonschema import Draft202012Validator

KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}


class Schema:
    def __init__(self, root):
        self.root = root

    def is_valid(self, schema, value):
        whole = {**schema, "$defs": self.root["$defs"]}
        return Draft202012Validator(whole).is_valid(value)

    def resolved(self, schema):
        found = self.root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return found

    def could_be(self, schema, value):
        """Whether a value that is being written may still become what a branch wants."""
        if value is None:
            return True
        kinds = {kind for part in self.parts(schema, None) for kind in self.kinds(part)}
        return not kinds or KINDS.get(type(value), "number") in kinds

    @staticmethod
    def kinds(schema):
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        if "integer" in kinds:
            kinds.append("number")
        for word in schema.get("enum", []) + ([schema["const"]] if "const" in schema else []):
            kinds.append(KINDS.get(type(word), "number"))
        return kinds

    def parts(self, schema, value):
        """The schema and all that apply with it; of alternatives those that fit, or that may yet."""
        if not isinstance(schema, dict):
            return
        yield schema
        if "$ref" in schema:
            yield from self.parts(self.resolved(schema), value)
        for part in schema.get("allOf", []):
            yield from self.parts(part, value)
        for word in ("anyOf", "oneOf"):
            branches = schema.get(word, [])
            fitting = [] if value is None else [b for b in branches if self.is_valid(b, value)]
            if not fitting:
                fitting = [branch for branch in branches if self.could_be(branch, value)]
            for branch in fitting:
                yield from self.parts(branch, value)
        if "if" in schema:
            holds = value is not None and self.is_valid(schema["if"], value)
            yield from self.parts(schema.get("then" if holds else "else", {}), value)

    def below(self, schemas, value, step):
        for schema in schemas:
            for part in self.parts(schema, value):
                if isinstance(step, int):
                    if "items" in part:
                        yield part["items"]
                elif step in part.get("properties", {}):
                    yield part["properties"][step]
                else:
                    patterns = part.get("patternProperties", {})
                    yield from (patterns[p] for p in patterns if re.search(p, step))
                    if isinstance(part.get("additionalProperties"), dict):
                        yield part["additionalProperties"]

    def answer(self, document, path):
        schemas, value = [self.root], document
        for step in path:
            schemas = list(self.below(schemas, value, step))
            if isinstance(value, dict):
                value = value.get(step)
            elif isinstance(value, list):
                value = value[step] if step < len(value) else None
            else:
                value = None
        parts = [part for schema in schemas for part in self.parts(schema, value)]
        given = value if isinstance(value, dict) else {}
        keys = {
            key: any("description" in inner for inner in self.parts(part["properties"][key], None))
            for part in parts
            for key in part.get("properties", {})
            if key not in given
        }
        values = [word for part in parts for word in part.get("enum", [])]
        values += [part["const"] for part in parts if "const" in part]
        if any("boolean" in self.kinds(part) for part in parts):
            values += [True, False]
        said = [part["markdownDescription"] for part in parts if "markdownDescription" in part]
        said += [part["description"] for part in parts if "description" in part]
        return {"keys": keys, "values": values, "hover": said[0] if said else ""}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = Schema(json.load(file))
    with open(sys.argv[2], encoding="utf-8") as file:
        questions = json.load(file)
    for document, path in questions:
        print(json.dumps(schema.answer(document, path)))


main()
