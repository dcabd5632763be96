"""A written report against docs/report.schema.json, by a validator that is not ours.

check_schema.py PROGRAM SCHEMA: exit code 77 where there is no jsonschema (Debian: python3-jsonschema).
"""
import copy
import json
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: no Python module jsonschema (Debian: python3-jsonschema)")
    sys.exit(77)

program, schema_path = sys.argv[1:]
with open(schema_path, encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.Draft202012Validator(schema)
validator.check_schema(schema)

with tempfile.TemporaryDirectory() as folder:
    for arguments, code in [
        (["--device", "ref:0", "--filter", "*/f16/*"], (0, 1)),
        ([], (4,)),
    ]:
        command = [program, "conformance", "--out", folder, "--quiet", *arguments]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert done.returncode in code, (command, done.returncode)
        with open(folder + "/report.json", encoding="utf-8") as file:
            # NaN and Infinity are no JSON: Python would take them.
            report = json.load(file, parse_constant=lambda name: sys.exit(f"{name} in the report"))
        for error in validator.iter_errors(report):
            sys.exit(f"{command}: {error.json_path}: {error.message}")
        if arguments:
            assert report["cases"], "no cases: nothing was validated"
            whole = report

# The schema is not so wide that anything passes: each required member of a case is missed.
for name in validator.schema["$defs"]["case"]["required"]:
    broken = copy.deepcopy(whole)
    del broken["cases"][0][name]
    assert not validator.is_valid(broken), f"a case without {name} is valid"
