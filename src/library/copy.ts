// The copy of an account on which a plan is rehearsed.
import type { OpenCopy } from '../usecases/rehearse/rehearse.ts';

/** The platform of the documents, with what was read of the account in it: loaded where it is asked for. */
export const openCopy: OpenCopy = async (answers, options) => {
  const { openCopy: open } = await import('../sandbox/copy.ts');
  const { send: transport, ...copy } = open(answers, options);
  return { transport, ...copy };
};
