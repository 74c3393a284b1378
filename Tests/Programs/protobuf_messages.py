"""Prints messages of all.proto at random: their bytes, and their JSON as Google's own library writes it.

Arguments: the folder of all.proto, a folder for generated code, the seed, and the number of messages. Each line is a map
of JSON with the bytes in hexadecimal digits ("hex"), the JSON ("json"), and the JSON with defaults ("full").
"""

import json
import random
import sys

from google.protobuf import duration_pb2, json_format
from grpc_tools import protoc

FOLDER, OUTPUT, SEED, COUNT = sys.argv[1:]
protoc.main(["", f"-I{FOLDER}", f"--python_out={OUTPUT}", f"{FOLDER}/all.proto"])
sys.path.insert(0, OUTPUT)

import all_pb2

rng = random.Random(int(SEED))

SIGNED_32 = [0, 1, -1, 2**31 - 1, -(2**31), 1234]
SIGNED_64 = [0, 1, -1, 2**63 - 1, -(2**63), 10**12]
UNSIGNED_32 = [0, 1, 2**32 - 1, 1234]
UNSIGNED_64 = [0, 1, 2**64 - 1, 10**15]
# By the numbers of google.protobuf.FieldDescriptorProto.Type.
NUMBERS = {
    1: [0.0, 1.5, -2.25, 1e300, float("inf"), 0.1, 1e20, 3.0],
    2: [0.0, 1.5, 0.1, 1e10, 16777216.0, float("-inf"), 3.4e38],
    3: SIGNED_64, 4: UNSIGNED_64, 5: SIGNED_32, 6: UNSIGNED_64, 7: UNSIGNED_32, 8: [False, True],
    9: ["", "x", "é€😀", 'a\nb"', "${{ x }}"],
    12: [b"", b"\0", b"\xff\xfe\x00\x01", b"abcde"],
    13: UNSIGNED_32, 15: SIGNED_32, 16: SIGNED_64, 17: SIGNED_32, 18: SIGNED_64,
}


def scalar(field):
    if field.type == 14:
        return rng.choice([value.number for value in field.enum_type.values])
    return rng.choice(NUMBERS[field.type])


def fill_value(value, depth):
    kind = rng.randrange(6 if depth < 3 else 4)
    if kind == 0:
        value.null_value = 0
    elif kind == 1:
        value.number_value = rng.choice([1.0, 2.5, -3.0])
    elif kind == 2:
        value.string_value = "s"
    elif kind == 3:
        value.bool_value = True
    elif kind == 4:
        value.struct_value.SetInParent()
        fill_struct(value.struct_value, depth + 1)
    else:
        value.list_value.SetInParent()
        fill_list(value.list_value, depth + 1)


def fill_struct(struct, depth):
    for index in range(rng.randrange(3)):
        fill_value(struct.fields[f"k{index}"], depth + 1)


def fill_list(values, depth):
    for _ in range(rng.randrange(3)):
        fill_value(values.values.add(), depth + 1)


def fill_timestamp(message, _):
    message.seconds = rng.choice([0, -62135596800, 253402300799, 1700000000])
    message.nanos = rng.choice([0, 1, 1000000, 999999999, 500000])


def fill_duration(message, _):
    sign = rng.choice([1, -1])
    message.seconds = sign * rng.choice([0, 5, 315575999999])
    message.nanos = sign * rng.choice([0, 1, 1000000, 999999999])


def fill_mask(message, _):
    message.paths.extend(rng.choice([[], ["a_b", "c.d_e"]]))


def fill_any(message, _):
    content = rng.choice([None, all_pb2.Inner(name="q"), duration_pb2.Duration(seconds=3)])
    if content:
        message.Pack(content)


WELL_KNOWN = {
    "Any": fill_any, "Duration": fill_duration, "FieldMask": fill_mask, "ListValue": fill_list,
    "Struct": fill_struct, "Timestamp": fill_timestamp, "Value": fill_value,
}


def fill_map(field, entries, depth):
    key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
    for _ in range(rng.randrange(3)):
        if value.message_type:
            fill(entries[scalar(key)], depth + 1)
        else:
            entries[scalar(key)] = scalar(value)


def fill_field(field, message, depth):
    if field.message_type and field.message_type.GetOptions().map_entry:
        fill_map(field, getattr(message, field.name), depth)
    elif field.is_repeated:
        for _ in range(rng.randrange(4)):
            if field.message_type:
                fill(getattr(message, field.name).add(), depth + 1)
            else:
                getattr(message, field.name).append(scalar(field))
    elif not field.message_type:
        setattr(message, field.name, scalar(field))
    elif depth < 4:
        getattr(message, field.name).SetInParent()
        fill(getattr(message, field.name), depth + 1)


def fill(message, depth=0):
    package, _, name = message.DESCRIPTOR.full_name.rpartition(".")
    if package == "google.protobuf" and name in WELL_KNOWN:
        return WELL_KNOWN[name](message, depth)
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.5:
            fill_field(field, message, depth)


for _ in range(int(COUNT)):
    message = all_pb2.All()
    fill(message)
    sample = {
        "hex": message.SerializeToString().hex(),
        "json": json.loads(json_format.MessageToJson(message)),
        "full": json.loads(json_format.MessageToJson(message, always_print_fields_with_no_presence=True)),
    }
    print(json.dumps(sample))
