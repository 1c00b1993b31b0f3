#!/bin/sh
# Restores a backup, or the newest in a folder, under systemd, and keeps the earlier data. Run as root in
# /opt/staff-dashboard: sh examples/systemd/restore.sh BACKUP [RESTORE OPTIONS]. If it fails, fix the cause and
# run it again.
set -eu
data=/var/lib/staff-dashboard
earlier=$data/earlier-$(date +%s%N)
given=${1:?Name the backup}
shift
newest=$(find "$given" -maxdepth 2 -name manifest.json\* -printf '%h\n' | sort | tail -n 1)
[ -n "$newest" ] || {
  echo "There is no backup in $given" >&2
  exit 1
}
# The server stops only for a restore whose user can read the backup, and the file of --identity.
for file in "$newest" "$@"; do
  file=${file#--identity=}
  if [ -e "$file" ] && runuser -u staff-dashboard -- find "$file" ! -readable 2>&1 | grep -q .; then
    echo "The user staff-dashboard can't read $file. Run: chown -R staff-dashboard '$file'" >&2
    echo "If a folder above it is closed to that user, first move it to /var/backups/staff-dashboard" >&2
    exit 1
  fi
done

systemctl stop staff-dashboard
echo "The data before is in $earlier"
# As the unit's user: root could be led elsewhere by a link in that user's folder. Only its contents can move,
# because the folder can be a mounted disk. The restore needs link-secret to check the backup.
runuser -u staff-dashboard -- sh -euc 'mkdir -m 700 "$2"
  find "$1" -mindepth 1 -maxdepth 1 ! -name link-secret ! -name lost+found ! -name "earlier-*" -exec mv -t "$2" {} +' \
  sh "$data" "$earlier"
sh examples/systemd/run.sh restore "$given" "$@" || {
  # A backup that was refused left nothing. What a restore began stays, and a second run moves it too.
  runuser -u staff-dashboard -- sh -euc '
    find "$1" -mindepth 1 -maxdepth 1 ! -name link-secret ! -name lost+found ! -name "earlier-*" | grep -q . ||
      { find "$2" -mindepth 1 -maxdepth 1 -exec mv -t "$1" {} + && rmdir "$2" && echo "The data is back. To go on with it: systemctl start staff-dashboard"; }' \
    sh "$data" "$earlier"
  echo "The restore failed, and staff-dashboard is stopped. Fix the cause and run this again" >&2
  exit 1
}
systemctl start staff-dashboard
