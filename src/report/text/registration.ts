// How names that were asked about read in a terminal.
import type { Cell } from './table.ts';
import { renderTable } from './table.ts';

/** A name that was asked about, or suggested. */
export interface ShownName {
  readonly domain: string;
  readonly available: 'yes' | 'no' | 'ours' | 'unknown';
  readonly price?: string;
  readonly transferPrice?: string;
  readonly premium?: boolean;
  readonly note?: string;
  readonly suggested?: true;
}

export function renderNames(names: readonly ShownName[], options: { readonly color: boolean }): string {
  const rows = names.map(({ domain, available, price, transferPrice, premium, note, suggested }): readonly Cell[] => [
    domain,
    available,
    // The price of what cannot be bought says nothing.
    available === 'yes' ? price : undefined,
    available === 'ours' ? undefined : transferPrice,
    [
      ...(suggested === true ? ['suggested'] : []),
      ...(premium === true ? ['premium'] : []),
      ...(note ? [note] : []),
    ].join(', '),
  ]);
  return renderTable(['name', 'available', 'price', 'transfer', 'note'], rows, options);
}
