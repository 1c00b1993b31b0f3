#!/bin/sh
# Upgrades the servers of this checkout without downtime: builds the new version in a second checkout next to
# this one, and moves one server after the other there. If it fails, fix the cause and run it again.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd -P)
new=$here-new
fail() {
  echo "$1" >&2
  exit 1
}
runs() { [ -n "$(sh "$1/examples/server.sh" status "$2" 2> /dev/null)" ]; }

prepare() {
  version=$(cat server.commit 2> /dev/null || cat build/commit)
  backups=backups-before-upgrade/$version
  # A failed start of the new version may have migrated the database, so this version can't back it up again.
  # The note isn't in the folder of the backups, where others could plant it.
  if npm run backup -- "$backups" || [ $? = 2 ]; then touch upgrade.backup
  elif ! { ls -d -- "$new"/*.log && [ -e upgrade.backup ] && ! [ server.commit -nt upgrade.backup ]; } > /dev/null 2>&1; then
    fail 'There is no backup to go back to, so nothing was changed'
  fi
  echo "$version" > backups-before-upgrade/version
  if [ -e "$new/.git" ]; then git -C "$new" pull
  else
    # The branch that `git pull` follows here, which needn't be the repository's default.
    branch=$(git rev-parse --abbrev-ref '@{upstream}' 2> /dev/null || true)
    git clone ${branch:+--branch "${branch#*/}"} "$(git remote get-url origin)" "$new"
  fi
  git -C "$new" log -1 --format='The new version is %h: %s'
  if ! [ "$new/.env" -nt .env ]; then
    data=$(realpath "$(node scripts/read-setting.mjs DATA_DIR data)")
    (umask 077 && { sed -E '/^(export )?DATA_DIR=/d' .env && printf '\nDATA_DIR="%s"\n' "$data"; } > "$new/.env.new")
    mv "$new/.env.new" "$new/.env"
  fi
  cp -p ./*.settings "$new"
  (cd "$new" && npm run build && npm run migrate -- --dry-run)
}

ls -- *.settings > /dev/null 2>&1 || fail "No server was started in $here"
left=
went_back=
for settings in *.settings; do
  name=${settings%.settings}
  if [ ! -e "$new/$name.commit" ]; then
    left="$left $name"
  elif runs . "$name"; then
    went_back=1
  fi
done
if ! ls -- "$new"/*.commit > /dev/null 2>&1; then
  # git also clones into an existing empty folder.
  [ -w "$new" ] || { [ ! -e "$new" ] && [ -w "$(dirname "$new")" ]; } ||
    fail "This user can't create $new. As root, run: install -d -o $(id -un) '$new'"
  prepare
elif ! runs "$new" all; then
  fail "Servers have run in $new. Work there, or if you went back to this checkout, first run: mv '$new' '$new-$(date +%s)'"
elif [ -z "$left" ] || [ -n "$went_back" ]; then
  fail "The servers run in $new. Work there"
fi
# Values from the shell can't apply to every server.
unset PORT METRICS_ADDRESS
for name in $left; do
  sh examples/server.sh stop "$name"
  sh "$new/examples/server.sh" start "$name"
done
