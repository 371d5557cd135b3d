// What state a live object is in, where that decides what can be done with it.
import type { Blocker } from './blocker.ts';
import type { Live } from './collection.ts';

/**
 * frozen: nothing can be done with it, or in it, for now. deleting: it is on its way out already, and who wants it gone
 * has nothing more to do; a blocker says why it takes no change until then. implicit: it is there because its parent
 * is. It may be declared; where it is not, it is neither reported nor removed. platform-managed: it belongs to the
 * platform. It is never reported and never touched; a manifest that names one is told so. irreplaceable: it could not be
 * made again. An authoritative list does not remove it by leaving it out, unless the ledger shows that it is ours: it is
 * reported as unmanaged.
 */
export type Status =
  | { readonly is: 'frozen'; readonly blocker: Blocker }
  | { readonly is: 'deleting'; readonly blocker?: Blocker }
  | { readonly is: 'implicit' | 'platform-managed' | 'irreplaceable' };

/** Says the status of a member; undefined of one with which everything can be done. */
export type StatusOf<Spec> = (member: Live<Spec>) => Status | undefined;

interface WithStatus<Spec> {
  readonly status?: StatusOf<Spec>;
}

/** True when the status of a member is this one. */
export function isInState<Spec>({ status }: WithStatus<Spec>, member: Live<Spec>, is: Status['is']): boolean {
  return status?.(member)?.is === is;
}

/** Why nothing can be done with it, or in it, for now. */
export function statusBlocker<Spec>({ status }: WithStatus<Spec>, member: Live<Spec>): Blocker | null {
  const found = status?.(member);
  return found !== undefined && 'blocker' in found ? found.blocker : null;
}

/** True for what no manifest has to name: nobody is told of it, and nothing removes it. */
export function needsNoManifest<Spec>({ status }: WithStatus<Spec>, member: Live<Spec>): boolean {
  const found = status?.(member);
  return found !== undefined && found.is !== 'frozen' && found.is !== 'irreplaceable';
}

/** The status of a member that is frozen where there is a blocker, and has none otherwise. */
export function frozenStatus(blocker: Blocker | null): Status | undefined {
  return blocker === null ? undefined : { is: 'frozen', blocker };
}
