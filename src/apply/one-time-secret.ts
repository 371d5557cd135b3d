// What becomes of what an answer tells only once: into its file or to its command before anything else can fail, and
// nowhere else; or lost, which is said.
import type { Address } from '../model/address.ts';
import type { Json } from '../model/json.ts';
import { valueAt } from '../model/json.ts';
import type { Reserved } from '../model/secret-sink.ts';
import { showDestination } from '../model/secret-sink.ts';
import type { Action } from '../model/plan/plan.ts';
import type { OneTimeSecret, Outputs, SecretSaved, RequestStep } from '../model/plan/step.ts';
import { captureOutputs, SECRET_SAVED } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';
import { recordCarriedOut } from './recovery.ts';
import type { StepResult } from './results.ts';

/** What is known of it until its file holds all of it. */
export const SECRET_LOST: Outputs = { [SECRET_SAVED]: 'lost' satisfies SecretSaved };
const WHOLE: Outputs = { [SECRET_SAVED]: 'whole' satisfies SecretSaved };

/** Puts an answer into its file or gives it to its command; the outputs say whether all of it is there. */
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
    { for: address, ...beside, encrypted: secrets.map(([name]) => name) },
  );
  const whole = failed === undefined && secrets.length === Object.keys(oneTimeSecret.secrets).length;
  return { ...beside, ...(whole ? WHOLE : SECRET_LOST) };
}

/** True when an earlier run died between the file and the ledger: the answer did come, and is written down now. */
export async function answeredByFile(context: RunContext, { address }: Action, step: RequestStep): Promise<boolean> {
  const { oneTimeSecret } = step;
  const outputs = oneTimeSecret === undefined ? undefined : await savedAnswer(context, address, oneTimeSecret);
  if (outputs === undefined) return false;
  await recordCarriedOut(context, address, step, outputs);
  return true;
}

/** What an earlier run had put into the file before it died. */
async function savedAnswer(
  { secretSink, redactor }: Pick<RunContext, 'secretSink' | 'redactor'>,
  address: Address,
  oneTimeSecret: OneTimeSecret,
): Promise<Outputs | undefined> {
  const saved = await secretSink.read(oneTimeSecret);
  if (saved?.for !== address) return undefined;
  const encrypted = Array.isArray(saved.encrypted) ? (saved.encrypted as readonly Json[]) : [];
  const open = Object.keys(oneTimeSecret.secrets).filter((name) => !encrypted.includes(name));
  const secrets = open.map((name) => valueAt(saved, `/${name}`));
  if (!secrets.every((secret) => typeof secret === 'string')) return undefined;
  for (const secret of secrets) redactor.add(secret);
  return {
    ...captureOutputs(Object.fromEntries(Object.keys(oneTimeSecret.beside).map((name) => [name, `/${name}`])), saved),
    ...WHOLE,
  };
}

/** How a request ended that was carried out: with what it told in its file, or without, which a person has to mend. */
export async function confirmSaved(
  context: RunContext,
  { address }: Action,
  { name, oneTimeSecret }: RequestStep,
  ended: StepResult,
): Promise<StepResult> {
  if (
    oneTimeSecret === undefined ||
    ended.result !== 'done' ||
    context.known.outputsOf(address)[SECRET_SAVED] === WHOLE[SECRET_SAVED]
  )
    return ended;
  const saved = await savedAnswer(context, address, oneTimeSecret);
  const outputs = saved ?? SECRET_LOST;
  context.known.learn(address, outputs);
  await context.ledger.append({ type: 'learnt', address, step: name, outputs });
  if (saved !== undefined) return ended;
  // What was made ready for it is blank, or not there.
  const reserved = await context.secretSink.reserve(oneTimeSecret, address);
  if (!('reason' in reserved)) await reserved.release();
  return {
    result: 'pending-external',
    reason: `it is made, and what the platform tells only once is not whole in ${'file' in oneTimeSecret ? oneTimeSecret.file : showDestination(oneTimeSecret)}: the answer did not arrive, or could not be written (${oneTimeSecret.rule}). ${oneTimeSecret.remedy}`,
  };
}
