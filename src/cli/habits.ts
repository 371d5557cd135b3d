// What people type who come from Terraform, kubectl, octoDNS and Git, and how it is done here. Spelling does not lead
// from `renew` to `autoRenew`: one table does, and each of its answers names commands that there are.

const DELETE =
  'To delete an object, write `lifecycle: { state: absent }` in its manifest and run `hostwright apply --allow-deletes 1`.';
const REVERT =
  'Take the change back in the manifests, with `git revert COMMIT`, and run `hostwright plan`. What was made and no manifest names any more stays: write `lifecycle: { state: absent }` to delete it.';
const STATE =
  'The state is read from the platform in every run. `hostwright get sites` shows what is there, and `hostwright ledger list` what this workspace owns.';
const CREATE =
  'Write a manifest and run `hostwright apply`: what is declared and not there is made. `hostwright explain Site` shows how one is written.';
const EDIT =
  'Edit the manifest in the repository, then run `hostwright plan`. `hostwright export` writes manifests for what has none.';
const RENEW =
  'A registration renews itself with `autoRenew: true` in its manifest: run `hostwright explain DomainRegistration.autoRenew`. `hostwright get registrations` shows when each ends.';
const LOGIN =
  'There is no login: set `HOSTWRIGHT_TOKEN` in the environment. `hostwright doctor` says what the token can do.';
const BACKUP = 'Run `hostwright run backup Site/NAME`. `hostwright get archives` lists those that there are.';
const GET = 'Run `hostwright get KIND`, such as `hostwright get sites`. `hostwright get` lists the kinds.';
const RENAME =
  'Write the new `metadata.name` and `metadata.renamedFrom` with the old one, then run `hostwright plan`: nothing is made anew.';
const GIT =
  'Manifests are files in a Git repository: use `git` for them. `hostwright plan` shows what a change of them does.';
const CHECKS = 'Run `hostwright validate`.';
const READ_ANEW = 'Every plan reads the platform anew. Run `hostwright drift` to see what changed there.';
const SSH = 'Run `hostwright get site SITE`, which shows the address for SSH.';
const ROTATE =
  'Change the mark `rotate` beside the secret in its manifest, then run `hostwright apply`. `hostwright explain Mailspace.mailboxes.password` shows how.';
const TRANSFER =
  'To bring a name here, write `order: { action: transfer }`: `hostwright explain DomainRegistration.order`. To let one go, run `hostwright run transfer-out DomainRegistration/NAME --decision approve`.';
const REGISTER =
  'Write a `DomainRegistration` with `order: { action: register }`, as `hostwright explain DomainRegistration.order` shows. `hostwright get prices NAME` asks whether it can be bought.';
const UNLOCK_LEDGER =
  'Run `hostwright ledger unlock` when a run that is gone left its lock. For the transfer lock of a registration, write `locked` in its manifest: `hostwright explain DomainRegistration.locked`.';
const MODULES =
  'Nothing has to be fetched: a workspace has no modules and no providers. Fields that sites share stand in a profile: `hostwright explain SiteProfile`.';

const VARIABLES =
  'Manifests have no variables. What sites share stands in a profile (`hostwright explain SiteProfile`); what is computed comes from a program (`hostwright synth`).';
const FILES = 'Files and folders are arguments: `hostwright plan sites/shop.yaml`.';
const NARROW = 'Name what is meant with `--target`: `hostwright plan --target Site/shop`.';
const FOLLOW =
  'Run `hostwright get logs --site SITE --watch` for log entries as they come, and `hostwright get tasks --watch` for what is on its way.';
const YES =
  'Run `hostwright apply --yes`, or name what may run without a review: `hostwright apply --approve create,update`.';
const JSON_FORM = 'Write `--format json`, or `-o json`: `hostwright plan --format json`.';
const ACCOUNT =
  'An account stands where others have namespaces and contexts: `hostwright get sites --account ID`. Several at once: `hostwright fleet plan FOLDERS`.';
const QUIETER = 'Run `hostwright plan --concise`, or give `--quiet` for no progress and no hints.';

