// Decides what a kind may say of an object that is no obstacle and no change. Must not decide when it is said.
import type { Diagnostic } from '../diagnostic.ts';

/** Something about an object, before its address and place are known. */
export type Remark = Pick<Diagnostic, 'code' | 'summary' | 'detail'> & { readonly severity: 'warning' | 'info' };

/** Something about a declared value, said with the action that writes it. */
export type FieldDoubt = Remark & { readonly field: string };
