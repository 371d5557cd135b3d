#!/bin/sh
# Installs the hostwright executable of one release, after checking it: `sh install.sh [--dir DIR] [--from URL]`.
#
#   --dir   where it goes; by default /usr/local/bin for root, ~/.local/bin for everybody else
#   --from  where the archive is fetched from, such as a mirror of your own; the sums in this file hold for it too
#
# The sums are those of the release that this file belongs to. Where GitHub's `gh` is signed in, it also checks who built
# the archive, from which commit.
set -eu

VERSION=
REPOSITORY=
# A line for each platform: the SHA-256 of its archive, and its name.
SUMS=''

fail() { printf 'hostwright: %s\n' "$1" >&2; exit 1; }

[ -n "$SUMS" ] || fail 'this is the form of the installer; each release has its own, filled in'
from="https://github.com/$REPOSITORY/releases/download/v$VERSION"
if [ "$(id -u)" = 0 ]; then dir=/usr/local/bin; else dir="${HOME:-}/.local/bin"; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --dir | --from) [ -n "${2:-}" ] || fail "$1 needs a value" ;;
    *) fail "what is $1? There are --dir DIR and --from URL" ;;
  esac
  case "$1" in
    --dir) dir=$2 ;;
    --from) from=${2%/} ;;
  esac
  shift 2
done

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no executable for $(uname -s); with Node.js, \`npm install --global hostwright\` works" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) machine=amd64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) fail "there is no executable for $(uname -m); with Node.js, \`npm install --global hostwright\` works" ;;
esac
if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib/*/libc.so.6 /lib64/libc.so.6 >/dev/null 2>&1; then
  fail 'the executable needs glibc, and this system has musl; use the npm package or the container image'
fi

name="hostwright_${VERSION}_${system}_${machine}.tar.gz"
expected=$(printf '%s\n' "$SUMS" | while read -r sum platform; do [ "$platform" = "${system}_$machine" ] && printf '%s' "$sum"; done || true)
[ -n "$expected" ] || fail "this release has no archive for ${system}_$machine"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
if command -v curl >/dev/null 2>&1; then
  curl --fail --silent --show-error --location --proto-redir '=https' --output "$folder/$name" "$from/$name" || fail "$from/$name cannot be fetched"
elif command -v wget >/dev/null 2>&1; then
  wget -q -O "$folder/$name" "$from/$name" || fail "$from/$name cannot be fetched"
else
  fail 'curl or wget is needed'
fi

if command -v sha256sum >/dev/null 2>&1; then found=$(sha256sum "$folder/$name"); else found=$(shasum -a 256 "$folder/$name"); fi
[ "${found%% *}" = "$expected" ] || fail "$name is not the file that was released (its SHA-256 is ${found%% *}); nothing was installed"

if command -v gh >/dev/null 2>&1 && gh auth status >/dev/null 2>&1; then
  gh attestation verify "$folder/$name" --repo "$REPOSITORY" >/dev/null || fail "GitHub does not attest that $REPOSITORY built $name; nothing was installed"
  checked='its sum and its attestation are right'
else
  checked="its sum is right; who built it says \`gh attestation verify $name --repo $REPOSITORY\`"
fi

tar -xzf "$folder/$name" -C "$folder"
started=$("$folder/hostwright" --version 2>&1) || fail "it does not start here ($started); it needs glibc 2.28, libstdc++ and libatomic (libatomic1 on Debian and Ubuntu, libatomic on Fedora); nothing was installed"
mkdir -p "$dir"
# Renamed into place: one that runs goes on, and none is ever half written.
cp "$folder/hostwright" "$dir/.hostwright.$$"
chmod 755 "$dir/.hostwright.$$"
mv -f "$dir/.hostwright.$$" "$dir/hostwright"
printf 'hostwright %s is in %s (%s)\n' "$started" "$dir" "$checked"
case ":$PATH:" in *":$dir:"*) ;; *) printf 'Put %s on your PATH.\n' "$dir" ;; esac