/** Commands and options of other tools, and words for what one wants. */
export const HABITS: Readonly<Record<string, string>> = {
  // To make, change and remove.
  create: CREATE,
  new: CREATE,
  add: CREATE,
  provision: CREATE,
  destroy: DELETE,
  start: 'To begin, run `hostwright init`. To restart a site, run `hostwright run restart Site/NAME`.',
  delete: DELETE,
  remove: DELETE,
  rm: DELETE,
  prune: DELETE,
  edit: EDIT,
  set: EDIT,
  patch: EDIT,
  replace: EDIT,
  update: EDIT,
  modify: EDIT,
  label: EDIT,
  scale: EDIT,
  resize: EDIT,
  rename: RENAME,
  mv: RENAME,
  move: RENAME,
  sync: 'Run `hostwright apply`.',
  up: 'Run `hostwright apply`.',
  deploy: 'Run `hostwright apply`.',
  push: 'Run `hostwright apply`.',
  publish: 'Run `hostwright apply`.',
  undo: REVERT,
  rollback: REVERT,
  rollout: REVERT,
  revert: REVERT,
  reset: REVERT,
  taint:
    'Nothing is made anew by a mark. `hostwright run restart Site/NAME` restarts a site; `lifecycle: { state: absent }` deletes an object.',
  // To look.
  state: STATE,
  output: STATE,
  inspect: STATE,
  list: GET,
  ls: GET,
  resources: GET,
  'api-resources': 'Run `hostwright get` for what can be shown, and `hostwright explain` for what can be declared.',
  describe: 'Run `hostwright get KIND NAME -o yaml`, such as `hostwright get site shop -o yaml`.',
  cat: 'Run `hostwright get KIND NAME -o yaml`, such as `hostwright get site shop -o yaml`.',
  refresh: READ_ANEW,
  pull: 'To take over what changed on the platform, run `hostwright drift --accept ADDRESS`. To write manifests for what has none, run `hostwright export`.',
  dump: 'Run `hostwright export`.',
  backup: BACKUP,
  snapshot: BACKUP,
  restore: 'Run `hostwright run restore Site/NAME`. `hostwright get archives --site SITE` lists what there is.',
  diff: 'Run `hostwright plan`.',
  preview: 'Run `hostwright plan`.',
  compare: 'Run `hostwright plan`.',
  'dry-run': 'Run `hostwright plan`.',
  report: 'Run `hostwright plan`, or `hostwright drift` for what changed on the platform.',
  status: 'Run `hostwright drift` for what differs, and `hostwright ledger list` for what is in flight.',
  events: 'Run `hostwright get shield-events --site SITE`, or `hostwright get tasks` for what the platform works on.',
  log: 'Run `hostwright get logs --site SITE`. `hostwright history` shows what each run did.',
  logs: 'Run `hostwright get logs --site SITE`.',
  tail: 'Run `hostwright get logs --site SITE`.',
  top: 'Run `hostwright get metrics --site SITE`.',
  stats: 'Run `hostwright get metrics --site SITE`.',
  metrics: 'Run `hostwright get metrics --site SITE`.',
  usage: 'Run `hostwright get metrics --site SITE`.',
  wait: 'Run `hostwright get orders --watch`, or `hostwright apply --resume` for what a run left in flight.',
  watch: 'Run `hostwright get orders --watch`.',
  whoami: 'Run `hostwright doctor`.',
  auth: LOGIN,
  login: LOGIN,
  logout: LOGIN,
  'cluster-info': 'Run `hostwright doctor`.',
  info: 'Run `hostwright doctor`, or `hostwright get about` for plans and locations.',
  config: 'The workspace file holds the settings: `hostwright explain Workspace`.',
  workspace:
    'A folder with its own `hostwright.yaml` is a workspace. Several at once: `hostwright fleet plan FOLDERS`.',
  providers: MODULES,
  modules: MODULES,
  upgrade: 'Install the newest package with npm, then run `hostwright plan`.',
  docs: 'Run `hostwright explain`, or `hostwright explain Site`.',
  man: 'Run `hostwright explain Site`. Every command has `--help`.',
  // To check and lay out.
  format: 'Run `hostwright fmt`.',
  lint: 'Run `hostwright validate`, and `hostwright fmt --check` for the layout.',
  check: CHECKS,
  verify: CHECKS,
  console: 'Run `hostwright explain Site`, or `hostwright validate --expanded` for what manifests come to.',
  adopt: 'Run `hostwright export ADDRESS --id ID`.',
  import: 'Run `hostwright export ADDRESS --id ID`.',
  show: 'Run `hostwright plan --saved plan.json`, or `hostwright validate --expanded` for manifests with their profiles.',
  graph: 'Run `hostwright plan --format dot`.',
  version: 'Run `hostwright --version`.',
  schema: 'Run `hostwright explain --schema Site`.',
  untrack: 'Run `hostwright ledger forget ADDRESS`: the object stays as it is.',
  'force-unlock': UNLOCK_LEDGER,
  unlock: UNLOCK_LEDGER,
  lock: 'Write `locked: true` in the manifest of the registration, then run `hostwright apply`: `hostwright explain DomainRegistration.locked`.',
  // What hosting is about.
  restart: 'Run `hostwright run restart Site/NAME`.',
  reboot: 'Run `hostwright run restart Site/NAME`.',
  purge: 'Run `hostwright run purge Site/NAME`.',
  flush: 'Run `hostwright run purge Site/NAME`.',
  invalidate: 'Run `hostwright run purge Site/NAME`.',
  ssh: SSH,
  exec: SSH,
  sso: 'Run `hostwright run sso Site/NAME`.',
  renew: RENEW,
  rotate: ROTATE,
  register: REGISTER,
  buy: REGISTER,
  search: 'Run `hostwright get prices NAME`.',
  whois: 'Run `hostwright get registration NAME`.',
  transfer: TRANSFER,
  pay: 'Run `hostwright get orders`, which shows the page to pay on.',
  cancel: 'Run `hostwright run cancel Order/ID`. `hostwright get orders` shows the ids.',
  redirect: 'An edge rule redirects: `hostwright explain Site.edgeRules.action.redirect`.',
  commit: GIT,
  clone: GIT,
  checkout: GIT,
  merge: GIT,
  // Options.
  '--auto-approve': YES,
  '--doit': YES,
  '-y': YES,
  '--assume-yes': YES,
  '--refresh-only': 'Run `hostwright drift`.',
  '--refresh': READ_ANEW,
  '--dry-run': 'Run `hostwright plan`.',
  '-n': 'To see what would be done, run `hostwright plan`. For another account: `hostwright get sites --account ID`.',
  '--namespace': ACCOUNT,
  '-A': ACCOUNT,
  '--all-namespaces': ACCOUNT,
  '--kubeconfig': ACCOUNT,
  '--destroy': DELETE,
  '--prune': DELETE,
  '--replace': 'Nothing is replaced by an option. `hostwright run restart Site/NAME` restarts a site.',
  '-f': FILES,
  '--filename': FILES,
  '--file': FILES,
  '-R': FILES,
  '--recursive': FILES,
  '-k': FILES,
  '--config-file': 'Write `--config FILE`: `hostwright plan --config hostwright.yaml`.',
  '-c': 'Write `--config FILE`: `hostwright plan --config hostwright.yaml`.',
  '--chdir': 'Change into the folder, or write `--config FILE`: `hostwright plan --config hostwright.yaml`.',
  '-C': 'Change into the folder, or write `--config FILE`: `hostwright plan --config hostwright.yaml`.',
  '--out': 'A plan is saved by `hostwright plan --out plan.json`, and manifests by `hostwright export --out FOLDER`.',
  '--output': JSON_FORM,
  '--json': JSON_FORM,
  '--yaml': 'Write `-o yaml`, which `get` takes: `hostwright get site shop -o yaml`.',
  '--var': VARIABLES,
  '--var-file': VARIABLES,
  '--target': NARROW,
  '-t': NARROW,
  '--only': NARROW,
  '-l': NARROW,
  '--selector': NARROW,
  '--exclude': 'Leave a difference out of a report: `hostwright drift --ignore Site/shop`.',
  '--follow': FOLLOW,
  '--tail': 'Write `--limit N`: `hostwright get logs --site SITE --limit 50`.',
  '-w': 'Run `hostwright get orders --watch`.',
  '--watch': 'Run `hostwright get orders --watch`.',
  '--lock': 'The ledger is always locked. `hostwright apply --lock-timeout 5m` waits for another run.',
  '--input': 'Without a terminal nothing is asked. `hostwright apply --yes` says it beforehand.',
  '--state': STATE,
  '--upgrade': MODULES,
  '--reconfigure': 'Edit `hostwright.yaml`, then run `hostwright doctor`.',
  '--backend-config': 'The place of the ledger stands in the workspace file: `hostwright explain Workspace.ledger`.',
  '--force': YES,
  '-v': 'Run `hostwright plan --verbose` to see every request, or `hostwright --version`.',
  '--debug': 'Set `HOSTWRIGHT_DEBUG`, or run `hostwright plan --verbose` to see every request.',
  '-q': QUIETER,
  '--silent': QUIETER,
  '--compact-warnings': QUIETER,
  '--diff': 'Run `hostwright plan`, or `hostwright fmt --diff` for the layout.',
  '--write': 'Run `hostwright fmt`, which writes; `hostwright fmt --check` does not.',
  '--token':
    'There is no option for it, because command lines are seen by others: set `HOSTWRIGHT_TOKEN`. `hostwright doctor` says what the token can do.',
  '--url': 'The platform has no purge of one URL. `hostwright run purge Site/NAME` empties the cache of the site.',
};

