// Nothing is made whose answer tells a secret only once while there is no file to keep it in.
import type { Filter } from './filter.ts';

export const secretFile: Filter = ({ unwritableSecrets = new Map<string, string>() }) => {
  return ({ address, verb, steps }) => {
    const objection = unwritableSecrets.get(address);
    if (verb !== 'create' || objection === undefined) return null;
    const [secret] = steps.flatMap((step) => (step.do === 'request' ? (step.oneTimeSecret ?? []) : []));
    if (secret === undefined) return null;
    return {
      reason: `what is told only once would go to ${secret.file}, which ${objection}`,
      remedy: 'Move that file away, or name another one.',
      rule: secret.rule,
    };
  };
};
