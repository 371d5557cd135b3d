// Operations as data: what `run OPERATION ADDRESS` can do to which kind of object, and the options it takes. The command
// line reads this before any other code is loaded.

/** The values that a user passes to an operation. */
export interface OperationOptions {
  readonly again?: boolean;
  readonly archive?: string;
  /** Absent: the user is asked. */
  readonly backup?: boolean;
  readonly days?: number;
  readonly decision?: 'approve' | 'reject';
  readonly layer?: 'redis' | 'nginx' | 'cdn' | 'all';
  readonly name?: string;
  readonly to?: string;
  readonly user?: string;
  readonly volume?: string;
}

export type OperationOption = keyof OperationOptions;

/** How an option is written on the command line. */
export interface OptionForm {
  /** The placeholder of its value. Absent: a flag. */
  readonly value?: string;
  readonly does: string;
  readonly choices?: readonly string[];
  /** Its value is a number of days. */
  readonly isDays?: true;
  /** The flag can be negated: `--no-backup`. The text describes the negated form. */
  readonly negated?: string;
}

export const OPERATION_OPTIONS: Readonly<Record<OperationOption, OptionForm>> = {
  again: {
    does: 'Send the request again although the response to the previous one was lost. Check the account first.',
  },
  archive: { value: 'archive', does: 'The name or the id of an archive. Without it, the archives are listed.' },
  backup: {
    does: 'Back up the volume before it is restored.',
    negated: 'Do not back up the volume before it is restored.',
  },
  days: {
    value: 'n',
    does: 'Report after this many days, in plan, drift and doctor, that learning can end. Recorded in the ledger.',
    isDays: true,
  },
  decision: { value: 'decision', does: 'Approve or reject the transfer.', choices: ['approve', 'reject'] },
  layer: {
    value: 'layer',
    does: 'Purge one cache layer (or all of them) instead of the CDN zone.',
    choices: ['redis', 'nginx', 'cdn', 'all'],
  },
  name: { value: 'name', does: 'The name of the new archives. Default: a name that contains the time.' },
  to: { value: 'handle', does: "The recipient's handle at the registrar." },
  user: { value: 'login', does: 'The CMS user to log in as. Optional if the CMS has only one user.' },
  volume: { value: 'label', does: 'The label of one volume. Optional if the site has only one volume.' },
};

/** An operation, without its code. */
export interface OperationRow {
  readonly name: string;
  /** The kind of the address: `Site` of `Site/shop`. */
  readonly kind: string;
  /** The operation applies to all objects of the kind, and its address is the kind alone. */
  readonly isOnAll?: true;
  /** One sentence. */
  readonly does: string;
  readonly takes: readonly OperationOption[];
  /** The options that must be given. */
  readonly needs: readonly OperationOption[];
}

/** Returns how the address of an operation is written: `Site/NAME`, `Order/ID`. */
export function addressForm({ kind, isOnAll }: Pick<OperationRow, 'kind' | 'isOnAll'>): string {
  if (isOnAll === true) return kind;
  return `${kind}/${kind === 'Order' || kind === 'DomainContact' ? 'ID' : 'NAME'}`;
}
