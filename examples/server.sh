#!/bin/sh
# Starts and stops the servers of this checkout in the background:
#   sh examples/server.sh start|stop|restart|status [NAME|all]
# NAME (default: server) begins the names of its files: NAME.log, NAME.pid, NAME.lock and NAME.settings. `all` means
# every server that this checkout has started, one after the other. Remove NAME.settings to forget one.
# Run `npm run build` first. `start` returns when the server responds, or fails with exit code 1 and the log's last
# lines. `stop` returns when open requests are finished. `status` exits with code 3 if a server isn't running.
# A successful start saves PORT and METRICS_ADDRESS in NAME.settings for the next one. examples/logrotate keeps the
# logs small.
set -eu
# Only this user may read the log: it says who requested what.
umask 077
cd "$(dirname "$0")/.."
program=$(pwd -P)/bin/staff-dashboard
act=${1:-}
name=${2:-server}

fail() {
  echo "$1" >&2
  exit 1
}

# After a reboot, the process ID may belong to another program; in a copied checkout, to the original's server.
# Compares the process's folder, not its path: a checkout can move, and `ps` changes letters the locale lacks.
running() {
  [ -f "$name.pid" ] || return 1
  if ! pid=$(cat "$name.pid" 2> /dev/null); then
    [ -f "$name.pid" ] || return 1
    fail "$name.pid can't be read. Run this as $(ls -l "$name.pid" | awk '{ print $3 }'), who started $name."
  fi
  if ! [ -d /proc/self ]; then
    ps -ww -p "$pid" -o args= | grep -qF " $program"
    return
  fi
  # Read the folder first: an ending process loses its arguments before its folder.
  folder=$(readlink "/proc/$pid/cwd" || true)
  tr '\0' ' ' 2> /dev/null < "/proc/$pid/cmdline" | grep -qF /bin/staff-dashboard || return 1
  [ -n "$folder" ] || fail "Process $pid belongs to $(ps -p "$pid" -o user=). Run this as that user."
  [ "$folder" = "$(pwd -P)" ]
}

# An ending process loses its arguments before it releases its port.
alive() { kill -0 "$pid" 2> /dev/null && ! grep -qs '^State:.Z' "/proc/$pid/status"; }

stop() {
  waited=0
  if running; then
    kill "$pid" 2> /dev/null || true
    while alive; do
      sleep 0.5
      waited=$((waited + 1))
      [ $waited -ne 20 ] || echo "Waiting for process $pid to finish. If it is stuck, end it: kill -9 $pid" >&2
    done
  fi
  # Another start may have written its own process ID since.
  [ "$(cat "$name.pid" 2> /dev/null)" != "${pid:-}" ] || rm -f "$name.pid"
}

# `server` comes first, and is listed even if nothing was started.
names() {
  { echo server; ls -- *.pid *.settings 2> /dev/null; } | sed 's/\.[a-z]*$//' | awk '!seen[$0]++'
}

# A misspelled name must not look like a stopped server.
known() { names | grep -qxF -e "$name" || fail "No server $name was started here, only: $(names | xargs)"; }

# After the move to systemd, `start` would create a second, empty company here.
is_unit() { grep -qsxF "WorkingDirectory=$(pwd -P)" /etc/systemd/system/staff-dashboard.service; }
unit_runs() { is_unit && systemctl is-active --quiet staff-dashboard; }
leave_to_systemd() { fail "systemd runs the server of this checkout. Run: systemctl $act staff-dashboard"; }

# Two servers of one checkout differ in these, so neither can come from .env.
use_settings() {
  if is_unit; then leave_to_systemd; fi
  [ -w . ] || fail "This user can't write in $(pwd -P). Run this as its owner: $(ls -ld . | awk '{ print $3 }')"
  [ -f "$name.settings" ] || return 0
  # Files that root creates here would make this user's later commands fail.
  [ -O "$name.settings" ] || fail "$(ls -ld "$name.settings" | awk '{ print $3 }') started $name last. Run this as that user"
  while read -r setting; do
    # Variables of this call win over saved ones.
    env | grep -q "^${setting%%=*}=" || export "$setting"
  done < "$name.settings"
}

# If two starts ran at once, one would take the other's server for its own. The lock ends with this script.
alone() {
  command -v flock > /dev/null || return 0
  exec 9> "$name.lock"
  flock -n 9 || fail "Another command is starting or restarting $name. Wait until it has ended"
}

