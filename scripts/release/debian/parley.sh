#!/bin/sh
# Runs a command as the user and with the settings of the service.
set -e
if [ "$(id -un)" != parley ]; then
  [ "$(id -u)" = 0 ] || { echo 'Run this as root or as the user parley: sudo parley ...' >&2; exit 1; }
  exec setpriv --reuid=parley --regid=parley --init-groups -- "$0" "$@"
fi
# As systemd reads the file: names and values, with nothing to run in them.
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
    [A-Z_]*=*)
      value=${line#*=}
      case $value in
        \"*\" | \'*\') value=${value#?} value=${value%?} ;;
      esac
      export "${line%%=*}=$value"
      ;;
  esac
done </etc/parley/parley.env
export HOME=/var/lib/parley DATA_DIR="${DATA_DIR:-/var/lib/parley}" NODE_ENV=production
umask 077
exec /usr/lib/parley/current/bin/parley "$@"
