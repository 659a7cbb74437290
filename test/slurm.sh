#!/bin/sh
# A Slurm of one node in the current folder, for one array: starts munge, controller and node with files and ports of
# their own, submits the sweep that the arguments name, waits for it, and ends all three.
#
# usage: slurm.sh CAROM sweep ...
set -eu
here=$(pwd -P)/slurm
host=$(hostname -s)
mkdir -p "$here/state" "$here/spool"
chmod 755 "$here" "$here/state" "$here/spool"
work=$(mktemp -d /tmp/carom-munge.XXXXXX) # munge wants folders that nobody else can write
munged= controller= node=
finish() {
  for process in $node $controller $munged; do kill "$process" 2>/dev/null || true; done
  for process in $node $controller $munged; do wait "$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

chmod 755 "$work"
dd if=/dev/urandom of="$work/key" bs=128 count=1 2>/dev/null
chmod 400 "$work/key"
port=$((20000 + $$ % 20000))
cat >"$here/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$here/slurm.conf"
/usr/sbin/munged --foreground --force --key-file="$work/key" --socket="$work/socket" --pid-file="$work/pid" \
  --log-file="$work/log" --seed-file="$work/seed" >/dev/null 2>&1 &
munged=$!
for i in $(seq 100); do test -S "$work/socket" && break; sleep 0.1; done
slurmctld -D >/dev/null 2>&1 &
controller=$!
slurmd -D -N "$host" >/dev/null 2>&1 &
node=$!
for i in $(seq 300); do sinfo -h -o %t 2>/dev/null | grep -q idle && break; sleep 0.1; done
if ! sinfo -h -o %t | grep -q idle; then
  tail -n 20 "$here/slurmctld.log" "$here/slurmd.log" "$work/log" || true
  exit 1
fi
"$@" --slurm 3 -o slurm.sweep
sbatch --wait slurm.sweep/sweep.slurm
"$1" sweep slurm.sweep
