// Advice on HW3000 to HW5999: the platform, the DNS, a run, commands on one site, the ledger.
import type { AdviceTable } from './advice.ts';

export const RUN_ADVICE: AdviceTable = {
  HW3001: {
    why: 'The platform answered 401 to the token: it expired, was revoked, belongs to another platform, or is sent in another form than the platform wants.',
    fix: 'Set HOSTWRIGHT_TOKEN, or the variable that `credentialEnv` of the workspace names, to a valid token of this account and run `hostwright doctor`. Some platforms want the bare key: then set `spec.credential.sendAs` in hostwright.yaml.',
    example: 'export HOSTWRIGHT_TOKEN=...\nhostwright doctor',
  },
  HW3002: {
    why: 'The command reads the account, and the environment variable HOSTWRIGHT_TOKEN is not set or is empty. A token is taken from there only, never from a file or a flag.',
    fix: 'Set HOSTWRIGHT_TOKEN. A read-only token is enough for `plan` and `drift`. Without an account, try `hostwright sandbox`.',
    example: 'export HOSTWRIGHT_TOKEN=...',
  },
  HW3003: {
    why: 'The address of the API, the account or the proxy in the settings cannot be used as it is written. No request was sent.',
    fix: 'Correct `spec.baseUrl` and `spec.account` in hostwright.yaml, or `--api-url` and `--account`, then run `hostwright doctor`.',
    example: 'spec:\n  account: 8c0f3f0e-7a44-4a5e-9d0a-6c1f3a1b2c3d\n  baseUrl: https://api.example.com',
  },
  HW3004: {
    why: 'A request failed for another reason than the token, or the answer does not have the form that the platform documents: it cannot be reached, is overloaded, or something between it and this machine answers instead.',
    fix: 'Run the command again. If it stays, run `hostwright doctor --verbose` and compare `spec.baseUrl` with the address that the platform names.',
  },
  HW3050: {
    why: 'Not one request was answered: the address is wrong, this machine has no way there, or the platform is down. Nothing could be read, so nothing was planned and nothing was sent.',
    fix: 'Check `spec.baseUrl` in hostwright.yaml and the network (HTTPS_PROXY where there is a proxy), then run `hostwright doctor`.',
    example: 'hostwright doctor',
  },
  HW3075: {
    why: 'The platform knows nothing by the id or name that was given, or it is in another account.',
    fix: 'Correct the id. `hostwright export` and `hostwright contact list` show what the account has.',
  },
  HW3101: {
    why: 'Which DNS records are needed follows from what is live (name servers, a CNAME, a verification token), and that could not be read.',
    fix: 'Read the reason in the detail, then run `hostwright dns` again.',
  },
  HW3102: {
    why: 'The name server did not answer, or answered with an error. Whether the record is published is unknown, which is not the same as missing.',
    fix: 'Run it again, ask another name server with `--resolver`, or leave the DNS out with `--no-lookup`.',
    example: 'hostwright dns --resolver 192.0.2.53',
  },
  HW4001: {
    why: 'Something that the plan would change is not as it was when the plan was made. Somebody else changed it, or an earlier run did. It is not overwritten without a new review.',
    fix: 'Run `hostwright plan` and look at what is different now. `hostwright drift` says who changed it, where the platform tells.',
  },
  HW4002: {
    why: 'Before a change its object is read, and that read failed. What cannot be read counts neither as present nor as absent, so nothing was sent for it.',
    fix: 'Run `hostwright apply` again: it continues with what is left.',
  },
  HW4003: {
    why: 'The platform refused a request of the action, or the result did not become what the plan says. The detail has the answer of the platform. Actions that rest on this one were skipped.',
    fix: 'Correct what the answer names, in the manifest or on the account, then run `hostwright plan` and `hostwright apply` again: what is done already is not done twice.',
  },
  HW4004: {
    why: 'A request that must not be sent twice, such as a purchase, got no answer, and no list shows whether it was carried out. It is not repeated, because that could buy the same thing again.',
    fix: 'Look in the dashboard of the platform, then tell the ledger what you found with `hostwright ledger confirm`.',
    example:
      'hostwright ledger confirm Site/shop --id 1f3c    # it was made, and this is its id\nhostwright ledger confirm Site/shop --not-made   # it was not',
  },
  HW4005: {
    why: 'The platform answered 401 during the run: the token expired or was revoked meanwhile. What was done before stands.',
    fix: 'Set HOSTWRIGHT_TOKEN to a valid token, then run `hostwright apply` again.',
  },
  HW4006: {
    why: 'The token is an OAuth token, and the platform refused the action because a scope is missing. The detail names the scope.',
    fix: 'Use a token with that scope, and add it to `spec.credential.scopes` in hostwright.yaml, so that a plan says it before the first write.',
  },
  HW4007: {
    why: 'An action of this run sends a secret, or one that it plans later, when what is bought for it is there; and the environment variable or file that the manifest names is missing or empty. It was noticed before anything was sent or bought.',
    fix: 'Set the variable, or write the file, where apply runs. In CI add the secret to the job that applies.',
    example: 'export ALICE_PASSWORD=...\nhostwright apply',
  },
  HW4008: {
    why: '`--expect` or the saved plan lists what was reviewed, and this action is not in it.',
    fix: 'Have the present plan reviewed: `hostwright plan --out plan.json`, then `hostwright apply plan.json`.',
  },
  HW4009: {
    why: 'A plan is good for one run, and the ledger shows that this one ran to its end.',
    fix: 'Run `hostwright plan`. If it says that nothing has to be done, you are finished.',
  },
  HW4010: {
    why: 'Each of the actions waits for another one of them, so none can be the first. The manifests refer to each other in a way that has no order.',
    fix: 'Run `hostwright plan` again. If it stays, split the change: apply a part of it with `--target` first. Please report it as a bug.',
    example: 'hostwright graph',
  },
  HW4011: {
    why: 'The ledger that is used belongs to another account than the plan.',
    fix: 'Apply the plan in its own workspace (`--config`). Each account has its own ledger.',
  },
  HW4012: {
    why: '`--deadline` came near. No further change was begun, so that none is left half done when the job is stopped.',
    fix: 'Run `hostwright apply` again for the rest: it also continues what is in flight.',
  },
  HW4013: {
    why: 'The action makes something whose password or token the platform tells once. There is no place to write it: the file exists already, its folder is not listed, or it cannot be written. Nothing was sent, so nothing is lost.',
    fix: 'Move the old file away or name another one in `credentialsTo`. Its folder must be listed under `spec.secrets.keep` in hostwright.yaml.',
    example: 'spec:\n  secrets:\n    keep: [credentials/]',
  },
  HW4501: {
    why: 'The platform refused what the command asked for. The detail has its answer and what it means.',
    fix: 'Do what the detail says. `hostwright doctor` shows what this credential may do.',
  },
  HW4502: {
    why: 'The request was sent, and no answer came. It may have been carried out. It is not sent again by itself.',
    fix: 'Look where the detail says. The same command looks once more and sends nothing; the option that the detail names sends it again.',
    example: 'hostwright site tasks shop',
  },
  HW4503: {
    why: 'The platform does not do this now: a DNS check is possible once in five minutes, or something else has to change first. Nothing was done.',
    fix: 'Run the command again at the time that the detail names, or do what it says first.',
  },
  HW4504: {
    why: 'The site has no volume of that name, or a backup with that name is listed already.',
    fix: 'Choose another name or volume. The detail lists what the site has.',
  },
  HW4505: {
    why: 'The account for sending mail comes with a site, and no call makes one. This site has none.',
    fix: 'Ask the platform to add the mail account to the site.',
  },
  HW4506: {
    why: 'The command was stopped, or its deadline came, while the platform was still at work. The work goes on there.',
    fix: 'Run the same command again: it goes on with what it had begun. `hostwright apply --resume` does too.',
    example: 'hostwright apply --resume',
  },
  HW4507: {
    why: 'The manifest is there, and no live object belongs to it yet, or the list of them could not be read.',
    fix: 'Name the object by its id (`id:ID`), or write the id into the manifest as `metadata.id`.',
    example: 'hostwright site tasks id:5b1f7c2e',
  },
  HW4508: {
    why: 'No Site manifest of the workspace has this `metadata.name`. The name of the manifest counts, not the hostname.',
    fix: 'Correct the name. A site without a manifest is named by its id: `id:ID`.',
  },
  HW4509: {
    why: 'The CMS has several users, or none of the name that was given.',
    fix: 'Name one with `--user`, or take the database with `--database`.',
    example: 'hostwright site sso shop --list\nhostwright site sso shop --user admin',
  },
  HW4570: {
    why: 'One of the reads failed. The rest is shown, and what is missing is unknown, not absent.',
    fix: 'Run the command again. `hostwright doctor` shows what this credential may read.',
  },
  HW4571: {
    why: 'The account lists nothing of that kind with this name or id.',
    fix: 'Use one of the names that the same command lists without a name, or an id as `id:ID`.',
  },
  HW4572: {
    why: 'Names need not be unique on the platform, and several objects have this one.',
    fix: 'Name one of them by its id, as the detail lists them: `id:ID`.',
  },
  HW4580: {
    why: 'What a command sends is written to the ledger before, and that failed.',
    fix: 'Make room or correct the permissions of the ledger, look with `hostwright ledger list` whether anything was sent, and run the command again.',
    example: 'hostwright ledger list',
  },
  HW4581: {
    why: 'The same request was sent earlier, and its answer was lost. To send it again could do its work twice.',
    fix: 'Look where the detail says. If it was not done, run the command again with the option that the detail names, such as `--again`.',
  },
  HW4582: {
    why: 'Several backups of the site fit what was asked for, or none does.',
    fix: 'Name the archive or its volume as the detail lists them.',
  },
  HW4583: {
    why: 'The account has no registration of this name. `registration` finds names by the list of the account, and reads no manifest.',
    fix: 'Use a name that `hostwright get registrations` lists. To see whether a name can be bought, run `hostwright registration check NAME`.',
    example: 'hostwright get registrations',
  },
  HW4584: {
    why: 'The platform could not say whether the name can be bought. A registry that does not answer says nothing about whether the name is taken.',
    fix: 'Where the registry did not answer, run the command again in a few minutes. Where the detail says that the platform sells no such names, choose another name.',
  },
  HW4585: {
    why: 'The platform had no other names to suggest, or refused to look for some.',
    fix: 'Nothing has to be done. Try `hostwright registration check NAME --suggest` with a shorter name.',
  },
  HW4586: {
    why: 'The platform looks at the records of a domain once in five minutes, and did so already.',
    fix: 'Wait five minutes, then run `hostwright dns --check` again.',
    example: 'hostwright dns --check',
  },
  HW4588: {
    why: 'The request was accepted, and what it was for is written to the ledger afterwards so that you are told of it later. The ledger could not be written; the detail says why.',
    fix: 'Nothing has to be undone. Make the ledger writable, or wait for the run that holds it. `shield learn --days` can be run again: it sends nothing where Shield learns already.',
  },
  HW4589: {
    why: 'The ledger says that the same message was sent within the last 24 hours. A second one confuses the person who has to confirm.',
    fix: 'Wait, and look with `hostwright get contact` whether the person has confirmed. To send it once more now, add `--resend`.',
    example: 'hostwright contact verify 801 --resend',
  },
  HW4587: {
    why: 'The platform refuses this for good in the state that the object is in, as the detail says. Nothing was changed.',
    fix: 'Do what the detail says. `hostwright get` shows the state of the object.',
  },
  HW4590: {
    why: 'An OAuth token may do what its scopes name. This read takes one that the token was not given.',
    fix: 'Grant the scope that the detail names and get a new token, or use an API key. `hostwright doctor` shows what a credential may read.',
    example: 'hostwright doctor --verbose',
  },
  HW5001: {
    why: 'A line of the ledger cannot be read: it was edited by hand, merged by Git, or damaged on the disk. What it says can no longer be relied on.',
    fix: 'Restore a copy (of a ledger in Git, an earlier commit of its ref). Without a copy, compare the account with the manifests by `hostwright plan`, then run `hostwright ledger init`.',
  },
  HW5002: {
    why: 'The ledger records what was done in one account. `spec.account` or `--account` names another one.',
    fix: 'Correct the account, or give this account its own ledger under `spec.ledger` in hostwright.yaml: a ref or a file that no other account uses.',
    example: 'spec:\n  ledger:\n    git: { ref: refs/hostwright/ledgers/client-a }',
  },
  HW5003: {
    why: 'A newer version of Hostwright wrote the ledger, and this version cannot be sure to understand it.',
    fix: 'Use the newer version everywhere, in CI too. `hostwright --version` shows the present one.',
  },
  HW5004: {
    why: "Another run holds the lock of the ledger. Two runs at once would not know of each other's changes.",
    fix: 'Wait for the other run, or give `--lock-timeout 10m`. If that run no longer exists, run `hostwright ledger unlock`.',
    example: 'hostwright apply --lock-timeout 10m',
  },
  HW5005: {
    why: 'An earlier run found the ledger damaged and moved it aside. No other ledger has taken its place, so it is not known what was done before.',
    fix: 'Restore a copy to the place of the ledger. Without one, compare the account with the manifests by `hostwright plan`, then run `hostwright ledger init`.',
  },
  HW5006: {
    why: 'An entry could not be saved. The disk is full, the file is write-protected, or the remote refused it. Nothing is sent that the ledger does not know of first.',
    fix: 'Make room or correct the permissions, then run `hostwright apply` again.',
  },
  HW5007: {
    why: 'The Git remote or the server with the ledger did not answer, or refused the credentials. A ledger that cannot be reached is not an empty one, so nothing was sent.',
    fix: 'Try it by hand (`git ls-remote` for a ledger in Git), correct the access, and run again. `hostwright doctor` checks the ledger too.',
  },
  HW5008: {
    why: 'A run died while it wrote a line. Entries are saved before anything is sent, so the lost line stands for nothing that happened.',
    fix: 'Nothing has to be done.',
  },
  HW5009: {
    why: 'The lock belonged to a process of this machine that no longer runs, or to a job that its forge says has ended. The detail names it.',
    fix: 'Nothing has to be done. What that run left in flight is continued.',
  },
  HW5010: {
    why: 'The ledger has no entry for the address: it has a slip, or was forgotten already.',
    fix: 'Write the address as `hostwright ledger list` prints it.',
    example: 'hostwright ledger list',
  },
  HW5011: {
    why: 'There is no request for this address whose fate is open, so there is nothing to confirm.',
    fix: 'Write the address as `hostwright ledger list` prints it under "in flight".',
    example: 'hostwright ledger list',
  },
  HW5012: {
    why: 'The process that holds the lock runs on this machine. Without its lock two runs would change the account at once.',
    fix: 'Stop that process or wait for its end. If its number belongs to another program by now, add `--force`.',
    example: 'hostwright ledger unlock --force',
  },
  HW5013: {
    why: 'The run has ended, and its lock could not be removed. All that it did is recorded.',
    fix: 'If the next run says that the ledger is locked, run `hostwright ledger unlock`.',
  },
  HW5014: {
    why: 'A long ledger is rewritten without old entries from time to time. That failed; the ledger is whole and only longer than needed.',
    fix: 'Nothing has to be done. If it stays, look at free space and permissions of its place.',
  },
  HW5015: {
    why: 'Each row of the history has the digest of the one before. The one that is named has another: a row before it was changed or taken out, or it was itself. What runs do does not rest on the history.',
    fix: 'Compare the ledger with a copy, or with the history of its Git ref, and look who could write it.',
    example: 'hostwright history --check',
  },
  HW5016: {
    why: 'A run is named by its id, or by the beginning of it that no other run has.',
    fix: 'Take the id from `hostwright history`.',
    example: 'hostwright history\nhostwright history show 6f1c',
  },
  HW7161: {
    why: 'The ledger is in PostgreSQL. The package `pg` that speaks to it does not come with Hostwright, because few need it.',
    fix: 'Install it where Hostwright is installed: in the same project, or with `--global` if Hostwright is global.',
    example: 'npm install pg',
  },
  HW7162: {
    why: 'The workspace keeps its ledger in PostgreSQL, and the environment variable that it names for the address is not set, or holds something else. The address has a password, so it is never in a file.',
    fix: 'Set the variable to an address such as `postgres://USER:PASSWORD@db.example.com:5432/DATABASE`. In CI it is a secret.',
  },
  HW7163: {
    why: 'The database can be reached, and nobody has made the tables that ledgers are kept in. Perhaps it is not the database that was meant.',
    fix: 'Check the address. If it is right, run `hostwright ledger init` once, as a role that may create a schema.',
    example: 'hostwright ledger init',
  },
  HW7164: {
    why: '`ledger list --all` asks one database for the ledgers of all accounts. Ledgers in files, in Git and on servers are kept apart, an account each.',
    fix: 'For those, run `hostwright fleet ledger` over the folders of the workspaces. For ledgers in PostgreSQL, set HOSTWRIGHT_DATABASE_URL, or run it in a workspace that names the database.',
    example: "hostwright fleet ledger 'accounts/*' --all",
  },
};
