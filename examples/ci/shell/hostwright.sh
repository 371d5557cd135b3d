#!/usr/bin/env bash
# Hostwright in any CI: `hostwright.sh validate | plan | apply | drift | resume`. The token is in HOSTWRIGHT_TOKEN; reports go to $REPORTS (default:
# hostwright-reports). `apply` runs the plan that an earlier `plan` saved there and a person has looked at, or nothing.
set -u

mode=${1:-}
reports=${REPORTS:-hostwright-reports}
# The one that is installed here, else the one on the PATH.
program=${HOSTWRIGHT:-$(command -v ./node_modules/.bin/hostwright || echo hostwright)}

mkdir -p "$reports"
case $mode in
  validate) "$program" validate ;;
  plan) "$program" plan --detailed-exitcode --out "$reports/plan.json" --report "markdown=$reports/plan.md" --report "outputs=$reports/plan.env" ;;
  apply) "$program" apply "$reports/plan.json" --deadline 50m --lock-timeout 10m --report "markdown=$reports/outcome.md" ;;
  drift) "$program" drift --report "markdown=$reports/drift.md" ;;
  resume) "$program" apply --resume --deadline 20m --lock-timeout 5m ;;
  *) echo 'usage: hostwright.sh validate | plan | apply | drift | resume' >&2 && exit 1 ;;
esac
status=$?

# What each exit code means to a job. Say here whom to tell.
case $mode:$status in
  *:0) echo "hostwright $mode: done, or nothing to do" ;;
  plan:2) echo 'hostwright plan: there is something to do; look at the plan, then run apply' && status=0 ;;
  plan:3) echo 'hostwright plan: something that is declared cannot be reached yet; the plan says why' && status=0 ;;
  apply:3 | resume:3) echo "hostwright $mode: waits for somebody or something outside; run resume later" && status=0 ;;
  drift:2) echo 'hostwright drift: what is live is not as declared' ;;
  drift:3) echo 'hostwright drift: something that is declared cannot be reached' ;;
  *:4) echo "hostwright $mode: something is not as it was reviewed, and nothing ran; plan again" ;;
  *:5) echo "hostwright $mode: a guard refused; nothing was sent" ;;
  *:6) echo "hostwright $mode: some actions failed, the rest was done; plan again" ;;
  *:130) echo "hostwright $mode: interrupted; run resume" ;;
  *) echo "hostwright $mode: an error, said above" ;;
esac >&2
exit "$status"
