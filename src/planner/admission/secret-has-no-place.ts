// Nothing is made whose answer tells a secret only once while there is no place to keep it.
import type { Objection } from '../../model/secret-sink.ts';
import { showDestination } from '../../model/secret-sink.ts';
import type { Filter } from './filter.ts';

export const secretHasNoPlace: Filter = ({ unwritableSecrets = new Map<string, Objection>() }) => {
  return ({ address, verb, steps }) => {
    const objection = unwritableSecrets.get(address);
    if (verb !== 'create' || objection === undefined) return null;
    const [secret] = steps.flatMap((step) => (step.do === 'request' ? (step.oneTimeSecret ?? []) : []));
    if (secret === undefined) return null;
    return {
      reason: `what is told only once would go to ${'file' in secret ? secret.file : showDestination(secret)}, which ${objection.reason}`,
      remedy: objection.remedy,
      rule: secret.rule,
    };
  };
};
