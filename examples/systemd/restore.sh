#!/bin/sh
# Restores a backup under systemd, and keeps the earlier data. Run as root in /opt/staff-dashboard:
# sh examples/systemd/restore.sh BACKUP [RESTORE OPTIONS]. If it fails, fix the cause and run it again.
set -eu
data=/var/lib/staff-dashboard
earlier=$data/earlier-$(date +%s)
[ -d "${1:?Name the backup}" ] || {
  echo "There is no backup $1" >&2
  exit 1
}

systemctl stop staff-dashboard
echo "The data before is in $earlier"
install -d -m 700 -o staff-dashboard "$earlier"
# The folder can be a mounted disk, so only its contents can move. The restore needs link-secret to check the backup.
find $data -mindepth 1 -maxdepth 1 ! -name link-secret ! -name 'earlier-*' -exec mv -t "$earlier" {} +
sh examples/systemd/run.sh restore "$@"
systemctl start staff-dashboard
