// What becomes of what an answer tells only once: into its file before anything else can fail, and nowhere else; or
// lost, which is said.
import type { Address } from '../model/address.ts';
import type { Json } from '../model/json.ts';
import { valueAt } from '../model/json.ts';
import type { Reserved } from '../model/secret-sink.ts';
import type { Action } from '../model/plan/plan.ts';
import type { OneTimeSecret, SecretSaved, RequestStep } from '../model/plan/step.ts';
import { SECRET_SAVED } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';
import type { Outputs } from './ledger/entries.ts';
import { captureOutputs } from './look-up.ts';
import type { StepEnd } from './send.ts';

/** What is known of it until its file holds all of it. */
export const SECRET_LOST: Outputs = { [SECRET_SAVED]: 'lost' satisfies SecretSaved };
const WHOLE: Outputs = { [SECRET_SAVED]: 'whole' satisfies SecretSaved };

/** Puts an answer into its file; the outputs say whether all of it is there. */
export async function saveAnswer(
  { redactor }: Pick<RunContext, 'redactor'>,
  address: Address,
  oneTimeSecret: OneTimeSecret,
  reserved: Reserved,
  body: Json | undefined,
): Promise<Outputs> {
  const secrets = Object.entries(captureOutputs(oneTimeSecret.secrets, body));
  for (const [, secret] of secrets) redactor.add(secret);
  const beside = captureOutputs(oneTimeSecret.beside, body);
  if (secrets.length === 0) return { ...beside, ...SECRET_LOST };
  const failed = await reserved.fill(
    `${JSON.stringify({ for: address, ...beside, ...Object.fromEntries(secrets) }, null, 2)}\n`,
  );
  const whole = failed === undefined && secrets.length === Object.keys(oneTimeSecret.secrets).length;
  return { ...beside, ...(whole ? WHOLE : SECRET_LOST) };
}

/** True when an earlier run died between the file and the ledger: the answer did come, and is written down now. */
export async function answeredByFile(
  context: RunContext,
  { address }: Action,
  { name, oneTimeSecret, unlocks = [] }: RequestStep,
): Promise<boolean> {
  const outputs = oneTimeSecret === undefined ? undefined : await savedAnswer(context, address, oneTimeSecret);
  if (outputs === undefined) return false;
  context.known.learn(address, outputs);
  await context.ledger.append({ type: 'answered', address, step: name, status: null, row: null, outputs });
  context.release(unlocks);
  return true;
}

/** What an earlier run had put into the file before it died. */
async function savedAnswer(
  { secretSink, redactor }: Pick<RunContext, 'secretSink' | 'redactor'>,
  address: Address,
  oneTimeSecret: OneTimeSecret,
): Promise<Outputs | undefined> {
  const saved = await secretSink.read(oneTimeSecret.file);
  const secrets = Object.keys(oneTimeSecret.secrets).map((name) => valueAt(saved, `/${name}`));
  if (saved?.for !== address || !secrets.every((secret) => typeof secret === 'string')) return undefined;
  for (const secret of secrets) redactor.add(secret);
  return {
    ...captureOutputs(Object.fromEntries(Object.keys(oneTimeSecret.beside).map((name) => [name, `/${name}`])), saved),
    ...WHOLE,
  };
}

/** How a request ended that was carried out: with what it told in its file, or without, which a person has to mend. */
export async function endSaved(
  context: RunContext,
  { address }: Action,
  { name, oneTimeSecret }: RequestStep,
  end: StepEnd,
): Promise<StepEnd> {
  if (
    oneTimeSecret === undefined ||
    end.end !== 'done' ||
    context.known.outputsOf(address)[SECRET_SAVED] === WHOLE[SECRET_SAVED]
  )
    return end;
  const saved = await savedAnswer(context, address, oneTimeSecret);
  await learn(context, address, name, saved ?? SECRET_LOST);
  if (saved !== undefined) return end;
  // What was made ready for it is blank, or not there.
  const reserved = await context.secretSink.reserve(oneTimeSecret.file);
  if (!('reason' in reserved)) await reserved.release();
  return {
    end: 'pending-external',
    reason: `it is made, and what the platform tells only once is not whole in ${oneTimeSecret.file}: the answer did not arrive, or could not be written (${oneTimeSecret.rule}). ${oneTimeSecret.remedy}`,
  };
}

async function learn(context: RunContext, address: Address, step: string, outputs: Outputs): Promise<void> {
  context.known.learn(address, outputs);
  await context.ledger.append({ type: 'learnt', address, step, outputs });
}
