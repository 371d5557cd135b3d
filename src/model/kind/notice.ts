// What a kind may say of an object that is no blocker and no change.
import type { Diagnostic } from '../diagnostic.ts';

/** A warning or an info about an object, before its address and place are known. */
export type Notice = Pick<Diagnostic, 'code' | 'severity' | 'summary' | 'detail'>;

/** Something about a declared value, said with the action that writes it. */
export type FieldDoubt = Notice & { readonly field: string };
