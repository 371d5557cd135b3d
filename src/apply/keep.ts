// Decides what becomes of what an answer tells only once: into its file before anything else can fail, and nowhere
// else; or lost, which is said. Must not let a secret into the ledger, an output or a text.
import type { Address } from '../model/address.ts';
import type { Json } from '../model/json.ts';
import { valueAt } from '../model/json.ts';
import type { Reserved } from '../model/keeper.ts';
import type { Action } from '../model/plan/plan.ts';
import type { Keep, Kept, RequestStep } from '../model/plan/step.ts';
import { KEPT } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';
import type { Outputs } from './ledger/entries.ts';
import { takeOutputs } from './locate.ts';
import type { StepEnd } from './send.ts';

/** What is known of it until its file holds all of it. */
export const NOT_KEPT: Outputs = { [KEPT]: 'lost' satisfies Kept };
const WHOLE: Outputs = { [KEPT]: 'whole' satisfies Kept };

/** Puts an answer into its file; the outputs say whether all of it is there. */
export async function keepAnswer(
  { redactor }: Pick<RunContext, 'redactor'>,
  address: Address,
  keep: Keep,
  reserved: Reserved,
  body: Json | undefined,
): Promise<Outputs> {
  const secrets = Object.entries(takeOutputs(keep.secrets, body));
  for (const [, secret] of secrets) redactor.add(secret);
  const beside = takeOutputs(keep.beside, body);
  if (secrets.length === 0) return { ...beside, ...NOT_KEPT };
  const failed = await reserved.fill(
    `${JSON.stringify({ for: address, ...beside, ...Object.fromEntries(secrets) }, null, 2)}\n`,
  );
  const whole = failed === undefined && secrets.length === Object.keys(keep.secrets).length;
  return { ...beside, ...(whole ? WHOLE : NOT_KEPT) };
}

/** True when an earlier run died between the file and the ledger: the answer did come, and is written down now. */
export async function answeredByFile(
  context: RunContext,
  { address }: Action,
  { name, keep, releases = [] }: RequestStep,
): Promise<boolean> {
  const outputs = keep === undefined ? undefined : await recallAnswer(context, address, keep);
  if (outputs === undefined) return false;
  context.known.learn(address, outputs);
  await context.ledger.append({ type: 'answered', address, step: name, status: null, row: null, outputs });
  context.release(releases);
  return true;
}

/** What an earlier run had put into the file before it died. */
async function recallAnswer(
  { keeper, redactor }: Pick<RunContext, 'keeper' | 'redactor'>,
  address: Address,
  keep: Keep,
): Promise<Outputs | undefined> {
  const kept = await keeper.recall(keep.file);
  const secrets = Object.keys(keep.secrets).map((name) => valueAt(kept, `/${name}`));
  if (kept?.for !== address || !secrets.every((secret) => typeof secret === 'string')) return undefined;
  for (const secret of secrets) redactor.add(secret);
  return {
    ...takeOutputs(Object.fromEntries(Object.keys(keep.beside).map((name) => [name, `/${name}`])), kept),
    ...WHOLE,
  };
}

/** How a request ended that was carried out: with what it told in its file, or without, which a person has to mend. */
export async function endKept(
  context: RunContext,
  { address }: Action,
  { name, keep }: RequestStep,
  end: StepEnd,
): Promise<StepEnd> {
  if (keep === undefined || end.end !== 'done' || context.known.outputsOf(address)[KEPT] === WHOLE[KEPT]) return end;
  const recalled = await recallAnswer(context, address, keep);
  await learn(context, address, name, recalled ?? NOT_KEPT);
  if (recalled !== undefined) return end;
  // What was made ready for it is blank, or not there.
  const reserved = await context.keeper.reserve(keep.file);
  if (!('because' in reserved)) await reserved.release();
  return {
    end: 'left',
    because: `it is made, and what the platform tells only once is not whole in ${keep.file}: the answer did not arrive, or could not be written (${keep.rule}). ${keep.todo}`,
  };
}

async function learn(context: RunContext, address: Address, step: string, outputs: Outputs): Promise<void> {
  context.known.learn(address, outputs);
  await context.ledger.append({ type: 'learnt', address, step, outputs });
}
