// What an agent may do: look, and propose manifests. To apply is a tool only where a review is asked for, and runs nothing
// but what the forge says that a person approved.
import type { Json, JsonObject } from '../model/json.ts';
import { renderEditsJson, renderOutcomeJson } from '../report/json/index.ts';
import { withoutPersonal } from '../report/view/personal.ts';
import { applyWorkspace } from '../usecases/apply/apply.ts';
import type { ApplyOptions } from '../usecases/apply/run.ts';
import { DEFAULT_BRANCH, readUnreviewed } from '../usecases/guards.ts';
import { GET_KINDS } from '../usecases/get/kinds.ts';
import { findWorkspace } from '../usecases/workspace-file.ts';
import { proposeManifests } from '../usecases/write/propose.ts';
import { diagnosticsOutcome } from '../model/plan/plan-outcome.ts';
import type { PlanDocument, Problems } from '../library/index.ts';
import { drift, explain, get, history, plan, show, trace, validate } from '../library/index.ts';
import { listSchemas, readSchema } from '../library/package-files.ts';
import type { AccountOptions } from '../library/session.ts';
import { openSession } from '../library/session.ts';
import { documentAnswer, peopleIn, textAnswer, withoutPeople, withoutTexts } from './answer.ts';

/** What the server is given by the command that starts it. */
export interface Ground {
  readonly account: AccountOptions;
  /** Takes credentials out of a text. */
  readonly redact: (text: string) => string;
  /** Asks the forge whether a review approves what would run. Absent: nothing is applied. */
  readonly askForge?: ApplyOptions['askForge'];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /** Nothing is changed by it. */
  readonly readOnlyHint: boolean;
  readonly run: (args: JsonObject, ground: Ground) => Promise<string>;
}

const FROM = { type: 'integer', minimum: 0, description: 'Where to go on in a long answer: its `next`.' };
const TARGETS = {
  type: 'array',
  maxItems: 100,
  items: { type: 'string', maxLength: 300 },
  description: 'Addresses or globs, such as Site/shop or Site/*/Caching. Absent: everything.',
};
const TEXT = { type: 'string', minLength: 1, maxLength: 300 };

function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>>,
  run: Tool['run'],
  {
    required = [],
    readOnlyHint = true,
  }: { readonly required?: readonly string[]; readonly readOnlyHint?: boolean } = {},
): Tool {
  const inputSchema = { type: 'object', additionalProperties: false, properties, required } as const;
  return { name, description, inputSchema, readOnlyHint, run };
}

/** One list of a document, from an item on. */
const LISTED = (lists: readonly string[]) => ({
  list: { enum: lists, description: `Which list of the answer is shown from \`from\` on; absent: ${lists[0]}.` },
  from: FROM,
});
const PLAN_LISTS = [
  'actions',
  'blocked',
  'deferred',
  'waiting',
  'manual',
  'unknown',
  'unmanaged',
  'orphaned',
  'released',
  'notices',
];

