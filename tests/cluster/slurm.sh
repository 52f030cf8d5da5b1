#!/bin/sh
# Plays a league as an array of Slurm on this machine alone, and compares the merged tables with those of one process.
#
#   tests/cluster/slurm.sh [MAUMAU]
#
# Needs root and Debian's slurm-wlm and munge; makes a Slurm of one node with a configuration of its own and ends it again. MAUMAU is
# target/release/maumau by default. The last line is `N passed, N failed`.
set -eu
maumau=$(realpath "${1:-"$(dirname "$0")/../../target/release/maumau"}")
for program in slurmctld slurmd sbatch munged; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "$program is not installed: apt-get install slurm-wlm munge" >&2; exit 3; }
done
PATH=$PATH:/usr/sbin
place=$(mktemp -d)
host=$(hostname -s)
started=
end() {
    for pid in $started; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$place"
}
trap end EXIT

mkdir -p /run/munge && chown munge /run/munge
if ! munge -n >/dev/null 2>&1; then
    setpriv --reuid=munge --regid=munge --clear-groups munged --foreground &
    started="$started $!"
fi
mkdir "$place/state" "$place/spool"
cat >"$place/slurm.conf" <<EOF
ClusterName=maumau
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
SchedulerType=sched/backfill
SelectType=select/cons_tres
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=$host Default=YES
EOF
export SLURM_CONF="$place/slurm.conf"
tries=0
until munge -n >/dev/null 2>&1 || [ "$tries" -ge 50 ]; do tries=$((tries + 1)); sleep 0.1; done
slurmctld -D -f "$SLURM_CONF" >"$place/slurmctld.log" 2>&1 &
started="$! $started"
slurmd -D -f "$SLURM_CONF" >"$place/slurmd.log" 2>&1 &
started="$! $started"

cd "$place"
cat >my-league.toml <<EOF
rules = "basic"
seats = 2
games_per_pairing = 600
public_seed = true
seed = 7
[[agent]]
name = "greedy"
command = "maumau agent greedy"
[[agent]]
name = "first"
command = "maumau agent first"
[[agent]]
name = "random"
command = "maumau agent random"
EOF
cat >part.sh <<EOF
#!/bin/sh
#SBATCH --array=1-8
#SBATCH --output=$place/part-%a.log
"$maumau" tournament run my-league.toml --shard "\$SLURM_ARRAY_TASK_ID/8" --run "part-\$SLURM_ARRAY_TASK_ID.maumau" --quiet
EOF
passed=0 failed=0
check() {
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $*"; fi
}
until sinfo -h 2>/dev/null | grep -q idle || [ "$tries" -ge 300 ]; do tries=$((tries + 1)); sleep 0.1; done
check sbatch --wait --chdir="$place" part.sh
check "$maumau" tournament merge part-*.maumau --to whole.maumau
"$maumau" tournament run my-league.toml --run alone.maumau --quiet >/dev/null
"$maumau" tournament show whole.maumau >whole.txt
"$maumau" tournament show alone.maumau >alone.txt
check cmp whole.txt alone.txt
[ "$failed" -eq 0 ] || tail -n 20 "$place"/*.log
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
