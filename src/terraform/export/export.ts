// The use case `export --terraform`: configuration and `import` blocks for what is live, proven to plan to nothing before
// anything is written. Sends nothing but reads, and overwrites no file.
import path from 'node:path';
import type { Address } from '../../model/address.ts';
import { compareText, kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { NotExported } from '../../model/exported.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson } from '../../model/json.ts';
import type { LeftOut } from '../../model/kind/to-manifest.ts';
import type { Workspace } from '../../model/workspace.ts';
import { capital } from '../../model/common/sentence.ts';
import { refusedCredential, tokenFor } from '../../usecases/connect.ts';
import type { NewFile } from '../../usecases/export.ts';
import {
  checkTargets,
  isAsked,
  leftOutOf,
  leftRoots,
  notFound,
  unknownParts,
  writeNewFiles,
} from '../../usecases/export.ts';
import type { ListedRoot } from '../../usecases/one-root/questions.ts';
import { listRoots } from '../../usecases/one-root/questions.ts';
import { named } from '../../usecases/plan/limits.ts';
import type { Session } from '../../usecases/session.ts';
import { findWorkspaceOrAccount } from '../../usecases/workspace-file.ts';
import { fromFolder } from '../../usecases/write/documents.ts';
import type { Configured } from '../configured.ts';
import { configure } from '../configured.ts';
import { planResource } from '../resource/plan.ts';
import { importResource, readResource } from '../resource/read.ts';
import { tables } from '../tables.ts';
import type { Attribute, Fields, ResourceTable } from '../value/attribute.ts';
import { configOf, eachOf, hasUnknown, isObject, textOf } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import type { Block, Written, WrittenObject } from './hcl.ts';
import { createLabels, Expression, Keyed, quoted, writeBlocks } from './hcl.ts';

export interface TerraformExport {
  /** Absent when there are errors. */
  readonly files?: readonly NewFile[];
  /** Resources in them. */
  readonly count: number;
  readonly leftOut: readonly NotExported[];
  readonly requests: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** One live root as a resource. */
interface Resource {
  readonly type: string;
  readonly table: ResourceTable;
  readonly id: string;
  readonly address: Address;
  readonly state: ValueObject;
  /** What of it is live and cannot be said. */
  readonly leftOut: readonly LeftOut[];
  /** Why its configuration would not plan to nothing. */
  readonly errors: readonly Diagnostic[];
}

/** Reads the account, writes configuration for it, proves it, and puts it into a folder where one is named. */
export async function exportTerraform(
  session: Session,
  { targets, out }: { readonly targets: readonly string[]; readonly out?: string },
): Promise<TerraformExport> {
  const failed = (diagnostics: readonly Diagnostic[], requests = 0): TerraformExport => ({
    count: 0,
    leftOut: [],
    requests,
    diagnostics,
  });
  const { workspace, diagnostics: said, isBare } = await findWorkspaceOrAccount(session);
  const problems = [...said, ...checkTargets(targets)];
  if (workspace === undefined || hasErrors(problems)) return failed(problems);
  const found = await tokenFor(session, workspace);
  if ('error' in found) return failed([...problems, found.error]);
  const folder = path.resolve(session.cwd, out ?? '.');
  const block = providerOf(workspace, folder, isBare);
  const configured = await configure(
    { ...session, cwd: folder },
    { ...block, token: found.token ?? null, credential_entry: null },
    {},
  );
  if ('diagnostics' in configured) return failed([...problems, ...configured.diagnostics]);
  try {
    const { files, ...read } = await exportFrom(configured, block, targets);
    const { reads: requests } = configured.client.stats;
    const diagnostics = [...problems, ...read.diagnostics];
    if (files === undefined) return failed(diagnostics, requests);
    const unwritten = out === undefined ? [] : await writeNewFiles(folder, files);
    return hasErrors(unwritten)
      ? failed([...diagnostics, ...unwritten], requests)
      : { ...read, files, requests, diagnostics };
  } catch (error) {
    return failed([...problems, refusedCredential(error, workspace)], configured.client.stats.reads);
  } finally {
    await configured.close();
  }
}

async function exportFrom(
  configured: Configured,
  provider: ValueObject,
  targets: readonly string[],
): Promise<Omit<TerraformExport, 'requests'>> {
  const leftOut: NotExported[] = [];
  const known: Address[] = [];
  const roots: (ListedRoot & Pick<Resource, 'type' | 'table'>)[] = [];
  for (const [type, table] of Object.entries(tables())) {
    const { kind, part } = table;
    const isWanted = targets.length === 0 || targets.some((target) => kindOf(target) === kind);
    if (part !== undefined || !isWanted) continue;
    const listed = await listRoots(configured.access(), kind);
    if (listed.is === 'unread') {
      // A feature that is off has nothing live: only whoever asks for its kind is told.
      if (!listed.isOff) leftOut.push({ address: kind, reason: listed.reason, unknown: true });
      else if (targets.length > 0) leftOut.push({ address: kind, reason: listed.reason });
      continue;
    }
    for (const root of listed.roots) {
      known.push(root.address);
      if (!isAsked(targets, root.address)) continue;
      if (root.idle === undefined) roots.push({ ...root, type, table });
      else leftOut.push({ address: root.address, reason: root.idle });
    }
  }
  const missing = targets
    .filter((target) => target.includes('/') && !known.includes(target))
    .filter((target) => leftOut.every(({ address }) => address !== kindOf(target)))
    .map((target) => notFound(target, known));
  if (missing.length > 0) return { count: 0, leftOut, diagnostics: missing };
  const read = await Promise.all(roots.map((root) => readRoot(configured, root)));
  const resources = read.flatMap((one) => ('state' in one ? [one] : []));
  leftOut.push(...read.flatMap((one) => ('state' in one ? leftOutOf(one) : [one])));
  const different = resources.filter(({ isEqual }) => !isEqual);
  if (different.length > 0)
    return { count: 0, leftOut, diagnostics: [...different.flatMap(({ errors }) => errors), unproven(different)] };
  return {
    files: filesOf(resources, provider),
    count: resources.length,
    leftOut,
    diagnostics: [...unknownParts(leftOut), ...leftRoots(leftOut)],
  };
}

/** What an import of it would bring into a state, and whether a plan for that has nothing to do. */
async function readRoot(
  configured: Configured,
  { type, table, id, address }: ListedRoot & Pick<Resource, 'type' | 'table'>,
): Promise<(Resource & { readonly isEqual: boolean }) | NotExported> {
  const stub = importResource(table, { id, account: configured.workspace.account });
  const read = await readResource(table, configured, stub.state, stub.private);
  const { state } = read;
  const refused = read.diagnostics.find(({ severity }) => severity === 'error');
  if (!isObject(state) || refused !== undefined)
    return { address, reason: refused?.detail ?? 'it is gone by now', unknown: true };
  const planned = await planResource(table, configured, {
    prior: state,
    config: configOf(table.fields, state),
    private: read.private,
  });
  const errors = planned.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    ...{ type, table, id, address, state },
    isEqual: errors.length === 0 && !hasUnknown(planned.state) && sameJson(planned.state as Json, state as JsonObject),
    leftOut: read.leftOut ?? [],
    errors: errors.map((one) => ({ ...one, address })),
  };
}

function unproven(different: readonly Resource[]): Diagnostic {
  const names = named(different.map(({ address }) => decodeURIComponent(address)));
  return diagnose(
    'HW6709',
    `Nothing was written. A plan of Terraform for it would change ${names}. The account may have changed meanwhile: run the command again. If this stays, please report it, and export the other objects by their addresses or kinds.`,
  );
}

/** The provider block of an account; files as they are seen from the folder that it is written to. */
function providerOf({ root, account, baseUrl, ledger, credentialEntry }: Workspace, folder: string, isBare: boolean) {
  return {
    account,
    api_url: baseUrl,
    ...(credentialEntry !== undefined && { credential_entry: credentialEntry }),
    ...(!isBare && { ledger: ledgerBlock(ledger, (file) => fromFolder(folder, path.resolve(root, file))) }),
  } satisfies ValueObject;
}

function ledgerBlock(ledger: Workspace['ledger'], seen: (file: string) => string): ValueObject {
  if ('file' in ledger) return { file: seen(ledger.file) };
  if ('git' in ledger) return { git: { ...ledger.git } };
  return { postgres: { ...ledger.postgres } };
}

/** A file for each type of resource, and what they have in common. */
function filesOf(resources: readonly Resource[], provider: ValueObject): readonly NewFile[] {
  const contacts = new Contacts();
  const imports: Block[] = [];
  const byType = new Map<string, { readonly labelOf: (name: string) => string; readonly blocks: Block[] }>();
  const sorted = [...resources].sort((left, right) => compareText(left.address, right.address));
  for (const { type, table, id, state, leftOut } of sorted) {
    const { labelOf, blocks } = byType.get(type) ?? { labelOf: createLabels(), blocks: [] };
    byType.set(type, { labelOf, blocks });
    const label = labelOf(textOf(state.name));
    imports.push({ head: 'import', body: { to: new Expression(`${type}.${label}`), id } });
    blocks.push({
      comments: leftOut.map(
        // What may come behind the first sentence is for those who write YAML.
        ({ what, reason = '' }) =>
          `Not here, and not managed: ${what.replaceAll('/', '.')}. ${capital(reason.split('. ')[0] ?? '')}.`,
      ),
      head: `resource ${quoted(type)} ${quoted(label)}`,
      body: writtenObject(table.fields, state, contacts),
    });
  }
  const files = [...byType].map(([type, { blocks }]) => ({
    file: `${type.replace('hostwright_', '')}s.tf`,
    text: writeBlocks(blocks),
  }));
  const locals = contacts.locals();
  return [
    { file: 'hostwright.tf', text: writeBlocks(headBlocks(provider)) },
    ...files,
    ...(locals === undefined ? [] : [{ file: 'contacts.tf', text: writeBlocks([locals]) }]),
    ...(imports.length === 0
      ? []
      : [
          {
            file: 'imports.tf',
            text: `# What is in the state by now needs no block here: after the first apply this file can go.\n${writeBlocks(imports)}`,
          },
        ]),
  ];
}

function headBlocks(provider: ValueObject): readonly Block[] {
  return [
    {
      head: 'terraform',
      body: { required_version: '>= 1.11' },
      blocks: [{ head: 'required_providers', body: { hostwright: { source: 'hostwright/hostwright' } } }],
    },
    {
      comments: ['The token of the account. Null: what the environment has in HOSTWRIGHT_TOKEN.'],
      head: 'variable "hostwright_token"',
      body: { type: new Expression('string'), default: new Expression('null'), sensitive: true, ephemeral: true },
    },
    {
      head: 'provider "hostwright"',
      body: {
        ...(provider as WrittenObject),
        ...(provider.credential_entry === undefined && { token: new Expression('var.hostwright_token') }),
      },
    },
  ];
}

/** People who stand in several places, each said once. */
class Contacts {
  readonly #labelOf = createLabels();
  readonly #known = new Map<string, { readonly label: string; readonly contact: WrittenObject }>();

  /** How a configuration refers to this one. */
  refer(contact: WrittenObject): Expression {
    const key = JSON.stringify(contact);
    const {
      first_name: first = '',
      last_name: last = '',
      organization = '',
    } = contact as Readonly<Record<string, unknown>>;
    const called = [first, last]
      .filter((part) => typeof part === 'string' && part !== '')
      .join('_')
      .toLowerCase();
    const label = this.#known.get(key)?.label ?? this.#labelOf(`contact_${called || String(organization)}`);
    this.#known.set(key, { label, contact });
    return new Expression(`local.${label}`);
  }

  locals(): Block | undefined {
    if (this.#known.size === 0) return undefined;
    const all = [...this.#known.values()].map(({ label, contact }) => [label, contact] as const);
    return { head: 'locals', body: Object.fromEntries(all) };
  }
}

function writtenObject(fields: Fields, values: ValueObject, contacts: Contacts): WrittenObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(
      ([name, { attribute, computed, writeOnly }]): readonly (readonly [string, Written])[] => {
        const value = values[name] ?? null;
        return value === null || computed === true || writeOnly === true
          ? []
          : [[name, written(attribute, value, contacts)]];
      },
    ),
  );
}

function written(attribute: Attribute, value: Value, contacts: Contacts): Written {
  if (!('fields' in attribute)) return value as Written;
  const object = (item: Value): WrittenObject => writtenObject(attribute.fields, item as ValueObject, contacts);
  if (Array.isArray(value)) return (value as readonly Value[]).map(object);
  if (attribute.is === 'map') return new Keyed(eachOf(value as ValueObject, object));
  return attribute.is === 'data' ? contacts.refer(object(value)) : object(value);
}