const READING: readonly Tool[] = [
  tool(
    'validate',
    'Checks the manifests of the workspace offline: schemas, references, duplicates. Do this after each change.',
    LISTED(['diagnostics']),
    async (args, { account }) => shown(await validate(account), args, 'diagnostics'),
  ),
  tool(
    'plan',
    'What apply would do, in order, and why; what of it is dangerous, charges or is blocked. Sends nothing but reads. `rehearse` carries it out once on a copy of the account, and says what the platform would refuse.',
    { targets: TARGETS, rehearse: { type: 'boolean' }, ...LISTED(PLAN_LISTS) },
    async (args, { account }) => {
      const { targets, rehearse } = args as { readonly targets?: readonly string[]; readonly rehearse?: boolean };
      const options = { ...account, ...(targets && { targets }), ...(rehearse !== undefined && { rehearse }) };
      return shown(planned(await plan(options)), args, 'actions');
    },
  ),
  tool(
    'drift',
    'What differs from the manifests, which side changed, and since when.',
    { targets: TARGETS, ...LISTED(['drift', ...PLAN_LISTS]) },
    async (args, { account }) => {
      const { targets } = args as { readonly targets?: readonly string[] };
      return shown(planned(await drift({ ...account, ...(targets && { targets }) })), args, 'drift');
    },
  ),
  tool(
    'get',
    `What is on the account, whatever manifests say. Kinds: ${GET_KINDS.map(({ kind, shows }) => `${kind} (${shows})`).join(', ')}.`,
    {
      kind: { enum: GET_KINDS.map(({ kind }) => kind) },
      name: { ...TEXT, description: 'One of them: a name of a manifest, of the platform, or id: and an id.' },
      site: TEXT,
      mailspace: TEXT,
      registration: TEXT,
      ...LISTED(['items']),
    },
    async (args, { account }) => {
      const { list: _list, from: _from, ...asked } = args as { readonly kind: string } & JsonObject;
      const { items = [], ...document } = await get({ ...account, ...asked });
      const rows = items.map(({ id, values, unknown, object }) => {
        const people = peopleIn([object, values]);
        return withoutTexts({ id, values, ...(unknown !== undefined && { unknown }) } as unknown as Json, people);
      });
      return shown({ ...document, items: rows }, args, 'items');
    },
    { required: ['kind'] },
  ),
  tool(
    'show',
    'The manifests of the workspace with their profiles merged in, as they are planned.',
    {
      targets: { ...TARGETS, description: 'Kind/name of manifests, such as Site/shop. Absent: all.' },
      ...LISTED(['manifests']),
    },
    async (args, { account }) => {
      const { targets } = args as { readonly targets?: readonly string[] };
      const document = await show(account);
      if (document.format !== 'hostwright.expanded/1') return shown(document, args, 'diagnostics');
      const manifests = document.manifests.filter(
        ({ manifest }) => targets === undefined || targets.includes(addressIn(manifest)),
      );
      return shown(withoutPeople({ ...document, manifests } as unknown as Json) as JsonObject, args, 'manifests');
    },
  ),
  tool(
    'trace',
    'What the rules of a site do with a request: edge rules, Shield, caching. Nothing is sent to its address. `live`: by the rules on the account, whatever manifests say.',
    {
      url: { type: 'string', pattern: '^https?://[^\\s/?#]', maxLength: 2000 },
      method: { type: 'string', pattern: '^[A-Za-z]{1,20}$' },
      country: { type: 'string', pattern: '^[A-Za-z]{2}$' },
      live: { type: 'boolean' },
      ...LISTED(['kinds']),
    },
    async (args, { account }) => {
      const { list: _list, from: _from, ...request } = args as { readonly url: string } & JsonObject;
      return shown(await trace({ ...account, ...request }), args, 'kinds');
    },
    { required: ['url'] },
  ),
  tool(
    'history',
    'What runs did to the account: when, who, what, from and to.',
    { address: TEXT, run: TEXT, ...LISTED(['runs']) },
    async (args, { account }) => {
      const { list: _list, from: _from, ...asked } = args;
      return shown(await history({ ...account, ...asked }), args, 'runs');
    },
  ),
  tool(
    'explain',
    'What a kind, a field (Site.caching.smartCache), a diagnostic (HW2204), a rule (O-18) or a word of a plan is. Without `what`: all kinds.',
    { what: TEXT, from: FROM },
    async ({ what, from }) => {
      const document = await explain(typeof what === 'string' ? { what } : {});
      const text =
        'diagnostics' in document ? String(document.diagnostics[0]?.detail) : JSON.stringify(document, undefined, 2);
      return textAnswer(text, Number(from ?? 0));
    },
  ),
  tool(
    'schema',
    'The JSON Schema of a kind of manifest, such as Site; without `kind`, the names of all schemas.',
    { kind: TEXT, from: FROM },
    async ({ kind, from }) => {
      const schemas = await listSchemas();
      const file = typeof kind === 'string' ? schemas.get(kind) : undefined;
      return file === undefined
        ? `There are schemas of: ${[...schemas.keys()].join(', ')}.`
        : textAnswer(await readSchema(file), Number(from ?? 0));
    },
  ),
];

