#!/bin/sh
# scripts/gpu-check with a program "keel" that plays parts: what is wrong, late or missing is said, and
# what is kept stays within its limits.
#   check_gpu_check.sh GPU-CHECK
set -eu
script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
  echo "FAILED: $*"
  failed=1
}

# The part of each command is in a file of its name: a shell script.
mkdir "$work/parts"
cat >"$work/keel" <<'END'
#!/bin/sh
case $1 in --version) echo 'keel fake'; exit ;; esac
parts=$(dirname "$0")/parts
command=$1 op=${2:-}
echo "$*" >>"$parts/calls"
shift
while [ $# -gt 0 ]; do
  case $1 in --out) out=$2 ;; esac
  shift
done
. "$parts/$command"
END
chmod 755 "$work/keel"

# part COMMAND: its script, from stdin.
part() {
  cat >"$work/parts/$1"
}

usual_parts() {
  part devices <<'END'
cat <<'TEXT'
  ref:0        oracle on the host  cpu, the oracle: never a default
* cuda:0       Fake GPU  gpu, 80.0 GiB
  opencl:0     Fake GPU  gpu, 80.0 GiB
  opencl:1     Fake CPU  cpu

Devices
  cuda:0       it is the only device
TEXT
END
  part conformance <<'END'
mkdir -p "$out"
echo '{}' >"$out/report.json"
echo 'the driver said a word' >"$out/worker-cuda.log"
echo '9 cases: 9 PASS; exit code 0'
END
  part bench <<'END'
echo '  ceiling/copy  1 ns  1.0 GB/s'
echo '{}' >"$out"
END
  part op <<'END'
echo fine
END
  : >"$work/parts/calls"
}

# check CODE: runs the script, wants that exit code and the limits kept.
check() {
  code=0
  rm -rf "$work/result"
  PATH=$work/tools:$PATH KEEL=$work/keel sh "$script" --seconds 30 --out "$work/result" \
    >"$work/out" 2>&1 || code=$?
  [ "$code" = "$1" ] || complain "exit code $code, not $1: $(cat "$work/out")"
  [ "$(find "$work/result" -type f | wc -l)" -le 8 ] || complain "more than 8 files"
  [ -z "$(find "$work/result" -type d -mindepth 1)" ] || complain "a folder in the folder"
  [ -z "$(find "$work/result" -size +16384k)" ] || complain "a file of more than 16 MiB"
}

# said TEXT: in what it printed.
said() {
  grep -q "$1" "$work/out" || complain "\"$1\" was not said: $(cat "$work/out")"
}

mkdir "$work/tools"
ln -s /bin/false "$work/tools/nvidia-smi"
printf '#!/bin/sh\nshift 4\nexec "$@"\n' >"$work/tools/compute-sanitizer"
chmod 755 "$work/tools/compute-sanitizer"

usual_parts
check 0
said '^ok *devices *cuda:0 opencl:0'
said '^ok *conformance .*9 PASS'
said '^ok *memory'
grep -q 'driver said a word' "$work/result/conformance.txt" || complain "the worker's words are lost"
grep -q -- '--device cuda:0 --device opencl:0 --tier quick .*--jobs 2' "$work/parts/calls" ||
  complain "not all GPUs, and no others, were tested: $(cat "$work/parts/calls")"
[ "$(tail -n 1 "$work/out")" = 'gpu-check: OK' ] || complain 'the last line is not the verdict'
! grep -q 'opencl:1' "$work/parts/calls" || complain 'a CPU was tested beside GPUs'

usual_parts
printf 'echo 9 cases: 1 FAIL; exit 1\n' | part conformance
check 1
said '^WRONG *conformance .*no report'
said '^gpu-check: WRONG'

usual_parts
# shellcheck disable=SC2016 # the part expands it
echo 'case $op in add) echo out of bounds; exit 9 ;; esac' | part op
check 1
said '^WRONG *memory'

usual_parts
part conformance <<'END'
mkdir -p "$out"
head -c 20000000 /dev/zero | tr '\0' 'x' >"$out/report.json"
head -c 20000000 /dev/zero | tr '\0' 'x'
END
check 0
[ -s "$work/result/report.json.gz" ] || complain 'a report of 20 MB was not compressed'

usual_parts
echo 'exec sleep 1000' | part bench
check 3
said '^UNFINISHED *bench'
said '^gpu-check: UNFINISHED'

usual_parts
sed -i 's/80.0 GiB/80.0 GiB, simulated/' "$work/parts/devices"
check 0
said 'SIMULATED'
said '^skipped *memory'

usual_parts
echo 'echo "  ref:0        oracle on the host  cpu, the oracle: never a default"' | part devices
check 4
said 'there is no device'

usual_parts
echo 'echo "keel: broken" >&2; exit 3' | part devices
check 1
said 'keel devices failed: keel: broken'

for arguments in '--seconds 29' '--seconds x' '--out' '--no-such'; do
  code=0
  # shellcheck disable=SC2086 # several words
  KEEL=$work/keel sh "$script" $arguments >"$work/out" 2>&1 || code=$?
  [ "$code" = 2 ] || complain "$arguments: exit code $code, not 2"
done
exit $failed
