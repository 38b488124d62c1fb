#!/bin/sh
# The first process of the guest. $JOB is a folder of the host in which `boot.py` has put `command`, a shell
# script, and in which it waits for `output` and `code`.
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
for folder in /tmp /var/tmp; do mount -t tmpfs tmpfs $folder; done
for folder in /run /root /home; do mount -t tmpfs -o mode=755 tmpfs $folder; done
mkdir /run/job /dev/shm && mount -t hostfs -o "$JOB" job /run/job && mount -t tmpfs tmpfs /dev/shm
ip link set lo up
sh /run/job/command >/run/job/output 2>&1 </dev/null
echo $? >/run/job/code
echo o >/proc/sysrq-trigger
sleep 60 # the first process must not end before the power is off
