// How a ledger lies on a server that speaks the protocol of remote state: one document that is read and written whole,
// with a lock beside it.
import { randomUUID } from 'node:crypto';
import type { Json } from '../model/json.ts';
import { parseJsonObject } from '../model/json.ts';
import { ApiError } from '../platform/api-error.ts';
import type { PlainAnswer, PlainClient, PlainRequest } from '../platform/plain-client.ts';
import type { Holder, LockStore, LockRecord } from './lock.ts';
import { parseLock } from './lock.ts';
import type { LedgerStore } from './store.ts';
import { StoreError } from './store.ts';

export interface HttpStoreOptions {
  readonly address: string;
  readonly lockAddress: string;
  readonly unlockAddress: string;
  readonly lockMethod: 'LOCK' | 'POST' | 'PUT';
  readonly unlockMethod: 'UNLOCK' | 'DELETE' | 'POST' | 'PUT';
  readonly updateMethod: 'POST' | 'PUT';
}

/** What the server keeps. Such servers look for a `serial` that grows. */
interface Document {
  readonly serial: number;
  /** Absent: a damaged ledger was set aside, and no other took its place. */
  readonly text?: string;
  /** The lock under which it was written: tells two writers of one serial apart. */
  readonly writtenUnder: string;
  readonly setAside: readonly string[];
}

const FORMAT = 'hostwright.ledger/1';
const POLL_MS = 2000;
const MOST_TRIES = 3;
const NOTHING: Document = { serial: 0, writtenUnder: '', setAside: [] };

/** A ledger on a server. */
export function httpStore(client: PlainClient, place: HttpStoreOptions): LedgerStore {
  const { address } = place;
  /** As it was last read or written, and its JSON where that is known: what did not change is not parsed again. */
  let known: Document = NOTHING;
  let knownBody: string | undefined;
  /** What appends go behind, and the JSON of it: what is there already is not quoted again. */
  let text = '';
  let quoted = '""';

  const look = async (): Promise<Document> => {
    const answer = await ask(client, address);
    return answer.body === knownBody && answer.status === 200 ? known : parseDocument(client, address, answer);
  };
  const write = async (
    next: Pick<Document, 'text' | 'setAside'>,
    { token }: LockRecord,
    nextQuoted = JSON.stringify(next.text),
  ): Promise<void> => {
    // The protocol cannot compare and swap: the lock keeps others away, and this look finds those who came although it
    // did.
    if (!isSame(await look(), known)) throw new StoreError('somebody else wrote it while this run went on');
    const document: Document = { serial: known.serial + 1, writtenUnder: token, ...next };
    const { text: _, ...rest } = document;
    const head = JSON.stringify({ format: FORMAT, ...rest });
    const body = next.text === undefined ? head : `${head.slice(0, -1)},"text":${nextQuoted}}`;
    const target = new URL(address);
    target.searchParams.set('ID', token);
    const answer = await sendOnce(client, { method: place.updateMethod, address: target.href, body });
    if (isHeld(answer))
      throw new StoreError(`the lock of this run is no longer there (the server answered ${answer.status})`);
    // An answer that was lost, or that came from something in between: what is there now tells what became of it.
    if (!isSuccess(answer) && !(mayHaveHappened(answer) && isSame(await look(), document)))
      throw refused(client, place.updateMethod, address, answer);
    known = document;
    knownBody = body;
    keepText(document.text ?? '', nextQuoted);
  };
  const keepText = (whole: string, json = JSON.stringify(whole)): void => {
    text = whole;
    quoted = json;
  };

  return {
    name: address,
    lock: httpLock(client, place),
    read: async () => {
      known = await look();
      keepText(known.text ?? '');
      return known.text === undefined ? undefined : Buffer.from(known.text, 'utf8');
    },
    // Goes to the server with the next entry: until then nobody rests on it.
    resume: async (kept, ending) => {
      keepText(Buffer.from(text, 'utf8').subarray(0, kept).toString('utf8') + ending);
      return Promise.resolve();
    },
    append: (more, record) =>
      write(
        { text: text + more, setAside: known.setAside },
        record,
        `${quoted.slice(0, -1)}${JSON.stringify(more).slice(1)}`,
      ),
    rewrite: (whole, record) => write({ text: whole, setAside: known.setAside }, record),
    setAside: async (record) => {
      await write({ setAside: [...known.setAside, text] }, record);
      return asideName(known, address);
    },
    lastSetAside: () => Promise.resolve(known.setAside.length === 0 ? undefined : asideName(known, address)),
    close: () => client.close(),
  };
}

function asideName({ setAside }: Document, address: string): string {
  return `item ${setAside.length} of \`setAside\` in ${address}`;
}

function isSame(left: Document, right: Document): boolean {
  return left.serial === right.serial && left.writtenUnder === right.writtenUnder;
}

function ask(client: PlainClient, address: string): Promise<PlainAnswer> {
  return client.read(address).catch((error: unknown) => {
    throw asStoreError(error);
  });
}