const DNS = 'Run `hostwright dns`, which shows the records to publish, and which of them are there.';

/**
 * Kinds that people ask `get` for by other words: one that there is, in its plural, or else what to run. None of these
 * is a name that `get` takes by itself.
 */
export const KIND_HABITS: Readonly<Record<string, string>> = {
  edge: 'edge-rules',
  edges: 'edge-rules',
  rule: 'edge-rules',
  rules: 'edge-rules',
  redirects: 'edge-rules',
  cache: 'caching',
  php: 'sites',
  website: 'sites',
  websites: 'sites',
  app: 'sites',
  apps: 'sites',
  pods: 'sites',
  deployments: 'sites',
  services: 'sites',
  resources: 'Run `hostwright get` for the kinds that there are.',
  all: 'Run `hostwright get` for the kinds that there are, or `hostwright export` for everything.',
  hostnames: 'domains',
  hostname: 'domains',
  ingress: 'domains',
  dns: DNS,
  records: DNS,
  record: DNS,
  zones: DNS,
  zone: DNS,
  ssl: 'cdn',
  certificates: 'cdn',
  waf: 'shield-rules',
  firewall: 'shield-rules',
  events: 'shield-events',
  attacks: 'shield-events',
  jobs: 'tasks',
  processes: 'tasks',
  snapshots: 'archives',
  invoices: 'orders',
  payments: 'orders',
  purchases: 'orders',
  mail: 'mailspaces',
  email: 'mailboxes',
  emails: 'mailboxes',
  accounts: 'panel-accounts',
  nameservers: 'registrations',
  names: 'registrations',
  glue: 'hosts',
  clients: 'users',
  customers: 'users',
  packages: 'about',
  regions: 'about',
  state: 'Run `hostwright ledger list`.',
  ledger: 'Run `hostwright ledger list`.',
  drift: 'Run `hostwright drift`.',
};

/** What the command line was refused with; an answer for who wrote it as another tool takes it is in place of a guess. */
export function withHabit(refusal: string): string {
  // `-out=x` is read as `-o ut=x`.
  const isOut = /^error: option '-o, --format <format>' argument 'ut[=']/.test(refusal);
  const [, unknown = isOut ? '--out' : ''] = /^error: unknown (?:command|option) '([^']+)'/.exec(refusal) ?? [];
  const [name = ''] = unknown.replace(/^-(?=\w\w)/, '--').split('=');
  const [first, second = ''] = refusal.split('\n');
  const answer = Object.hasOwn(HABITS, name) && !second.startsWith('Long options') ? HABITS[name] : undefined;
  return answer === undefined ? refusal : `${first}\n${answer}\n`;
}
