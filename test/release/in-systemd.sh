#!/bin/bash
# What `.ci/release` runs in a machine whose first process is systemd: the packages in /release, as an administrator of Debian
# uses them. /release/next.deb is a release of the next series, /release/load.js sends messages, which bots follow.
set -euo pipefail
site=http://127.0.0.1:9991
parley=/usr/lib/parley/current

trap 'journalctl -u parley -u parley-backup --no-pager -n 40' ERR

say() { printf -- '-- %s\n' "$*"; }

until_ready() {
  for _ in $(seq 600); do
    curl -s --fail -o /dev/null --max-time 5 "$site/health/ready" && return
    sleep 0.2
  done
  journalctl -u parley --no-pager -n 40
  return 1
}

say 'installed, not started: it has no address'
dpkg -i /release/parley-server-*_amd64.deb /release/parley-server_*_all.deb
old=$(readlink "$parley")
systemctl start parley
[ "$(systemctl is-active parley)" = inactive ]
[ "$(systemctl is-enabled parley parley-backup.timer | tr '\n' ' ')" = 'enabled enabled ' ]

say 'started, on the socket of systemd'
printf 'EXTERNAL_URL=%s\nOWNER_EMAIL=ada@example.com\nRATE_LIMIT_PER_MINUTE=0\n' "$site" >>/etc/parley/parley.env
systemctl enable --quiet --now parley.socket
systemctl start parley
until_ready
pid=$(systemctl show -P MainPID parley)
[ "$(stat -c %U "/proc/$pid")" = parley ]
grep -E '^(NoNewPrivs:.1|Seccomp:.2|CapEff:.0+)$' -c "/proc/$pid/status" | grep -x 3
[ "$(stat -c %a /var/lib/parley)" = 700 ]

say 'hardened'
systemd-analyze verify --man=no /lib/systemd/system/parley{.service,.socket,-backup.service,-backup.timer}
systemd-analyze security --no-pager --threshold=15 parley.service | tail -n 1

say 'pictures, passwords and the database work within that'
key=ada@example.com:$(sed -n 's/^key=//p' /var/lib/parley/zuliprc)
curl -sS --fail -u "$key" "$site/api/v1/users/me/avatar" -F file=@/release/console.png | grep -q avatar_url
parley user add --email grace@example.com --name Grace --json >/dev/null
parley check
parley doctor || true

say 'clients are served while it restarts, is upgraded, and goes back'
"$parley/bin/node" /release/load.js "$site" /var/lib/parley/zuliprc >/tmp/load &
load=$!
for _ in $(seq 300); do grep -q 'under load' /tmp/load && break || sleep 0.2; done
systemctl restart parley
until_ready
dpkg -i /release/next.deb
until_ready
readlink "/proc/$(systemctl show -P MainPID parley)/exe" | grep -F /99.0/
dpkg -r parley-server-99.0
until_ready
readlink "/proc/$(systemctl show -P MainPID parley)/exe" | grep -F "/$old/"
kill "$load"
wait "$load"
cat /tmp/load

say 'backed up by its timer, and restored'
systemctl start parley-backup.service
backup=$(echo /var/lib/parley/backups/*)
[ -s "$backup/manifest.json" ]
[ "$(systemctl is-active parley-backup.timer)" = active ]
parley restore "$backup" --data-dir /var/lib/parley/restored --secret-file /var/lib/parley/secret
parley check --data-dir /var/lib/parley/restored

say 'comes back when it is killed, and stops when it is asked to'
kill -9 "$(systemctl show -P MainPID parley)"
until_ready
[ "$(systemctl show -P NRestarts parley)" -ge 1 ]
systemctl stop parley.socket parley.service
[ "$(systemctl show -P Result parley)" = success ]

say 'removed and purged, all but the data'
DEBIAN_FRONTEND=noninteractive dpkg -P parley-server "parley-server-$old"
systemctl daemon-reload
[ ! -e /etc/parley ] && [ ! -e "$parley" ] && [ ! -e /lib/systemd/system/parley.service ]
[ -z "$(find /etc/systemd/system -name 'parley*')" ]
[ -s /var/lib/parley/parley.db ]