function parseDocument(client: PlainClient, address: string, answer: PlainAnswer): Document {
  if (answer.status === 204 || answer.status === 404) return NOTHING;
  if (answer.status !== 200) throw refused(client, 'GET', address, answer);
  const value = parseJsonObject(answer.body) ?? {};
  const { format, serial, text, writtenUnder, setAside = [] } = value;
  if (typeof format !== 'string' || !/^hostwright\.ledger\/\d+$/.test(format))
    throw new StoreError('the server holds a document there that is not a ledger; it is left alone');
  // Only its first line is needed to say that it is newer.
  if (format !== FORMAT) return { ...NOTHING, text: `${JSON.stringify({ format })}\n` };
  const isSound =
    Number.isSafeInteger(serial) &&
    typeof writtenUnder === 'string' &&
    (text === undefined || typeof text === 'string') &&
    isTexts(setAside);
  if (!isSound) throw new StoreError('the document that the server holds is incomplete; it is left alone');
  return {
    serial: serial as number,
    writtenUnder: writtenUnder,
    setAside: setAside as readonly string[],
    ...(text !== undefined && { text: text }),
  };
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function httpLock(
  client: PlainClient,
  { address, lockAddress, unlockAddress, lockMethod, unlockMethod }: HttpStoreOptions,
): LockStore {
  const take = async (record: LockRecord): Promise<Holder | 'taken'> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await sendOnce(client, {
        method: lockMethod,
        address: lockAddress,
        body: infoOf(record, address),
      });
      if (isSuccess(answer)) return 'taken';
      if (isHeld(answer)) {
        const holder = parseInfo(answer.body);
        // Our own: an earlier try got it, and its answer was lost.
        return typeof holder !== 'string' && holder.token === record.token ? 'taken' : holder;
      }
      if (!mayHaveHappened(answer) || tries === MOST_TRIES) throw refused(client, lockMethod, lockAddress, answer);
    }
  };
  const remove = async (seen: Holder): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const body = seen === 'unreadable' ? '{}' : infoOf(seen, address);
      const answer = await sendOnce(client, { method: unlockMethod, address: unlockAddress, body });
      // Gone already, or another's by now: then it is not ours to remove.
      if (isSuccess(answer) || isHeld(answer) || answer.status === 404) return;
      if (!mayHaveHappened(answer) || tries === MOST_TRIES) throw refused(client, unlockMethod, unlockAddress, answer);
    }
  };
  return {
    pollMs: POLL_MS,
    take,
    // Servers remove a lock only for whoever names its id, so of several who try to follow a dead owner one gets the
    // next.
    replace: async (dead, record) => {
      await remove(dead);
      return (await take(record)) === 'taken';
    },
    // The protocol has no way to look at a lock but to ask for it.
    peek: async () => {
      const probe: LockRecord = {
        token: randomUUID(),
        hostname: '',
        pid: 0,
        user: 'hostwright ledger unlock',
        runId: '',
        since: '',
        started: '',
        space: '',
      };
      const holder = await take(probe);
      if (holder !== 'taken') return holder;
      await remove(probe);
      return 'none';
    },
    remove,
  };
}

/** What such servers know of a lock. Some tell all of it to whoever finds it taken, some only who and when. */
function infoOf(record: LockRecord, address: string): string {
  const { token, user, hostname, since } = record;
  return JSON.stringify({
    ID: token,
    Operation: 'hostwright',
    Info: JSON.stringify(record),
    Who: hostname === '' ? user : `${user}@${hostname}`,
    Version: '1',
    Created: since,
    Path: address,
  });
}

function parseInfo(body: string): Holder {
  const { ID: id, Who: who, Created: since, Info: info } = parseJsonObject(body) ?? {};
  if (typeof id !== 'string' || id === '') return 'unreadable';
  const record = parseLock(typeof info === 'string' ? info : '');
  if (typeof record !== 'string' && record.token === id) return record;
  // Enough to name it and to remove it; nothing that could make it look like a dead process of this machine.
  return {
    token: id,
    hostname: '',
    pid: 0,
    user: typeof who === 'string' && who !== '' ? who : 'somebody',
    runId: '',
    since: typeof since === 'string' && since !== '' ? since : 'an unknown time',
    started: '',
    space: '',
  };
}

/** An answer; status 0 when there was none and the server may have seen the request. */
async function sendOnce(client: PlainClient, request: PlainRequest): Promise<PlainAnswer> {
  try {
    return await client.send(request);
  } catch (error) {
    if (error instanceof ApiError && error.sent === 'maybe' && error.kind !== 'redirect')
      return { status: 0, body: error.message };
    throw asStoreError(error);
  }
}

function isSuccess({ status }: PlainAnswer): boolean {
  return status >= 200 && status < 300;
}

function isHeld({ status }: PlainAnswer): boolean {
  return status === 409 || status === 423;
}

function mayHaveHappened({ status }: PlainAnswer): boolean {
  return status === 0 || status === 408 || status >= 500;
}

function refused(client: PlainClient, method: string, address: string, { status, body }: PlainAnswer): StoreError {
  if (status === 0) return new StoreError(body);
  const said = client.redact(body).replace(/\s+/g, ' ').trim().slice(0, 200);
  return new StoreError(`${method} ${address} answered ${status}${said === '' ? '' : `: ${said}`}`);
}

function asStoreError(error: unknown): unknown {
  return error instanceof ApiError ? new StoreError(error.message, { cause: error }) : error;
}
