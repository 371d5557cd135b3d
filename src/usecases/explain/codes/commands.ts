// Advice on HW6000 to HW6999: the workspace file, limits and consent, the command line, reports, export and import, fleets.
import type { AdviceTable } from './advice.ts';

export const COMMAND_ADVICE: AdviceTable = {
  HW6001: {
    why: 'The workspace file is looked for in the current folder and in every folder above it. None was found.',
    fix: 'Run `hostwright init` to begin a workspace, change to its folder, or name the file with `--config`.',
    example: 'hostwright init\nhostwright plan --config accounts/client-a/hostwright.yaml',
  },
  HW6002: {
    why: 'The token travels to this address. Over plain http anybody on the way could read it, so http is taken for this machine only.',
  },
  HW6003: {
    why: 'A path in the workspace file leads out of its folder with `..` or is absolute. What stands outside is not under review with the rest.',
  },
  HW6530: {
    why: '`init --lang ts` writes a program with an example. `--start` says what YAML manifests begin with.',
    fix: 'Leave `--start` out. For what is live, run `hostwright export --lang ts --out .` afterwards.',
    example: 'hostwright init --lang ts --api-url https://api.example.com --account acc-acme --ledger file --ci none',
  },
  HW6010: {
    why: 'A folder under `spec.shared` is read by several workspaces. It has to be in the same Git repository, so that a change of it is reviewed with the rest.',
    example: 'spec:\n  shared: [../../shared]',
  },
  HW6004: {
    why: "`spec.secrets.env` lists a variable that begins with HOSTWRIGHT_. These are the program's own, its token among them.",
  },
  HW6005: {
    why: 'The workspace file has a value that looks like a token. Files in Git are copied to every clone and stay in its history.',
  },
  HW6006: {
    why: 'The workspace file has no document of kind Workspace, or several. A run has one account and one ledger.',
  },
  HW6007: {
    why: 'Every request names its account. None was given.',
    example: 'spec:\n  account: 8c0f3f0e-7a44-4a5e-9d0a-6c1f3a1b2c3d',
  },
  HW6008: {
    why: 'Hostwright has no platform built in. The address of the API comes from the workspace file, a flag or the environment.',
    example: 'spec:\n  baseUrl: https://api.example.com',
  },
  HW6009: {
    why: 'The account id travels in a header of each request, and this one has characters that no header takes.',
  },
  HW6020: { why: '`spec.ledger` names several places. Two ledgers of one account would not know of each other.' },
  HW6030: {
    why: 'The credentials file says which commands are run and which files are read. In the repository, a pull request could change it and have any command run beside your credentials.',
  },
  HW6031: {
    why: 'A workspace or a manifest names an entry, and the file with the entries is not there, cannot be read, or could be written by others.',
    fix: 'Write the file to `~/.config/hostwright/credentials.yaml`, or set HOSTWRIGHT_CREDENTIALS to its absolute path. Nobody else may write it.',
    example:
      'export HOSTWRIGHT_CREDENTIALS="$RUNNER_TEMP/credentials.yaml"\nchmod go-w "$HOSTWRIGHT_CREDENTIALS"\nhostwright doctor',
  },
  HW6032: {
    why: 'An entry gives its value in exactly one way, and a program is an absolute path or a name on the PATH: nothing of the repository is run.',
    fix: 'Give the entry one of `env`, `file` and `command`, and a name that no other entry of its list has.',
    example:
      'spec:\n  tokens:\n    - name: clients\n      command: [vault, kv, get, -field=token, "hosting/{account}"]',
  },
  HW6033: {
    why: 'The workspace or a manifest names an entry that its list in the credentials file has not. Each list is for one purpose: a secret of a manifest is never taken from `tokens`.',
  },
  HW6034: {
    why: 'The command failed, took too long or is not there, the file or the variable is not there, or the answer does not hold the value. What a command prints is never shown, because it may hold secrets.',
    fix: 'Run the command by hand, as the same user and with its standard input closed, and correct the entry. `timeoutSeconds` gives it more time.',
  },
  HW6035: {
    why: 'A variable and an entry are both named for the same credential, and one could be another than the one that was meant.',
  },
  HW6022: {
    why: 'A program runs in a process without secrets, and `secrets.env` says that this variable is one. In a manifest a secret is named and not read: `secret.env(NAME)`.',
  },
  HW6021: {
    why: 'The ledger says what belongs to whom, so it travels over https only, and no password stands in its address.',
  },
  HW6101: {
    why: '`--target` takes the address of an object, as plans print it, or a pattern of addresses.',
    fix: 'Write the address as the plan prints it.',
    example: 'hostwright plan --target Site/shop/SiteDomain/www.example.com --target "Site/*/Caching"',
  },
  HW6102: {
    why: 'Apply asked whether to run the plan, and the answer was not yes. Nothing was sent.',
    fix: 'Run `hostwright apply` again and answer yes, or save the plan for a review: `hostwright plan --out plan.json`.',
  },
  HW6103: {
    why: 'The command asked before it acts, and the answer was not yes. Nothing was sent.',
    fix: 'Run it again and answer yes, or give `--yes`.',
  },
  HW6104: {
    why: '`--guards-from` takes the limits from the workspace file of another commit, and that file could not be read. Without limits nothing runs. In CI the clone often has too little history. A push that began the branch or replaced its history has no commit before it that the clone knows.',
    fix: 'Fetch the commit first. After such a push, start the apply job by hand: it takes the limits of the default branch.',
    example: 'git fetch --depth=1 origin main\nhostwright apply plan.json --guards-from FETCH_HEAD',
  },
  HW6105: {
    why: 'The guards in hostwright.yaml of this branch differ from those of the commit that `--guards-from` names, and the latter count. A branch cannot raise its own limits.',
    fix: 'Merge the change of the guards first, or give the limit for this run, such as `--allow-deletes 2`. In CI, the section "A delete or a purchase, through CI" of docs/ci.md says how.',
  },
  HW6141: {
    why: '`--changed-since` compares the manifests with those of a commit. The commit, or the manifests at it, could not be read.',
    fix: 'Fetch the commit (`git fetch origin main`), correct its name, or leave the option out to plan everything.',
    example: 'git fetch --unshallow origin main\nhostwright plan --changed-since origin/main',
  },
  HW6142: {
    why: 'The run is about a part of the account: by `--target`, by `--changed-since`, or by a saved plan or a comment that was reviewed. That part was read, and what it rests on. Nothing is said about the rest, and nothing is done to it.',
    fix: 'Nothing has to be done. For everything leave the option out.',
  },
  HW6143: {
    why: 'The run is about a part of the account, and that part cannot be told from the rest: the workspace file changed, which counts for every manifest, or a root is to be deleted, and anything may rest on it.',
    fix: 'Nothing has to be done.',
  },
  HW6144: {
    why: 'A manifest that stood at that commit is gone. A missing file never deletes anything, so the live object stays and is no longer managed.',
    fix: 'To delete the object, put the manifest back with these lines, apply, then remove the file.',
    example: 'lifecycle:\n  state: absent',
  },
  HW6155: {
    why: '`--target` names nothing that is declared, live below a declared object, or in flight.',
    fix: 'Write the address as the plan prints it; quote a pattern, so that the shell does not expand it.',
    example: 'hostwright plan --target "Site/*/Caching"',
  },
  HW6501: {
    why: 'HOSTWRIGHT_TOKEN has a line break, a space or another character that no header can carry. A line break at the end comes from reading the token out of a file.',
    fix: 'Set the variable to the token alone.',
    example: 'export HOSTWRIGHT_TOKEN="$(tr -d \'\\n\' < token.txt)"',
  },
  HW6502: {
    why: 'The plan was saved by a version of Hostwright with another format.',
    fix: 'Use the version that saved it, or make the plan again: `hostwright plan --out plan.json`.',
  },
  HW6503: {
    why: 'The file is cut off, was edited, or is no plan in the form that this version writes. Nothing of it runs.',
    fix: 'Make the plan again: `hostwright plan --out plan.json`.',
  },
  HW6504: {
    why: 'The file is missing, may not be read, or is not a saved plan.',
    fix: 'Correct the path, or make a plan: `hostwright plan --out plan.json`.',
  },
  HW6505: {
    why: '`--out` replaces nothing but an older plan, and the file holds something else.',
    fix: 'Name another file, or remove that one first.',
  },
  HW6506: {
    why: 'The folder of the file does not exist, is write-protected or full. The plan was made; nothing was run.',
    fix: 'Make the folder or name another file.',
    example: 'mkdir -p plans && hostwright plan --out plans/plan.json',
  },
  HW6507: {
    why: '`--expect` takes what was reviewed: a saved plan, a Markdown report of a plan, a file with one digest a line, or digests separated by commas. This is none of them.',
    fix: 'Give the saved plan. `hostwright show plan.json --verbose` prints the digests.',
    example: 'hostwright apply --expect plan.json',
  },
  HW6508: {
    why: 'Apply asks before it changes anything, and there is no terminal to ask at, as in CI.',
    fix: 'Give a reviewed plan (`hostwright apply plan.json`), say what may run without one (`--approve create,update`), or run whatever the plan says with `--yes`.',
  },
  HW6509: {
    why: 'There is no schema of that name.',
    fix: 'Use a name that `hostwright schema --list` prints.',
    example: 'hostwright schema Site',
  },
  HW6510: {
    why: 'The port is taken, or the scenario or fault has a slip in its name.',
    fix: 'Give `--port 0` for any free port. `hostwright sandbox --help` lists the scenarios.',
  },
  HW6511: {
    why: 'A ledger on a server takes either a token or a user name with a password. What is set does not fit together, or cannot be sent.',
    fix: 'Set HOSTWRIGHT_LEDGER_TOKEN alone, or HOSTWRIGHT_LEDGER_USERNAME and HOSTWRIGHT_LEDGER_PASSWORD together.',
  },
  HW6512: {
    why: '`--approve` names what may run without a review. A saved plan was reviewed, and nothing else runs with it.',
    fix: 'Leave `--approve` out, or leave the plan out.',
    example: 'hostwright apply plan.json',
  },
  HW6513: {
    why: 'Two options of the command line contradict each other, or one has no meaning for this form of the command.',
    fix: 'Leave out the option that the detail names.',
  },
  HW6514: {
    why: 'The command asks before it acts, and there is no terminal to ask at.',
    fix: 'Give `--yes`.',
    example: 'hostwright site restart shop --yes',
  },
  HW6515: {
    why: 'A variable that begins with HOSTWRIGHT_ holds a value that its option does not take.',
    fix: 'Correct or unset the variable that the detail names. `hostwright doctor` lists all of them.',
  },
  HW6516: {
    why: '`init --start export` writes manifests for what is live, so it has to read the account, and could not.',
    fix: 'Set HOSTWRIGHT_TOKEN (a read-only token is enough), or begin with `--start empty` and run `hostwright export` later.',
  },
  HW6517: {
    why: '`init` asks for what is not given, and there is no terminal to ask at.',
    fix: 'Give the flags that the detail names. `--yes` takes what is usual for the others.',
    example: 'hostwright init --api-url https://api.example.com --account 8c0f3f0e --start empty --yes',
  },
  HW6518: {
    why: '`init` checks the token with one read, and the platform refused it.',
    fix: 'Correct HOSTWRIGHT_TOKEN and `--api-url`, or unset the variable to begin without a token.',
  },
  HW6519: {
    why: 'The workspace is to be begun in a place that is a file, or that may not be entered.',
    fix: 'Name another folder.',
    example: 'hostwright init client-a',
  },
  HW6520: {
    why: '`--notify` takes an https address without a user name or password, or an http address of this machine.',
    fix: 'Correct the address.',
    example: 'hostwright drift --notify https://hooks.example.com/hostwright',
  },
  HW6521: {
    why: 'Notifications are signed with HOSTWRIGHT_NOTIFY_SECRET, and its value has no form that Standard Webhooks know.',
    fix: 'Set it to `whsec_` and the secret in base64.',
    example: 'export HOSTWRIGHT_NOTIFY_SECRET="whsec_$(openssl rand -base64 32)"',
  },
  HW6522: {
    why: 'The receiver did not answer with success within a minute, though the notification was sent several times. Result and exit code of the run are not about this.',
    fix: 'Look at the receiver. The next run sends to a channel of `notify` again, and to `--notify` if it ends with another exit code than 0.',
  },
  HW6523: {
    why: 'Something changed on the account, and the variable that `notify` in the workspace file names is not set, or holds nothing that can be used. Result and exit code of the run are not about this.',
    fix: 'Set the variable, then run `hostwright notify test`. Where nobody needs messages, such as on a machine of your own, leave it.',
    example: 'export HOSTWRIGHT_NOTIFY_SLACK=https://hooks.slack.com/services/T000/B000/XXXX',
  },
  HW6524: {
    why: 'The ledger keeps what each channel got, so that no message is sent twice. It is missing, held by another run, or may not be written here.',
    fix: 'Begin a ledger where none is, and let the jobs that send messages write it. Until then each run sends the same again.',
    example: 'hostwright ledger init',
  },
  HW6525: {
    why: '`notify test` sends a message to each channel under `notify` in the workspace file, and there is none.',
    fix: 'Write one into the workspace file, and set the variable that it names.',
    example: 'spec:\n  notify:\n    slack: { env: HOSTWRIGHT_NOTIFY_SLACK }',
  },
  HW6529: {
    why: '`init --start export` begins in a folder without manifests, so that nothing is declared twice. There are some already.',
    fix: 'Run `hostwright init --start empty`, then `hostwright export` for what no manifest names.',
  },
  HW6541: {
    why: '`explain` knows kinds and their fields, diagnostic codes and rules. The argument is none of these.',
    fix: 'Use one of the names that the detail suggests. `hostwright explain` alone lists the kinds.',
    example: 'hostwright explain Site.caching\nhostwright explain HW2204\nhostwright explain O-18',
  },
  HW6542: {
    why: 'The kind exists, and has no field at this path.',
    fix: 'Explain the part of the path before the dot: it lists its fields.',
    example: 'hostwright explain Site.caching',
  },
  HW6543: {
    why: 'The folder cannot be made or written, or has a file of that name that is no schema.',
    fix: 'Name another folder with `--out`.',
    example: 'hostwright schema --out .hostwright/schemas',
  },
  HW6040: {
    why: '`hostwright completion --trust` asks a person whether the token may go to the address that the workspace file names, and there is no terminal. A repository that was cloned may name any address, so nothing but a person can say so.',
    fix: 'Run the command at a terminal, or give the address by `--api-url` or `HOSTWRIGHT_API_URL`.',
    example: 'hostwright completion --trust',
  },
  HW6041: {
    why: 'The list of confirmed addresses is a file of the user. Its folder belongs to somebody else, others may write to it, it cannot be written, or it lies in the repository of the workspace.',
    fix: 'Let `XDG_STATE_HOME` name a folder of your own outside of the repository, or set `HOSTWRIGHT_API_URL`.',
    example: 'export XDG_STATE_HOME=$HOME/.local/state',
  },
  HW6570: {
    why: 'What reads standard output went away, or its disk is full. What the command did stands; only its result is missing or cut off.',
    fix: 'Run the command again with its output in a file. After `apply` run `hostwright plan` to see what is left.',
    example: 'hostwright plan -o json > plan-report.json',
  },
  HW6571: {
    why: 'The folder that the command was started in was removed.',
    fix: 'Change to a folder that exists (`cd`) and run it again.',
  },
  HW6573: {
    why: '`get` shows the kinds that the account has lists of. This is none of them.',
    fix: 'Use one of the kinds that the detail lists.',
  },
  HW6575: {
    why: 'HTTPS_PROXY or HTTP_PROXY is no address of an HTTP proxy. Nothing is sent around a proxy that somebody asked for.',
    fix: 'Correct the variable or unset it.',
    example: 'export HTTPS_PROXY=http://proxy.example.com:3128',
  },
  HW6576: {
    why: 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the check who answers. Anybody between this machine and the platform can read the token and change what is sent.',
    fix: 'Unset it. For a certificate authority of your own set NODE_EXTRA_CA_CERTS to its file.',
    example: 'unset NODE_TLS_REJECT_UNAUTHORIZED\nexport NODE_EXTRA_CA_CERTS=/etc/ssl/company-ca.pem',
  },
  HW6577: {
    why: '`api` is for looking. A write that nobody planned is not waited for, not recorded and not reviewed.',
    fix: 'Declare the change in a manifest and run `plan`, or use the command for it: `hostwright site restart`, `hostwright order cancel`.',
    example: 'hostwright api GET /api/sites',
  },
  HW6578: {
    why: 'Only the API of the platform is asked, at the address of the workspace. A whole address, a path that leaves /api, spaces and fragments are refused.',
    fix: 'Give the path alone, with its query.',
    example: "hostwright api GET '/api/orders?page=2'",
  },
  HW6579: {
    why: 'The platform answers this path with a secret alone, such as the authorisation code of a domain.',
    fix: 'Read it where you need it, in the dashboard of the platform.',
  },
  HW6601: {
    why: 'A file that `--report` names could not be written. The command itself went on to its end. Its exit code is 1, unless something worse decides it, so that a job does not go on without the file.',
    fix: 'Name a file in a folder that exists and can be written.',
    example: 'hostwright plan --report html=plan.html',
  },
  HW6602: {
    why: 'Outside of a GitHub job the repository, the token or the commit is not known by itself.',
    fix: 'Set GITHUB_TOKEN and give what the detail names: `--repository owner/name`, `--commit`, `--branch`.',
  },
  HW6603: {
    why: 'GitHub refused a request or did not answer. A job without the permission `pull-requests: write` or `issues: write` is the usual cause.',
    fix: 'Give the job the permissions it needs and run it again.',
    example: 'permissions:\n  contents: read\n  pull-requests: write\n  issues: write',
  },
  HW6604: {
    why: 'Only a Markdown report of the fitting command is posted: a plan, or a check of manifests, as a comment, and drift as an issue. This file is missing, is something else, or is longer than GitHub takes.',
    fix: 'Write the report with `--report markdown=` in the command before.',
    example: 'hostwright plan --report markdown=plan.md\nhostwright github comment plan.md',
  },
  HW6605: {
    why: 'The job runs for an event that belongs to no pull request, such as a push.',
    fix: 'Name the pull request with `--pull 12`, or run the job on `pull_request`.',
  },
  HW6606: {
    why: 'Comments and issues count only when the account in `--author` wrote them, so that nobody else can write an approval. The token belongs to another account, so the next run would not find what this one wrote.',
    fix: 'Name the account of the token with `--author` or HOSTWRIGHT_GITHUB_AUTHOR.',
    example: 'hostwright github comment plan.md --author my-bot',
  },
  HW6607: {
    why: 'A pull request was merged, and its approval is not taken: the comment is missing, was edited by somebody else, or belongs to another commit.',
    fix: 'Read the reason in the detail. Plan on the merged branch and have that plan reviewed.',
  },
  HW6608: {
    why: 'The file of `--out` could not be written.',
    fix: 'Name a file in a folder that exists.',
    example: 'hostwright github approved --out approved.txt',
  },
  HW6620: {
    why: 'Outside of a GitLab job the server, the project or the commit is not known by itself. The token never is: the job token cannot write notes.',
    fix: 'Make a project access token with the role Reporter and the scope `api`, keep it as the masked variable GITLAB_TOKEN, and give what the detail names.',
    example: 'hostwright gitlab note plan.md --outcome differences --project 42 --merge-request 12',
  },
  HW6621: {
    why: 'GitLab refused a request or did not answer. A token that is past its last day, or whose role is below Reporter, is the usual cause. A project that moved answers with another address, and the token is not sent there.',
    fix: 'Look at the project access token (Settings > Access tokens): the role Reporter, the scope `api`. Then run the job again.',
  },
  HW6622: {
    why: 'Only a Markdown report of the fitting command is posted: a plan, the end of a run or a check of manifests as a note, and drift as an issue. This file is missing, is something else, or is too long.',
    fix: 'Write the report with `--report markdown=` in the command before.',
    example: 'hostwright plan --report markdown=plan.md\nhostwright gitlab note plan.md --outcome differences',
  },
  HW6623: {
    why: 'The pipeline runs for no merge request, such as after a push, and CI_MERGE_REQUEST_IID is not set.',
    fix: 'Name the merge request with `--merge-request 12`, or run the job in merge request pipelines: `if: $CI_PIPELINE_SOURCE == "merge_request_event"`.',
  },
  HW6624: {
    why: 'Notes and issues count only when the account in `--author` wrote them, so that nobody else can write an approval. The token belongs to another account, so the next run would not find what this one wrote.',
    fix: 'Leave `--author` and HOSTWRIGHT_GITLAB_AUTHOR out: the account of the token counts then.',
  },
  HW6625: {
    why: 'A merge request was merged, and its approval is not taken: the note is missing, was changed by somebody else, is newer than the merge, or was carried out already. A new access token has a new account, and the notes of the old one do not count.',
    fix: 'Read the reason in the detail. Start the pipeline of the default branch by hand with HOSTWRIGHT_APPROVED=everything, after a look at the plan.',
  },
  HW6660: {
    why: 'No lock of these accounts belongs to the run, the job or the machine that was named. It may have been released, or taken over by a later run.',
    fix: 'Look who holds which lock, and name it as it stands there.',
    example: "hostwright fleet ledger 'accounts/*'",
  },
  HW6661: {
    why: 'A folder that the workspace file shares does not exist in this clone. Git keeps no empty folder. What a manifest takes from it, such as a profile, is an error of its own.',
    fix: 'Put a profile or a contact into the folder, or take it out of `shared`.',
    example: 'spec:\n  shared: [../../shared]',
  },
  HW6662: {
    why: 'Where the branch began, a workspace file named the account. Now the file is gone, or names another account. Nothing is deleted on the platform; no plan and no drift report is about the account any more.',
    fix: 'Put the file back if that was not meant. To delete what the account has, write `lifecycle: { state: absent }` in its manifests and apply that first.',
    example: "hostwright fleet plan 'accounts/*' --changed-since origin/main",
  },
  HW6663: {
    why: 'A folder that the glob matches has a `hostwright.yml`. Only `hostwright.yaml` is read.',
    fix: 'Rename the file.',
    example: 'git mv accounts/acc-2/hostwright.yml accounts/acc-2/hostwright.yaml',
  },
  HW6670: {
    why: '`export --out` wrote into a folder that `spec.manifests` of the workspace does not name, so no plan reads what is there.',
    fix: 'Move the files below a folder that the workspace reads, or name their folder in `spec.manifests`.',
    example: 'hostwright export --out manifests',
  },
  HW6701: {
    why: '`export` takes kinds of manifests, and addresses of such objects. What is inside an object comes with it.',
    fix: 'Name the kind or the object.',
    example: 'hostwright export Site Mailspace/example.com',
  },
  HW6702: {
    why: 'Before export and import write anything they plan with what they would write. That plan has to be empty, and was not. The account may have changed meanwhile.',
    fix: 'Run it again. If it stays, name the other objects only, and report what the detail lists as a bug.',
    example: 'hostwright export Site/shop',
  },
  HW6708: {
    why: 'Before a program is written it is run, and what it declares has to be the YAML that export would write, byte for byte. It was not.',
    fix: 'Export YAML, which declares the same, and report what the detail says as a bug.',
    example: 'hostwright export --out exported/',
  },
  HW6709: {
    why: 'Before a configuration of Terraform is written it is planned as Terraform would after the imports, and that plan has to be empty. It was not.',
    fix: 'Run the command again; the account may have changed meanwhile. If it stays, report the detail as a bug, and export the rest by address or kind.',
    example: 'hostwright export Site/shop --terraform --out infra',
  },
  HW6703: {
    why: 'A new manifest would take the place of a file that exists. No file is overwritten.',
    fix: 'Name another place with `--out`, or move that file away.',
    example: 'hostwright export --out exported/',
  },
  HW6704: {
    why: 'The disk is full, or the folder is write-protected. What had been written is removed again.',
    fix: 'Make room or correct the permissions, then run the command again.',
  },
  HW6705: {
    why: 'The name is none that export would give to a live object without a manifest. It has a slip, or a manifest names the object already.',
    fix: 'Use one of the names in the detail, or run `hostwright export` for everything.',
  },
  HW6706: {
    why: 'A read failed, so a part of the account is unknown and is not in the manifests.',
    fix: 'Run `hostwright export` again for it, or write it by hand.',
  },
  HW6707: {
    why: 'The object is live, and no manifest can stand for it. The detail says why.',
    fix: 'Nothing has to be done. The object stays as it is.',
  },
  HW6711: {
    why: 'The file on the disk is not the one that this command read: an editor or another command changed it meanwhile.',
    fix: 'Run the command again.',
  },
  HW6712: {
    why: 'The manifest is write-protected, or the disk is full.',
    fix: 'Correct the permissions or make room, then run the command again.',
  },
  HW6713: {
    why: 'The value stands in a form of YAML that cannot be edited without changing the lines around it, such as an alias.',
    fix: 'Write the lines that are shown there by hand.',
  },
  HW6714: {
    why: 'The manifest came from standard input, so there is no file to change.',
    fix: 'Name the file instead of `-`.',
  },
  HW6715: {
    why: '`drift --accept` names an object that is as its manifest says.',
    fix: 'Nothing has to be done.',
  },
  HW6716: {
    why: 'No manifest can say what is live there, or the object cannot be read completely.',
    fix: 'Do what the detail says. To leave the difference alone in reports, use `hostwright drift --ignore` or `lifecycle.ignore`.',
    example: 'lifecycle:\n  ignore: [/caching/smartCache]',
  },
  HW6717: {
    why: 'The value came from a profile that other manifests share. What is live now stands in the manifest itself, and beats the profile for this object alone.',
    fix: 'Nothing has to be done. To change all of them, edit the profile instead.',
  },
  HW6718: {
    why: 'The edited lines count for other objects too, so the next plan changes those.',
    fix: 'Run `hostwright plan` and look at them. To undo the edit, run `git checkout` on the file.',
  },
  HW6719: {
    why: '`history undo` edits manifests, with what the history knows. It does not keep what a deleted object held, secrets, and what is about a person; and what a manifest itself made is removed by removing the manifest.',
    fix: 'Revert the commit of that run with Git, or write the lines by hand. `docs/undo.md` says what a revert does with each kind of thing.',
    example: 'git revert COMMIT',
  },
  HW6721: {
    why: 'A manifest names the object already.',
    fix: 'Nothing has to be done. `hostwright plan` shows whether something differs.',
  },
  HW6722: {
    why: 'The object now belongs to its manifest, and the manifest says something else than what is live.',
    fix: 'Run `hostwright plan` to see it. `hostwright drift --accept` with the address writes what is live into the manifest instead.',
    example: 'hostwright drift --accept Site/shop/Caching',
  },
  HW6723: {
    why: 'Export adds a section to a manifest only when a plan of it is empty. For this one a plan would change something, or it cannot be read, or no manifest can say it.',
    fix: 'Nothing has to be done. To manage the section, write it by hand and look at the plan.',
  },
  HW6724: {
    why: '`spec.manifests` of the workspace file does not lead to the new file, so no plan would read it.',
    fix: 'Move the file to where manifests are read, or add its place to `spec.manifests`.',
    example: 'spec:\n  manifests: ["sites/**/*.yaml", "exported/**/*.yaml"]',
  },
  HW6728: {
    why: 'The first line of the file says that `hostwright synth` makes it from a program. What is written into it would be gone after the next run.',
    fix: 'Change the line of the program that is named, then run `hostwright synth`. To keep the YAML by hand from now on, delete the program, and the first line of each file.',
    example: 'hostwright synth && hostwright plan',
  },
  HW6729: {
    why: 'An agent that proposes manifests may write where the workspace reads them from, and nothing but manifests: no other file, none behind a link, none that says who may apply or where a secret is.',
    fix: 'Propose a file below a folder that `manifests` of the workspace file names, with all of its text. What belongs elsewhere is written by a person.',
    example: 'hostwright mcp',
  },
  HW6730: {
    why: 'A program declares these manifests already, or a program is what was named: there is nothing to convert.',
    fix: 'Name the YAML files that people wrote.',
    example: 'hostwright convert manifests/mail.yaml --lang ts --out mail.ts',
  },
  HW6731: {
    why: 'Before a program is written it is run, and each manifest that it declares has to be the one in the YAML.',
    fix: 'Keep the YAML, and report what could not be converted.',
  },
  HW6732: {
    why: 'A file, a folder or a link is where the skill of this version goes, and `hostwright skills install` did not write it.',
    fix: 'Move it away, or keep it and leave the skill out.',
    example: 'hostwright skills install',
  },
  HW6733: {
    why: '`init --ci ... --update` brings files for CI to what this version makes and keeps what a person changed. Here both changed the same lines, and a program cannot know which of them is right.',
    fix: 'Open the file, keep what is right of the lines between `<<<<<<<` and `>>>>>>>`, and remove the marks. Then commit it with `.hostwright/ci.json`.',
  },
  HW6734: {
    why: 'A file for CI can only be brought to a new version when it is known what an earlier one made of it: `.hostwright/ci.json` says that. Without it, what a person changed would be lost.',
    fix: 'Move the file away, run the same command again, and put what is yours back in. The difference is shown.',
    example: 'mv .github/workflows/hostwright-drift.yml drift.yml\nhostwright init --ci github --update',
  },
  HW6745: {
    why: 'Observed manifests are in a folder of their own, which no plan reads. The workspace file has to name it.',
    fix: 'Write the folder under `spec.observed` of the workspace file, then run the command again.',
    example: 'spec:\n  observed: observed',
  },
  HW6746: {
    why: 'It is live, and the folder of observed manifests does not have it: it could not be read, no manifest can say it, or it is about a person, which no file of the repository should hold.',
    fix: 'To have it compared, declare it in a manifest. What could not be read is recorded by running `hostwright export --observed` again.',
  },
  HW6747: {
    why: '`hostwright export --observed` writes its folder anew from the whole account. From a part of it, `drift` would report the rest as new.',
    fix: 'Name no address. To take over a single change, run `hostwright drift --accept ADDRESS`.',
    example: 'hostwright export --observed',
  },
  HW6748: {
    why: 'A run deleted something that `history undo` writes back. The history keeps no secret and nothing about a person, so these values are not in its rows.',
    fix: 'Run `hostwright plan`. Where it makes the object anew, write these values into the manifest first: for a secret, where it is kept.',
    example: 'password: { env: BEN_PASSWORD }',
  },
  HW6726: {
    why: 'An export plans to nothing, so it knows what both sides say. Without a ledger there is no place to write that down, and the first drift cannot tell which side changed.',
    fix: 'Run `hostwright ledger init` before the export, or run it now and then `hostwright apply`.',
    example: 'hostwright ledger init',
  },
  HW6727: {
    why: 'The manifests are written, but the ledger could not be. Until the next apply, drift cannot say which side changed.',
    fix: 'Correct what the detail names, then run `hostwright apply`. It finds nothing to do and records what it sees.',
    example: 'hostwright apply',
  },
  HW6740: {
    why: '`trace` finds the site by the hostname of the address, and no manifest names it in `domains` or `primaryDomain`; with `--live`, no site of the account has it.',
    fix: 'Correct the address. For a hostname that no manifest names, add `--live`; `hostwright get domains` lists those of the account.',
    example: 'hostwright trace https://shop.example.com/old --live',
  },
  HW6750: {
    why: '`upgrade-check` needs the other version on this machine, or npm to fetch it. Nothing was read.',
    fix: 'Name a version that npm can install here, or an archive, a folder or an executable that is there.',
    example: 'npm pack hostwright@0.1.0\nhostwright upgrade-check ./hostwright-0.1.0.tgz',
  },
  HW6751: {
    why: 'Each version plans a copy of the workspace. This one ended without a plan: it may not know a field of the manifests, not read a ledger that a later version wrote, or write plans in another format.',
    fix: 'Read what it said. Where the manifests use what the old version does not have, compare a commit without it.',
  },
  HW6752: {
    why: 'A plan only reads. The other version asked the account for something else, or wanted to connect to another place. It was refused, and nothing was sent.',
    fix: 'Find out what was started: a release of Hostwright does not do that. Do not give it a token.',
  },
  HW6760: {
    why: 'The text has a form that cannot be laid out anew without a risk for its comments or its meaning. It is valid, and was left as it is.',
    fix: 'Nothing has to be done. To have it laid out, write aliases and anchors out first.',
  },
  HW6901: {
    why: 'A fleet is folders that each hold a workspace file. This name, or this glob, leads to none.',
    fix: 'Name folders with a `hostwright.yaml` in them, and quote a glob, so that the shell does not expand it to files.',
    example: "hostwright fleet plan 'accounts/*'",
  },
  HW6902: {
    why: 'An account has one workspace, one ledger and one lock. With two workspaces, each would undo what the other declares.',
    fix: 'Correct `account` in one of the workspace files, or name only one of the folders.',
    example: "hostwright fleet list 'accounts/*'",
  },
  HW6903: {
    why: 'The run of this account ended in a way that the program does not expect. The other accounts are not touched by it.',
    fix: 'Run `hostwright plan` in the folder of the account, and report what it prints.',
    example: 'hostwright plan --config accounts/client-a/hostwright.yaml',
  },
  HW6904: {
    why: '`--max-accounts-changed` is a ceiling over all accounts of a run. A shared profile that was edited by mistake changes hundreds of them.',
    fix: 'Look at `hostwright fleet plan`. When the changes are wanted, raise the ceiling or name fewer folders.',
    example: "hostwright fleet apply 'accounts/*' --max-accounts-changed 50",
  },
  HW6905: {
    why: '`--max-spend` is a ceiling over all accounts of a run. What has no price, or one in another currency, is above every ceiling.',
    fix: 'Look at the charges in `hostwright fleet plan`. Raise the ceiling, or apply the accounts with charges by themselves.',
    example: "hostwright fleet apply 'accounts/*' --max-spend 500.00EUR",
  },
  HW6906: {
    why: 'With `--canary` a few accounts are changed first. One of these did not end with done, so the others were not begun.',
    fix: 'Look at the accounts that the detail names, correct them, and run the same command again. What is done is not done twice.',
    example: "hostwright fleet apply 'accounts/*' --canary 5",
  },
  HW6907: {
    why: '`--account` replaces the account of a workspace file. For a fleet that would send the manifests of all accounts to one.',
    fix: 'Leave `--account` out, and unset HOSTWRIGHT_ACCOUNT. Name the folders of the accounts that you mean.',
    example: 'hostwright fleet plan accounts/client-a',
  },
  HW6908: {
    why: 'A fleet is changed after somebody said yes at a terminal, or after a review. Neither is there.',
    fix: 'Give `--expect` with what was reviewed. `--yes` runs whatever the plans say.',
    example: "hostwright fleet apply 'accounts/*' --expect comment.md",
  },
  HW6909: {
    why: 'The file of `--expect` is not there, or it is not one that holds the digest of the plan of each account.',
    fix: 'Give the JSON or the Markdown of `hostwright fleet plan`, or the file that `hostwright github approved --out approved.txt` wrote.',
    example:
      "hostwright fleet plan 'accounts/*' --report json=plan.json\nhostwright fleet apply 'accounts/*' --expect plan.json",
  },
  HW6910: {
    why: 'The files are the JSON of runs over many accounts. One of them is something else, or, where one run is answered for, of another command.',
    fix: 'Name the files that `--report json=FILE` of the same command wrote. A shard that failed early may have written none.',
    example:
      "hostwright fleet plan 'accounts/*' --shard 1/8 --report json=part-1.json\nhostwright fleet report part-1.json",
  },
};
