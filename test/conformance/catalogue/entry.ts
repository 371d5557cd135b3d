// What an entry of the catalogue of rules is.

type Mark = 'R' | 'E' | 'B' | 'I' | 'GAP';

export interface CatalogueEntry {
  readonly id: string;
  readonly mark: Mark;
  readonly area: string;
  readonly text: string;
  readonly from?: string;
}

type Line = readonly [id: string, mark: Mark, text: string, from?: string];

export function area(name: string, lines: readonly Line[]): readonly CatalogueEntry[] {
  return lines.map(([id, mark, text, from]) => ({
    id,
    mark,
    area: name,
    text,
    ...(from === undefined ? {} : { from }),
  }));
}
