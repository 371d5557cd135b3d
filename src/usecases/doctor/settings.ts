// Which value of each setting counts and what it was preferred to: a flag beats the environment, which beats the
// workspace file, which beats what is built in.
import type { Setting, SettingOrigin, SettingValue } from '../../model/doctor.ts';
import type { LedgerSetting } from '../../model/workspace.ts';
import type { LoadedWorkspace } from '../../manifest/workspace.ts';
import { ledgerOf, NO_GUARDS, DEFAULT_MANIFESTS } from '../../manifest/workspace.ts';

/** A setting as the command line and the environment give it. */
export interface GivenSetting {
  /** As in the workspace file where it has one, else as its flag. */
  readonly name: string;
  readonly flag?: string;
  readonly environment?: string;
  /** What counts when nobody says anything. */
  readonly fallback: string;
}

type Spec = LoadedWorkspace['spec'];
type Read = (spec: NonNullable<Spec>) => string | undefined;

/** What a workspace file may say, and what counts without it. */
const IN_FILE: Readonly<Record<string, { readonly read: Read; readonly fallback: string }>> = {
  account: { read: ({ account }) => account, fallback: 'none' },
  baseUrl: { read: ({ baseUrl }) => baseUrl, fallback: 'none' },
  manifests: { read: ({ manifests }) => manifests?.join(', '), fallback: DEFAULT_MANIFESTS.join(', ') },
  ledger: {
    read: ({ ledger }) => (ledger === undefined ? undefined : ledgerWords(ledgerOf(ledger))),
    fallback: ledgerWords(ledgerOf({})),
  },
  'guards.allowDeletes': {
    read: ({ guards }) => textOf(guards?.allowDeletes),
    fallback: String(NO_GUARDS.allowDeletes),
  },
  'guards.allowCharges': {
    read: ({ guards }) => textOf(guards?.allowCharges),
    fallback: String(NO_GUARDS.allowCharges),
  },
  'guards.maxSpend': {
    read: ({ guards }) =>
      guards?.maxSpend === undefined ? undefined : `${guards.maxSpend.amount} ${guards.maxSpend.currency}`,
    fallback: 'no limit in money',
  },
  'credential.type': { read: ({ credential }) => credential?.type, fallback: 'not said' },
  'credential.scopes': { read: ({ credential }) => credential?.scopes?.join(', '), fallback: 'not said' },
  'credential.sendAs': { read: ({ credential }) => credential?.sendAs, fallback: 'bearer' },
};

/** Every setting: those of the file first, in its order, then the others. */
export function settingsTable(spec: Spec, given: readonly GivenSetting[]): readonly Setting[] {
  const inFile = Object.entries(IN_FILE).map(([name, { read, fallback }]) => {
    const own = given.find((setting) => setting.name === name);
    return choose(name, {
      flag: own?.flag,
      environment: own?.environment,
      file: spec === undefined ? undefined : read(spec),
      default: fallback,
    });
  });
  const others = given
    .filter(({ name }) => !Object.hasOwn(IN_FILE, name))
    .map(({ name, flag, environment, fallback }) =>
      choose(name, { flag, environment, file: undefined, default: fallback }),
    );
  return [...inFile, ...others];
}

function choose(name: string, values: Readonly<Record<SettingOrigin, string | undefined>>): Setting {
  // In the order of this list: the first that says something counts. An empty variable is one that is not set.
  const said = (['flag', 'environment', 'file', 'default'] as const).flatMap((from): readonly SettingValue[] =>
    values[from] === undefined || values[from] === '' ? [] : [{ from, value: values[from] }],
  );
  const [first, ...beats] = said;
  return { name, ...(first ?? { from: 'default', value: '' }), beats: beats.filter(({ from }) => from !== 'default') };
}

function ledgerWords(ledger: LedgerSetting): string {
  if ('file' in ledger) return `file ${ledger.file}`;
  if ('postgres' in ledger)
    return `postgres, at the address in ${'env' in ledger.postgres ? ledger.postgres.env : `the entry ${ledger.postgres.entry} of the credentials file`}`;
  return `git ${ledger.git.remote} ${ledger.git.ref}`;
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