const PROPOSE = tool(
  'propose',
  'Writes whole files of manifests into the working tree, where all of them are valid with the rest; else writes none and says why. Only files that the workspace reads manifests from; secrets are named ({ env: NAME }), never written. A person reviews and applies.',
  {
    files: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'text'],
        properties: {
          file: {
            type: 'string',
            minLength: 1,
            maxLength: 300,
            description: 'From the folder of the workspace: sites/shop.yaml',
          },
          text: { type: 'string', maxLength: 262_144, description: 'All of the file, as YAML.' },
        },
      },
    },
  },
  async (args, { account, redact }) => {
    const { files } = args as unknown as { readonly files: Parameters<typeof proposeManifests>[1] };
    const isSecret = (text: string): boolean => redact(text) !== text;
    const { files: changed = [], written, diagnostics } = await proposeManifests(openSession(account), files, isSecret);
    const text = renderEditsJson(
      { files: changed, written },
      { outcome: diagnosticsOutcome(diagnostics, false), diagnostics },
    );
    const { files: _texts, ...document } = JSON.parse(text) as JsonObject;
    return shown({ ...document, files: changed.map(({ file }) => file) }, args, written ? 'files' : 'diagnostics');
  },
  { required: ['files'], readOnlyHint: false },
);

const applyBy = (askForge: NonNullable<Ground['askForge']>): Tool =>
  tool(
    'apply',
    'Runs what a person approved on the forge, and nothing else: the digests of the actions of a reviewed plan. The forge is asked now; where it approves less than the plan, nothing runs.',
    { digests: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', pattern: '^[0-9a-f]{64}$' } } },
    async (args, { account }) => {
      const { digests } = args as unknown as { readonly digests: readonly string[] };
      // The guards of the default branch count, and no branch that an agent writes.
      const session = openSession({ ...account, guardsFrom: DEFAULT_BRANCH });
      let isApproved = false;
      const { outcome } = await applyWorkspace(session, {
        approved: digests,
        askForge: async (outside) => {
          const approval = await askForge(outside);
          isApproved = typeof approval === 'object';
          return approval;
        },
        // Whatever else there may be to say for it: without the word of the forge nothing runs.
        confirm: ({ actions }) => Promise.resolve(isApproved || actions.length === 0),
      });
      return shown(JSON.parse(renderOutcomeJson(outcome)) as JsonObject, args, 'actions');
    },
    { required: ['digests'], readOnlyHint: false },
  );

/** The tools of a workspace. */
export async function toolsFor({ account, askForge }: Ground): Promise<readonly Tool[]> {
  return [...READING, PROPOSE, ...(askForge !== undefined && (await mayApply(account)) ? [applyBy(askForge)] : [])];
}

/** Where the default branch itself says that nothing runs unreviewed, whatever an agent does to this working tree. */
async function mayApply(account: AccountOptions): Promise<boolean> {
  const session = openSession(account);
  const { workspace, file } = await findWorkspace(session);
  if (workspace === undefined || file === undefined) return false;
  return (await readUnreviewed(session, workspace.root, file, [DEFAULT_BRANCH])) === 'refused';
}

/** What is sent, what is looked at before and what is held meanwhile is for people who look for a mistake. */
function planned(document: PlanDocument | Problems): object {
  if (document.format !== 'hostwright.plan/1') return document;
  const { bindings: _bindings, ...rest } = withoutPersonal(document) as PlanDocument;
  const actions = rest.actions.map(
    ({ steps: _steps, expect: _expect, locks: _locks, needs: _needs, effects: _effects, ...action }) => action,
  );
  return { ...rest, actions };
}

function shown(document: object, { list, from }: JsonObject, main: string): string {
  return documentAnswer(document, typeof list === 'string' ? list : main, Number(from ?? 0));
}

function addressIn(manifest: Json): string {
  const { kind, metadata } = manifest as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
  return `${kind ?? ''}/${metadata?.name ?? ''}`;
}
