// What two versions of the program plan from: a copy of the workspace with its ledger in a file and no credential, and
// answers of the account, each read sent to it once.
import { registry } from '../../areas/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { quoteOf } from '../../model/kind/write.ts';
import type { Workspace } from '../../model/workspace.ts';
import { storeFailure } from '../../ledger/stored-ledger.ts';
import { fromFolder, repositoryOf, WORKSPACE_FILE } from '../../manifest/read/load.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { writeNewFiles } from '../../manifest/write/new-files.ts';
import { checkPath, parseBaseUrl } from '../../platform/request-url.ts';
import type { TransportAnswer } from '../../platform/transport.ts';
import { isTransient } from '../../platform/retry.ts';
import { undiciTransport } from '../../platform/undici-transport.ts';
import { noToken, tokenFor } from '../connect.ts';
import { storeToRead } from '../ledger.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';
import { findWorkspace } from '../workspace-file.ts';

/** What a version of the program asks of the platform. */
export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface Stage {
  readonly workspace: Workspace;
  /** Where the workspace is in the folder that the files are written to. */
  readonly folder: string;
  readonly write: (folder: string) => Promise<readonly Diagnostic[]>;
  /** Answers a read: from the account, or as it was answered before. undefined: it is none, and was not sent. */
  readonly answer: (asked: Asked) => Promise<TransportAnswer | undefined>;
  /** How many answers the account gave. */
  readonly reads: () => number;
  readonly close: () => Promise<void>;
}

const LEDGER = '.hostwright/ledger.jsonl';
const MAX_BYTES = 64 * 1024 * 1024;
/** These say how the account and a body are named; no other header of theirs leaves this process. */
const PASSED_ON = ['x-auth-account', 'accept', 'content-type'];

/** Gets both ready, or says what is in the way. */
export async function openStage(
  session: Session,
): Promise<{ readonly stage?: Stage; readonly diagnostics: readonly Diagnostic[] }> {
  const { spec } = await findWorkspace(session);
  const { workspace, texts, diagnostics } = await openWorkspace(session, []);
  if (workspace === undefined || spec === undefined || hasErrors(diagnostics)) return { diagnostics };
  const found = await tokenFor(session, workspace);
  if ('error' in found) return { diagnostics: [found.error] };
  const { token } = found;
  if (token === undefined || token === '') return { diagnostics: [noToken(workspace)] };
  const ledger = await ledgerText(session, workspace);
  if (typeof ledger === 'object') return { diagnostics: [ledger] };
  const top = repositoryOf(workspace.root) ?? workspace.root;
  const folder = fromFolder(top, workspace.root);
  const within = (file: string): string => (folder === '' ? file : `${folder}/${file}`);
  // Where the ledger is, whose token it is and what runs a program belongs to this machine and not to the plan.
  const { credentialEnv: _variable, credentialEntry: _entry, credential: _type, synth: _program, ...kept } = spec;
  const own = { ...kept, account: workspace.account, ledger: { file: LEDGER } };
  const files: readonly NewFile[] = [
    {
      file: within(WORKSPACE_FILE),
      text: JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'Workspace', spec: own }),
    },
    ...texts.flatMap(({ file, source }) =>
      file === undefined ? [] : [{ file: fromFolder(top, file), text: source.text }],
    ),
    ...(ledger === undefined ? [] : [{ file: within(LEDGER), text: ledger }]),
    // Shared folders have to be in the repository of the workspace.
    { file: '.git/HEAD', text: 'ref: refs/heads/main\n' },
  ];
  return {
    stage: {
      workspace,
      folder,
      write: (to) => writeNewFiles(to, files),
      ...doorTo(session, workspace, token),
    },
    diagnostics,
  };
}

async function ledgerText(session: Session, workspace: Workspace): Promise<string | undefined | Diagnostic> {
  const store = storeToRead(session, workspace);
  try {
    return (await store.read())?.toString('utf8');
  } catch (error) {
    return storeFailure(error, store);
  } finally {
    await store.close();
  }
}

/** Lets reads through, each once: whoever asks the same is answered the same. */
function doorTo(
  session: Session,
  { baseUrl, credential }: Workspace,
  token: string,
): Pick<Stage, 'answer' | 'reads' | 'close'> {
  const { origin, prefix } = parseBaseUrl(baseUrl);
  const transport = session.transport ?? undiciTransport(origin, session.concurrency, session.proxies);
  // The documents say that these change nothing: what would be charged for an order.
  const questions = [...registry.values()].flatMap(({ create }) => quoteOf(create)?.path ?? []);
  const known = new Map<string, Promise<TransportAnswer>>();
  const send = async ({ method, path: at, body, headers }: Asked): Promise<TransportAnswer> => {
    const given = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
    return transport({
      origin,
      path: prefix + at,
      method: method as 'GET' | 'POST',
      headers: {
        ...Object.fromEntries(given),
        authorization: credential?.sendAs === 'raw' ? token : `Bearer ${token}`,
        'user-agent': 'hostwright',
      },
      ...(method === 'POST' && { body }),
      timeoutMs: session.timeoutMs,
      maxBytes: MAX_BYTES,
      signal: session.stop,
    });
  };
  return {
    answer: async (asked) => {
      const { method, path: at, body, headers } = asked;
      if (checkPath(at) !== null || (method !== 'GET' && !(method === 'POST' && questions.includes(at))))
        return undefined;
      const key = JSON.stringify([method, at, body, headers['x-auth-account']]);
      const answer = known.get(key) ?? send(asked);
      known.set(key, answer);
      // What passes is asked for again, by the rules of whoever asks.
      await answer.then(
        ({ status, broken }) => (isTransient(status) || broken !== undefined) && known.delete(key),
        () => known.delete(key),
      );
      return answer;
    },
    reads: () => known.size,
    close: async () => transport.close?.(),
  };
}
