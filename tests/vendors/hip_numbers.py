"""Reads names of enumerators and macros of HIP, and writes each with its value in AMD's bindings.

A name that the bindings do not have is written alone.
"""
import enum
import sys

from rocm.bindings import hip, hiprtc

values = {}
for module in (hip, hiprtc):
    for name, thing in vars(module).items():
        if isinstance(thing, int):
            values[name] = int(thing)
        elif isinstance(thing, type) and issubclass(thing, enum.Enum):
            for member, item in thing.__members__.items():
                values[member] = int(item.value)
for name in sys.stdin.read().split():
    print(name, values.get(name, ""))
