// The commands that act beside plans, by their names: what each reads, asks and tells is said by its area, and here is
// what is the same for all. One client, one ending, no exception for what the platform or a person can cause.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { ActResult, Ending } from '../../model/plan/act.ts';
import type { KeptAct } from '../../model/plan/ledger-view.ts';
import type { Command, OpenAccount } from '../../areas/commands.ts';
import { COMMANDS } from '../../areas/commands.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Opened } from '../client.ts';
import { ledgerOrStop, openAccount } from '../client.ts';
import { createAccountReader } from '../get/account-reader.ts';
import { inLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { openSite } from './open-site.ts';
import type { Confirm } from './run-act.ts';
import { runAct } from './run-act.ts';

export type { Confirm } from './run-act.ts';
export type { LogName, MetricName } from '../../areas/commands.ts';

/** The words of a command. */
export type CommandName = keyof typeof COMMANDS;

/** What it is given: its arguments and options by their names. */
export type OptionsOf<Name extends CommandName> = Parameters<(typeof COMMANDS)[Name]['begin']>[1];

/** Whether a command sends nothing but reads, so that nobody is asked. */
export function onlyReads(name: CommandName): boolean {
  return COMMANDS[name].reads;
}

/** The command with its options: `site sso` with `list` is the command `site sso --list`, which has an entry of its own. */
export function commandMeant(name: CommandName, options: Readonly<Record<string, unknown>>): CommandName {
  const names = Object.keys(COMMANDS) as CommandName[];
  return names.find((one) => one.startsWith(`${name} --`) && options[one.slice(name.length + 3)] === true) ?? name;
}

const nobody: Confirm = () => Promise.resolve(false);

/** Runs a command. Resolves for everything but our own bugs. */
export async function act<Name extends CommandName>(
  session: Session,
  name: Name,
  options: OptionsOf<Name>,
  confirm = nobody,
): Promise<ActResult> {
  const { on, reads, begin } = COMMANDS[name] as unknown as Command<OptionsOf<Name>>;
  const use = async <Target extends Opened>(target: Target): Promise<Ending> => {
    const opened = { ...target, ...accessOf(target, confirm) };
    const begun = await begin(opened, options);
    return 'act' in begun ? opened.run(begun) : begun;
  };
  const ended =
    on === 'site'
      ? await openSite(session, (options as { readonly site: string }).site, use, { reads })
      : await openAccount(session, use, { reads });
  // Ctrl-C at a question is an answer too, and not a refusal.
  return ended.outcome === 'refused' && session.stop.aborted ? { ...ended, outcome: 'interrupted' } : ended;
}

/** What a command may do with what it was given. */
function accessOf(opened: Opened, confirm: Confirm): OpenAccount {
  const { session, client } = opened;
  return {
    ...createAccountReader(opened),
    ask: (path, body) => client.ask(path, body),
    unlessRefused: async (answer, means) => {
      try {
        return { answer: await answer };
      } catch (error) {
        const refused = error instanceof ApiError ? means(error) : undefined;
        if (refused === undefined) throw error;
        return { refused };
      }
    },
    now: () => session.clock.now(),
    sleep: (durationMs) => session.clock.sleep(durationMs, session.stop),
    uuid: () => session.runtime.uuid(),
    confirm,
    run: (asked) => runAct(opened, asked, confirm),
    ledger: () => ledgerOrStop(opened),
    remember: (name, kept) => remember(opened, name, kept),
  };
}

/**
 * Remembers `kept` under a name, or forgets what is remembered under it: when a message was sent, and when learning is to
 * end. It is written after the platform took the request. Nothing rests on it but what people are told.
 */
async function remember(opened: Opened, act: string, kept: KeptAct | undefined): Promise<readonly Diagnostic[]> {
  const kind = { type: 'acted', act, ...(kept !== undefined && { kept }) } as const;
  const written = await inLedger(opened, (ledger) => ledger.append(kind));
  if ('diagnostics' in written) return [notRemembered(written.diagnostics.map(({ detail }) => detail).join(' '))];
  const notices = [...written.opening, ...written.notices];
  return 'failure' in written ? [...notices, notRemembered(`${written.failure.message}.`)] : notices;
}

function notRemembered(why: string): Diagnostic {
  return diagnose('HW4588', `It was done, and the ledger could not be written: ${why} Nobody is told of it later.`);
}
