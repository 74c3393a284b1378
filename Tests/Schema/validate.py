"""Validates scenario files against the schema with a stock validator.

    validate.py SCHEMA FILE...          YAML files, read by YAML 1.2's core schema
    validate.py SCHEMA --cases FILE     a JSON list of documents

Prints one line of JSON for each: its place in the list, or its path, and what is wrong with it.
"""

import json
import re
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from ruamel.yaml import YAML
from ruamel.yaml.resolver import VersionedResolver


CORE = [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+0123456789."),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", r"<<", "<"),
]


class CoreResolver(VersionedResolver):
    """The core schema of YAML 1.2: no timestamps, no digits in groups, no leading zeros."""

    @property
    def versioned_resolver(self):
        table = {}
        for tag, expression, first in CORE:
            pattern = re.compile(f"^(?:{expression})$")
            for letter in first:
                table.setdefault(letter, []).append((f"tag:yaml.org,2002:{tag}", pattern))
        return table


def load(path):
    yaml = YAML(typ="safe", pure=True)
    yaml.Resolver = CoreResolver
    with open(path, encoding="utf-8") as file:
        return with_text_keys(yaml.load(file))


def with_text_keys(value):
    """JSON has only texts for keys; how a number is written counts for nothing here."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(member) for key, member in value.items()}
    if isinstance(value, list):
        return [with_text_keys(element) for element in value]
    return value


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    if sys.argv[2] == "--cases":
        cases = enumerate(json.load(open(sys.argv[3], encoding="utf-8")))
    else:
        cases = ((path, load(path)) for path in sys.argv[2:])
    for name, document in cases:
        error = best_match(validator.iter_errors(document))
        message = f"{error.json_path}: {error.message[:300]}" if error else None
        print(json.dumps([name, message]))


main()
