#!/bin/sh
# A private PostgreSQL for the tests of the store.
#
#   tools/postgres.sh install      makes sure that there is one: Debian's, where we may
#   tools/postgres.sh start DIR    starts a server whose data and socket lie in DIR, empty at first; prints its URL
#   tools/postgres.sh stop DIR     stops it
#   tools/postgres.sh crash DIR    stops it as a power cut of the server would: no goodbyes, recovery at the next start
#   tools/postgres.sh pool-session DIR, pool-transaction DIR, pool-statement DIR
#                                  starts PgBouncer before it, which lends connections for so long; prints its URL
#
# PostgreSQL refuses to run as root, so root runs it as the system user postgres. It listens on a socket in DIR only.
set -eu

# binaries prints the folder with initdb and pg_ctl: Debian keeps them out of PATH.
binaries() {
	if found=$(command -v initdb); then
		dirname "$(readlink -f "$found")"
		return
	fi
	for found in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
		[ -x "$found/initdb" ] && echo "$found" && return
	done
	return 1
}

# as runs a command as who may run PostgreSQL.
as() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

install() {
	binaries >/dev/null && exit 0
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		echo "No PostgreSQL here: installing Debian's for the tests of the store."
		# Debian would start a server for the whole machine; nobody asked for that.
		mkdir -p /etc/postgresql-common
		[ -e /etc/postgresql-common/createcluster.conf ] ||
			echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
		if apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
			-o Dpkg::Options::=--force-confold postgresql; then
			exit 0
		fi
	fi
	echo "The tests of the store need PostgreSQL. Install it (Debian: sudo apt-get install postgresql)." >&2
	exit 1
}

start() {
	if [ ! -e "$dir/data" ]; then
		[ "$(id -u)" != 0 ] || chown postgres "$dir"
		as "$bin/initdb" -D "$dir/data" -U impalab -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$dir/initdb.log"
	fi
	# No fsync: what the tests crash is PostgreSQL, not the machine.
	as "$bin/pg_ctl" start -w -t 60 -s -D "$dir/data" -l "$dir/data/log" \
		-o "-c listen_addresses='' -c unix_socket_directories='$dir' -c fsync=off -c shared_buffers=32MB" >/dev/null
	echo "postgres://impalab@/postgres?host=$dir"
}

# pool starts PgBouncer on a socket beside the server's. It ends with the server.
pool() {
	pool="$dir/pool-$1"
	mkdir -p "$pool"
	cat >"$pool/ini" <<-END
		[databases]
		postgres = host=$dir user=impalab
		[pgbouncer]
		listen_addr =
		unix_socket_dir = $pool
		auth_type = any
		pool_mode = $1
		logfile = $pool/log
		pidfile = $pool/pid
	END
	[ "$(id -u)" != 0 ] || chown -R postgres "$pool"
	as pgbouncer -d -q "$pool/ini" >/dev/null
	echo "postgres://impalab@/postgres?host=$pool&port=6432"
}

# unpool ends what pool has started.
unpool() {
	for found in "$dir"/pool-*/pid; do
		[ ! -e "$found" ] || kill "$(cat "$found")"
	done
}

[ "${1:-}" != install ] || install
[ $# = 2 ] && [ -d "$2" ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
dir=$(cd "$2" && pwd)
bin=$(binaries) || { echo "no PostgreSQL on this machine: tools/postgres.sh install" >&2; exit 1; }
cd /
case "$1" in
start) start ;;
pool-session | pool-transaction | pool-statement) pool "${1#pool-}" ;;
stop) unpool && as "$bin/pg_ctl" stop -w -s -m fast -D "$dir/data" ;;
crash) as "$bin/pg_ctl" stop -w -s -m immediate -D "$dir/data" ;;
*) exit 2 ;;
esac