# Writes all or nothing: on a full disk, a plain write would leave an empty file.
put() { cat > "$1.new" && mv "$1.new" "$1" || { rm -f "$1.new"; return 1; }; }

keep_settings() {
  { env | grep -E '^(PORT|METRICS_ADDRESS)=' || true; } | put "$name.settings"
  # With a second server, .env may have the other server's value.
  [ "$(ls -- *.settings)" = "$name.settings" ] || return 0
  while read -r setting; do
    if grep -qs "^${setting%%=*}=" .env && ! grep -qxF "$setting" .env; then
      echo "$name.settings keeps $setting for this server. To use the one in .env, remove $name.settings" >&2
    fi
  done < "$name.settings"
}

# A server that can't write its log can't report that it's ready. If only the log is writable, this can't be checked.
has_room() {
  log=$(readlink -f "$name.log") || fail "$name.log leads to a folder that isn't there"
  [ -w "$(dirname "$log")" ] && [ ! -c "$log" ] || return 0
  head -c 65536 /dev/zero | put "$log.room" || fail "The disk of $log is full. Make room on it, then run this again"
  rm -f "$log.room"
}

# Don't stop a working server if the next start would refuse its settings.
check() {
  ! running || said=$("$program" check --start --restarts "$pid" 2>&1) || fail "$(echo "$said" | grep -vE '^(ok|skipped) ')"
}

start() {
  if running; then fail "It's already running, as process $pid"; fi
  has_room
  touch "$name.log"
  before=$(wc -c < "$name.log")
  said() { tail -c "+$((before + 1))" "$name.log"; }
  # After the first start, a lost .env or a wrong DATA_DIR must not create an empty company. Older builds lack this.
  only=
  if ls -- *.commit > /dev/null 2>&1 && "$program" serve --help 2> /dev/null | grep -q -e --no-new-database; then only=--no-new-database; fi
  nohup "$program" serve $only >> "$name.log" 2>&1 < /dev/null 9>&- &
  pid=$!
  # Without its process ID, `stop` couldn't stop it.
  echo "$pid" | put "$name.pid" || { kill "$pid"; fail "$name.pid can't be written"; }
  waited=0
  until said | grep ' is at http'; do
    sleep 0.5
    waited=$((waited + 1))
    [ $waited -ne 120 ] || echo "Waiting for process $pid to answer. It writes to $name.log. To end it: kill $pid" >&2
    if ! kill -0 "$pid" 2> /dev/null; then
      said | tail -n 5 >&2
      rm -f "$name.pid"
      exit 1
    fi
  done
  # The log's warnings, and every line for the operator up to the address, except where the data is.
  said | sed -n '/^{/!{ / is at http/,$d; /^Data is in /d; /^Files are in /d; /./p; d; }
    s/^{"level":40,.*"msg":"\(\([^"\\]\|\\.\)*\)".*/Warning: \1/p' >&2
  keep_settings
  # The version that an upgrade goes back to, even after several tries.
  [ ! -f build/commit ] || put "$name.commit" < build/commit
}

status() {
  if running; then
    echo "$name runs as process $pid"
  elif [ "$name" = server ] && unit_runs; then
    echo "staff-dashboard.service runs"
  else
    echo "$name isn't running" >&2
    return 3
  fi
}

if [ "$name" = all ]; then
  code=0
  for name in $(names); do
    (
      # Values from the shell can't apply to every server.
      if [ -f "$name.settings" ]; then unset PORT METRICS_ADDRESS; fi
      # After a failed build or a crash, some servers may still run.
      if [ "$act" = start ] && running; then status; else sh examples/server.sh "$act" "$name"; fi
    ) || { failed=$?; [ $code = 1 ] || code=$failed; }
    # If a restart fails, leave the other servers running.
    case $act in start | status) ;; *) [ $code = 0 ] || break ;; esac
  done
  exit $code
fi

case $act in
  start) use_settings; alone; start ;;
  stop)
    known
    stop
    if unit_runs; then leave_to_systemd; fi
    ;;
  restart) known; use_settings; alone; check; has_room; stop; start ;;
  status) known; status ;;
  *) fail "Usage: sh examples/server.sh start|stop|restart|status [NAME|all]" ;;
esac
