// Text that leaves the program is without the credentials of its environment.
import type { Environment } from '../../manifest/credentials/variables.ts';
import { credentialsIn } from '../../manifest/credentials/variables.ts';
import { createRedactor } from '../../platform/redact.ts';

export { credentialsIn, withoutScheme } from '../../manifest/credentials/variables.ts';

/** A shorter value would take ordinary words out of every text. */
const LEAST_LENGTH = 8;
/** Those that the local sandbox takes, and no others that begin so: a real one might. */
const SANDBOX_TOKEN =
  /^sandbox-(?:session|(?:reader-)?api-key|oauth(?:-read-only|-scopes\.[a-z:.]*)?|system-key|back-end-key|user-token-\d+)$/;

/** True for a token of the local sandbox: it opens nothing, and people copy it. */
export function isSandboxToken(secret: string): boolean {
  return SANDBOX_TOKEN.test(secret);
}

/**
 * Takes every credential of an environment out of a text, in each spelling that it may have there; and what is `learnt`
 * by the time that the text leaves.
 */
export function redactorFor(env: Environment, learnt: ReadonlySet<string> = new Set()): (text: string) => string {
  const isSecret = (secret: string): boolean => secret.length >= LEAST_LENGTH && !isSandboxToken(secret);
  const redactor = createRedactor(credentialsIn(env).flatMap(({ secrets }) => secrets.filter(isSecret)));
  let known = 0;
  return (text) => {
    if (learnt.size > known) {
      for (const secret of learnt) if (isSecret(secret)) redactor.add(secret);
      known = learnt.size;
    }
    return redactor.text(text);
  };
}
