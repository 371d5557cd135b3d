// The use case behind `notify:` of a workspace: tells its channels what is news on an account, and writes down in the
// ledger what each was told. What is not written down is told again: once too often, never not at all.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors, saidOnce } from '../../model/diagnostic.ts';
import type { Notify } from '../../model/generated/workspace.ts';
import type { Channel, Message, RenderMessages, RunEnd } from '../../model/plan/news.ts';
import { CHANNELS } from '../../model/plan/news.ts';
import { isJob } from '../../model/plan/started-by.ts';
import type { Workspace } from '../../model/workspace.ts';
import type { LedgerEntry } from '../../ledger/entries.ts';
import { serverProblem } from '../../platform/notify/mail.ts';
import { addressProblem, secretProblem } from '../../platform/notify/post.ts';
import { inLedger, startedBy, viewLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { findWorkspace } from '../workspace-file.ts';
import type { Parcel } from './addresses.ts';
import { sendParcels, STANDS } from './addresses.ts';
import type { News } from './state.ts';
import { newsOf } from './state.ts';

/** News of one account, and for which channels they are. */
export interface Telling {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly end: RunEnd;
  readonly news: ReadonlyMap<Channel, News>;
  /** Nothing can be remembered. */
  readonly forgets: boolean;
}

/** Tells what is news since a run of one account; a warning for whatever of that failed. Never throws for it. */
export async function tellRun(session: Session, end: RunEnd, render: RenderMessages): Promise<readonly Diagnostic[]> {
  return sendTellings(session, await prepareTelling(session, end), render);
}

/** What is to be told after a run of one account; empty where nobody is told, or nothing is news. */
export async function prepareTelling(session: Session, end: RunEnd): Promise<readonly Telling[]> {
  const { workspace } = await findWorkspace(session);
  const { notify } = workspace ?? {};
  if (workspace === undefined || notify === undefined) return [];
  const { view, diagnostics: unread } = await viewLedger(session, workspace);
  const news = new Map(
    CHANNELS.filter((channel) => notify[channel] !== undefined)
      .map((channel) => [channel, newsOf(end, workspace.account, view.told?.get(channel) ?? {})] as const)
      .filter(([, { firing, resolved }]) => firing.length + resolved.length > 0),
  );
  const forgets = view.standing === 'missing' || hasErrors(unread);
  return news.size === 0 ? [] : [{ session, workspace, end, news, forgets }];
}

/** Sends them, those of several accounts for one address together, and remembers what arrived. */
export async function sendTellings(
  session: Session,
  tellings: readonly Telling[],
  render: RenderMessages,
): Promise<readonly Diagnostic[]> {
  if (tellings.length === 0) return [];
  const problems: Diagnostic[] = [];
  const parcels = new Map<string, { parcel: Omit<Parcel, 'body'>; channel: Channel; to: Telling[] }>();
  for (const telling of tellings)
    for (const channel of telling.news.keys()) {
      const parcel = placeOf(telling.session, telling.workspace.notify ?? {}, channel);
      if ('code' in parcel) problems.push(parcel);
      else {
        const { address, mail } = parcel;
        const key = JSON.stringify([channel, address, mail, channel === 'webhook' && telling.workspace.account]);
        const known = parcels.get(key);
        if (known === undefined) parcels.set(key, { parcel, channel, to: [telling] });
        else known.to.push(telling);
      }
    }
  const all = [...parcels.values()];
  const ends = await sendParcels(
    session,
    all.map(({ parcel, channel, to }) => ({
      ...parcel,
      body: render(
        channel,
        to.map((telling) => messageOf(telling, channel)),
      ),
    })),
  );
  const arrived = new Map<Telling, Channel[]>();
  for (const [index, { channel, to }] of all.entries()) {
    const problem = ends[index];
    if (problem !== undefined) problems.push(problem);
    else for (const telling of to) arrived.set(telling, [...(arrived.get(telling) ?? []), channel]);
  }
  for (const [telling, channels] of arrived) problems.push(...(await remember(telling, channels)));
  return saidOnce(problems);
}

/** Sends a test message to every channel of the workspace; what does not arrive is an error. */
export async function tryChannels(
  session: Session,
  render: RenderMessages,
): Promise<{
  readonly told: readonly { readonly channel: Channel; readonly host: string }[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { workspace, diagnostics } = await findWorkspace(session);
  if (workspace === undefined) return { told: [], diagnostics };
  const { notify = {}, account } = workspace;
  const channels = CHANNELS.filter((channel) => notify[channel] !== undefined);
  if (channels.length === 0) return { told: [], diagnostics: [noChannel()] };
  const message = { account, firing: [], resolved: [], atMs: session.clock.now(), ...linkOf(session, workspace) };
  const tried = await Promise.all(
    channels.map(async (channel) => {
      const parcel = placeOf(session, notify, channel);
      if ('code' in parcel) return { channel, problem: parcel };
      const [problem] = await sendParcels(session, [{ ...parcel, body: render(channel, [message]) }]);
      return problem === undefined ? { channel, host: new URL(parcel.address).host } : { channel, problem };
    }),
  );
  return {
    told: tried.flatMap(({ channel, host }) => (host === undefined ? [] : [{ channel, host }])),
    diagnostics: tried.flatMap(({ problem }) =>
      problem === undefined
        ? []
        : [{ ...problem, severity: 'error' as const, detail: problem.detail.replace(STANDS, '') }],
    ),
  };
}

function noChannel(): Diagnostic {
  return diagnose('HW6525', 'The workspace file names no channel under `notify`. Nothing was sent.');
}

/** Where a channel is; or what is wrong with what the environment says of it. */
function placeOf({ notifyNamed }: Session, notify: Notify, channel: Channel): Omit<Parcel, 'body'> | Diagnostic {
  const { env = '' } = notify[channel] ?? {};
  const secret = channel === 'webhook' ? notify.webhook?.secret : undefined;
  const address = notifyNamed?.(env);
  if (address === undefined) return unusable(channel, `${env} is not set.`);
  const { email } = notify;
  const mail = channel === 'email' && email !== undefined ? { from: email.from, to: email.to } : undefined;
  const wrong = mail === undefined ? addressProblem(address) : serverProblem(address);
  if (wrong !== undefined) return unusable(channel, `${env}: ${wrong}`);
  if (mail !== undefined) return { address, mail };
  if (secret === undefined) return { address };
  const key = notifyNamed?.(secret.env) ?? '';
  const unsigned = key === '' ? 'It is not set.' : secretProblem(key);
  return unsigned === undefined ? { address, secret: key } : unusable(channel, `${secret.env}: ${unsigned}`);
}

function unusable(channel: Channel, why: string): Diagnostic {
  return diagnose('HW6523', `notify.${channel}: ${why}${STANDS}`);
}

function messageOf({ session, workspace, end, news }: Telling, channel: Channel): Message {
  const { firing, resolved } = news.get(channel) as News;
  const { account } = workspace;
  return { account, end, firing, resolved, atMs: session.clock.now(), ...linkOf(session, workspace) };
}

function linkOf(session: Session, { notify }: Workspace): Pick<Message, 'link'> {
  const by = startedBy(session);
  const link = isJob(by) ? by.url : notify?.link;
  return link === undefined ? {} : { link };
}

async function remember(
  { session, workspace, news, forgets }: Telling,
  channels: readonly Channel[],
): Promise<readonly Diagnostic[]> {
  if (forgets) return [notRemembered('there is no ledger, or it cannot be used')];
  // The remote that accounts of a fleet share is closed by now.
  const { gitRemote: _shared, ...own } = session;
  const entries = channels.map((channel): LedgerEntry => ({
    type: 'told',
    channel,
    state: (news.get(channel) as News).state,
  }));
  const written = await inLedger({ session: own, workspace }, (ledger) => ledger.append(...entries));
  if ('diagnostics' in written) return [notRemembered(written.diagnostics[0]?.detail ?? '')];
  return 'failure' in written ? [notRemembered(`${written.failure.message}.`)] : written.notices;
}

function notRemembered(why: string): Diagnostic {
  return diagnose('HW6524', `The next run sends it again: ${why.replace(/\.$/, '')}.`);
}
