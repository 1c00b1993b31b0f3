#!/bin/sh
# Restores a backup, or the newest in a folder, under systemd, and keeps the earlier data. Run as root in
# /opt/staff-dashboard: sh examples/systemd/restore.sh BACKUP [RESTORE OPTIONS]. If it fails, fix the cause and
# run it again.
set -eu
data=/var/lib/staff-dashboard
earlier=$data/earlier-$(date +%s%N)
find "${1:?Name the backup}" -maxdepth 2 -name manifest.json\* | grep -q . || {
  echo "There is no backup in $1" >&2
  exit 1
}

systemctl stop staff-dashboard
echo "The data before is in $earlier"
# As the unit's user: root could be led elsewhere by a link in that user's folder. Only its contents can move,
# because the folder can be a mounted disk. The restore needs link-secret to check the backup.
runuser -u staff-dashboard -- sh -euc 'mkdir -m 700 "$2"
  find "$1" -mindepth 1 -maxdepth 1 ! -name link-secret ! -name lost+found ! -name "earlier-*" -exec mv -t "$2" {} +' \
  sh "$data" "$earlier"
sh examples/systemd/run.sh restore "$@" || {
  # A backup that was refused left nothing. What a restore began stays, and a second run moves it too.
  runuser -u staff-dashboard -- sh -euc '
    find "$1" -mindepth 1 -maxdepth 1 ! -name link-secret ! -name lost+found ! -name "earlier-*" | grep -q . ||
      { find "$2" -mindepth 1 -maxdepth 1 -exec mv -t "$1" {} + && rmdir "$2" && echo "The data is back. To go on with it: systemctl start staff-dashboard"; }' \
    sh "$data" "$earlier"
  echo "The restore failed, and staff-dashboard is stopped. Fix the cause and run this again" >&2
  exit 1
}
systemctl start staff-dashboard
