// What is said of the places that secrets come from and go to: whether they are there.
import type { Finding } from '../../model/doctor.ts';
import type { WorkspaceFile } from '../../model/generated/workspace.ts';
import type { Workspace } from '../../model/workspace.ts';
import type { Purpose } from '../../manifest/credentials/credentials-file.ts';
import { lookAtPlace } from '../../manifest/read/load-secret.ts';
import type { Session } from '../session.ts';
import { checkOf } from './finding.ts';

type WorkspaceSpec = Pick<WorkspaceFile['spec'], 'credentialEntry' | 'ledger' | 'secrets'>;

/** The findings on each place that the workspace lists. */
export async function secretFindings(
  { env }: Pick<Session, 'env'>,
  { root, secrets }: Workspace,
): Promise<readonly Finding[]> {
  const variables = secrets.env.map((name) => {
    const value = env(name);
    if (value !== undefined && value !== '')
      return checkOf('secrets', `env ${name}`).ok(`The environment variable ${name} is set.`);
    return checkOf('secrets', `env ${name}`).warning(
      `The environment variable ${name} is ${value === undefined ? 'not set' : 'empty'}.`,
      'Set it before an apply that writes that secret; plan and drift do not need it.',
    );
  });
  const files = await Promise.all(
    secrets.files.map(async (place) =>
      placeFinding(place, root, 'Make it before an apply that writes a secret from it; plan and drift do not need it.'),
    ),
  );
  const kept = await Promise.all(secrets.keep.map(async (place) => placeFinding(place, root, undefined)));
  const all = [...variables, ...files, ...kept];
  return all.length === 0 ? [checkOf('secrets', 'places').ok('The workspace lists no place for secrets.')] : all;
}

/**
 * Where credentials of entries come from. What gives a secret is not run: only that of the account is, because the
 * account is looked at with it.
 */
export async function entryFindings(
  { credentials }: Pick<Session, 'credentials'>,
  { credentialEntry, ledger, secrets }: WorkspaceSpec,
  place: { readonly root: string; readonly account: string },
): Promise<readonly Finding[]> {
  const ofLedger = ledger?.postgres?.entry;
  const named: readonly (readonly [Purpose, string])[] = [
    ...(credentialEntry === undefined ? [] : [['tokens', credentialEntry] as const]),
    ...(ofLedger === undefined ? [] : [['ledgers', ofLedger] as const]),
    ...(secrets?.entries ?? []).map((entry) => ['secrets', entry] as const),
    ...(secrets?.sinks ?? []).map((entry) => ['sinks', entry] as const),
  ];
  return Promise.all(
    named.map(async ([purpose, entry]) => {
      const found = await (await credentials?.())?.describe(purpose, { entry, ...place });
      const check = `${purpose} ${entry}`;
      if (found === undefined || 'diagnostic' in found)
        return checkOf('secrets', check).problem(
          found === undefined ? 'There is no credentials file here.' : `${found.diagnostic.summary}.`,
          found?.diagnostic.detail,
        );
      return checkOf('secrets', check).ok(`${found.words}.`);
    }),
  );
}

async function placeFinding(place: string, root: string, remedy: string | undefined): Promise<Finding> {
  const check = `file ${place}`;
  const found = await lookAtPlace(place, root);
  if ('reason' in found)
    return checkOf('secrets', check).problem(
      `${place} cannot be looked at: ${found.reason}.`,
      'Mend the path or its permissions.',
    );
  if (found.is === 'missing')
    return remedy === undefined
      ? checkOf('secrets', check).ok(`${place} is not there yet; it is made when something is kept in it.`)
      : checkOf('secrets', check).warning(`${place} is not there.`, remedy);
  // In a folder it is the mode of each file that counts.
  if (found.open && found.is === 'file')
    return checkOf('secrets', check).warning(
      `The file ${place} is there, and others on this machine may read it.`,
      `Keep it to yourself: \`chmod go= ${place}\`.`,
    );
  return checkOf('secrets', check).ok(`The ${found.is} ${place} is there.`);
}
