// Advice on HW7131 to HW7160: workers and their queue.
import type { AdviceTable } from './advice.ts';

export const WORKER_ADVICE: AdviceTable = {
  HW7131: {
    why: 'The queue is the package pg-boss 12, which needs Node.js 22.12 or newer. The other commands run on older ones too.',
    fix: 'Install Node.js 22.12 or newer where the worker runs, and start the worker with it. `node --version` says which one is found.',
    example: "node --version\nhostwright work 'accounts/*'",
  },
  HW7132: {
    why: 'The queue is a package of its own, pg-boss. Whoever runs no worker does not need it, so it is not installed with hostwright.',
    fix: 'Run `npm install pg-boss@12` in the folder where hostwright is installed. Where hostwright is installed globally, add `--global`.',
    example: 'npm install pg-boss@12',
  },
  HW7133: {
    why: 'The queue is kept in a PostgreSQL database. Its address has a password in it, so it comes from the environment and never from an argument or a file in Git.',
    fix: 'Set HOSTWRIGHT_DATABASE_URL to the address of the database, for the worker and for whoever sends it requests.',
    example:
      "export HOSTWRIGHT_DATABASE_URL=postgres://hostwright:secret@127.0.0.1/hostwright\nhostwright work 'accounts/*'",
  },
  HW7134: {
    why: 'The database could not be reached, refused the user, or did not let the queue make its tables. The first start makes the schemas `pgboss` and `hostwright`.',
    fix: 'Look at what the database said. Check that the address is right with `psql`, and grant the user CREATE on the database.',
    example: 'psql "$HOSTWRIGHT_DATABASE_URL" -c \'select 1\'',
  },
  HW7135: {
    why: 'Somebody asked for a run of an account, and none of the folders of this worker is its workspace. Workers of one queue take requests of each other, so all of them need all folders.',
    fix: 'Start all workers with the same folders, and check that `account` in the workspace file is the id that the platform uses.',
    example: "hostwright fleet list 'accounts/*'",
  },
  HW7136: {
    why: 'The run ended in a way that the program does not expect. The queue makes it again, and other accounts are not touched by it.',
    fix: 'Run `hostwright drift` in the folder of the account, and report what it prints.',
    example: 'hostwright drift --config accounts/client-a/hostwright.yaml',
  },
  HW7137: {
    why: 'The address of `--listen` is in use, is not one of this machine, or needs rights that the worker does not have.',
    fix: 'Name a port that is free, above 1023.',
    example: "hostwright work 'accounts/*' --listen 127.0.0.1:9091",
  },
  HW7138: {
    why: '`--account` replaces the account of a workspace file. For a worker that would send the manifests of all accounts to one.',
    fix: 'Leave `--account` out, and unset HOSTWRIGHT_ACCOUNT. Name the folders of the accounts that you mean.',
    example: 'hostwright work accounts/client-a accounts/client-b',
  },
  HW7139: {
    why: '`work status`, `retry` and `forget` look at the queue that workers share. This database has none: it is another one, or no worker has been started yet.',
    fix: 'Set HOSTWRIGHT_DATABASE_URL to the address that the workers have. Where there is no worker yet, start one.',
    example: "hostwright work 'accounts/*'",
  },
  HW7140: {
    why: 'The id was mistyped, or no worker ever had a workspace of this account. Workers make a schedule for each account that they have.',
    fix: 'Run `hostwright work status --format json` and take the id from there.',
    example: 'hostwright work status --format json',
  },
  HW7141: {
    why: 'A worker is in the middle of a run of this account. What is forgotten now would be written again when the run ends.',
    fix: 'Remove the workspace from the folders of the workers, wait for the run to end, and run the command again.',
    example: 'hostwright work forget acc-gone',
  },
  HW7142: {
    why: '`--identity`, or HOSTWRIGHT_WORKER_ID, is a promise: no other process has that name while this one lives. Two had it at once. The one that was started last goes on.',
    fix: 'Give each worker a name of its own: in a StatefulSet that of its pod, with the namespace before it. Where nothing guarantees one process a name, leave it out.',
    example: "hostwright work 'accounts/*' --identity hosting/worker-0",
  },
};
