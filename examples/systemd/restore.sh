#!/bin/sh
# Restores a backup, or the newest in a folder, under systemd, and keeps the earlier data. Run as root in
# /opt/staff-dashboard: sh examples/systemd/restore.sh BACKUP [RESTORE OPTIONS]. If it fails, fix the cause and
# run it again.
set -eu
data=/var/lib/staff-dashboard
earlier=$data/earlier-$(date +%s%N)
# What a server keeps there. Beside it can be the data of root's other servers and trials. link-secret stays: the
# restore needs it to check the backup.
entries='application-password audit-head.json database database-password database.json files incoming linked-from server.lock socket'
given=${1:?Name the backup}
shift
newest=$(find "$given" -maxdepth 2 -name manifest.json\* -printf '%h\n' | sort | tail -n 1)
[ -n "$newest" ] || {
  echo "There is no backup in $given" >&2
  exit 1
}
# Root could be led elsewhere by a link in the folder of the unit's user.
as_user() { runuser -u staff-dashboard -- "$@"; }
# The server stops only for a restore whose user can read the backup, and the file of --identity.
for file in "$newest" "$@"; do
  file=${file#--identity=}
  if [ -e "$file" ] && as_user find "$file" ! -readable 2>&1 | grep -q .; then
    above=$(readlink -f "$file")
    until as_user test -e "$above"; do above=$(dirname "$above"); done
    if [ "$above" = "$(readlink -f "$file")" ]; then
      echo "The user staff-dashboard can't read $file. Run: chown -R staff-dashboard '$file'" >&2
    else
      echo "The user staff-dashboard can't enter $above. Move $file to /var/backups/staff-dashboard, and name it there" >&2
    fi
    exit 1
  fi
done

has() { as_user sh -euc 'for name in $2; do [ ! -e "$1/$name" ] || exit 0; done; exit 1' sh "$1" "$entries"; }
# Only what is in the folder can move, because it can be a mounted disk.
move() {
  as_user sh -euc 'for name in $3; do [ ! -e "$1/$name" ] && [ ! -L "$1/$name" ] || mv -t "$2" "$1/$name"; done' \
    sh "$1" "$2" "$entries"
}

# On a new machine, where a server that root runs may have made the folder.
as_user test -w $data || install -d -m 700 -o staff-dashboard -g staff-dashboard $data
as_user mkdir -m 700 "$earlier"
systemctl stop staff-dashboard
echo "The data before is in $earlier"
begun=
move $data "$earlier" && begun=yes && sh examples/systemd/run.sh restore "$given" "$@" || {
  # A backup that was refused left nothing. What a restore began stays, and a second run moves it too.
  if [ -z "$begun" ] || ! has $data; then
    move "$earlier" $data && as_user rmdir "$earlier" &&
      echo "The data is back. To go on with it: systemctl start staff-dashboard"
  fi
  echo "The restore failed, and staff-dashboard is stopped. Fix the cause and run this again" >&2
  exit 1
}
systemctl start staff-dashboard
