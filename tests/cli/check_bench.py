"""keel bench: what it measures adds up, and what cannot be measured is said.

check_bench.py KEEL
"""
import json
import os
import subprocess
import sys
import tempfile

keel = sys.argv[1]
failed = 0


def complain(text):
    global failed
    print("FAILED:", text)
    failed = 1


def run(code, *arguments):
    """Runs it, wants that exit code, gives stdout and stderr."""
    done = subprocess.run([keel, "bench", *arguments], capture_output=True, text=True)
    if done.returncode != code:
        complain(f"{arguments}: exit code {done.returncode}, not {code}: {done.stderr}")
    return done.stdout, done.stderr


def check_row(row):
    name = row["id"]
    if row["status"] != "OK":
        complain(f"{name}: {row['status']}: {row['reason']}")
        return
    if not 0 < row["min_ns"] <= row["p50_ns"] <= row["max_ns"]:
        complain(f"{name}: times are not in order: {row}")
    if row["samples"] != 3 or row["calls_per_sample"] < 1 or row["mad_ns"] < 0:
        complain(f"{name}: 3 samples were asked for: {row}")
    for amount, rate in (("bytes", "gbps"), ("flops", "gflops")):
        if abs(row[rate] - row[amount] / row["p50_ns"]) > 1e-9 * abs(row[rate]):
            complain(f"{name}: {rate} is not {amount} over time: {row}")
    # A copy faster than 100 TB/s, or a call in less than a nanosecond, was not made.
    if row["gbps"] > 1e5 or row["p50_ns"] < 1:
        complain(f"{name}: impossibly fast: {row}")


listed = run(0, "--list")[0].split()
for name in ("ceiling/copy", "ceiling/launch", "ceiling/matmul/f32"):
    if name not in listed:
        complain(f"{name} is not in the list")

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "bench.json")
    text = run(0, "--device", "ref:0", "--filter", "ceiling/launch*", "--repeats", "3",
               "--out", path)[0]
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
if document["schema"] != "keel.bench/1" or document["devices"][0]["id"] != "ref:0":
    complain(f"not a document about ref:0: {document}")
if document["devices"][0]["simulated"] is not False:
    complain("the oracle is not simulated")
ids = [row["id"] for row in document["performance"]]
if ids != ["ceiling/launch", "ceiling/launch_and_wait"]:
    complain(f"the filter left {ids}")
for row in document["performance"]:
    check_row(row)
    if row["id"] not in text:
        complain(f"{row['id']} is not in the text")

document = json.loads(run(0, "--device", "ref:0", "--filter", "ceiling/copy", "--repeats", "3",
                          "--json")[0])
check_row(document["performance"][0])
if document["performance"][0]["bytes"] < 2 << 16:
    complain("a copy reads and writes at least 64 KiB each")

document = json.loads(run(0, "--device", "ref:0", "--filter", "ceiling/[cwr]*", "--repeats", "3",
                          "--seconds", "1", "--json")[0])
check_row(document["performance"][0])
if "1 seconds have passed" not in document["performance"][-1]["reason"]:
    complain(f"--seconds 1 did not end it: {document['performance'][-1]}")

for code, arguments, words in (
        (2, ["--repeats", "2"], "--repeats"),
        (2, ["--seconds", "0"], "--seconds"),
        (2, ["surplus"], "surplus"),
        (3, ["--device", "nowhere:0"], "nowhere:0"),
        (4, ["--filter", "nothing/*"], "nothing matches"),
        (4, [], "no device but the oracle")):
    out, err = run(code, *arguments)
    if words not in err or err.count("\n") != 1:
        complain(f"{arguments}: \"{words}\" is not in the one line on stderr: {err}")
sys.exit(failed)
