"""Reads names of enumerators and macros of HIP and its libraries, and writes each with its value in
AMD's bindings, whose modules are the arguments.

A name that the bindings do not have is written alone.
"""
import enum
import importlib
import sys

values = {}
for name in sys.argv[1:]:
    for key, thing in vars(importlib.import_module("rocm.bindings." + name)).items():
        if isinstance(thing, int):
            values[key] = int(thing)
        elif isinstance(thing, type) and issubclass(thing, enum.Enum):
            for member, item in thing.__members__.items():
                values[member] = int(item.value)
for name in sys.stdin.read().split():
    print(name, values.get(name, ""))
