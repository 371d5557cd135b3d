// The diagnostics of a result as SARIF 2.1.0, which GitHub's code scanning and others read. Each code is a rule.
import type { ExplainedCode } from '../../model/explained.ts';
import { urlPart } from '../view/escape.ts';
import type { Note, Place } from './notes.ts';

const LEVELS: Readonly<Record<Note['level'], string>> = { error: 'error', warning: 'warning', notice: 'note' };

interface Driver {
  readonly version: string;
  /** What there is to say of a code beside its title. */
  readonly explain: (code: string) => ExplainedCode | undefined;
}

/** A log with one run. */
export function renderSarif(notes: readonly Note[], place: Place, { version, explain }: Driver): string {
  // What is planned and what drifted is no finding of code scanning.
  const found = notes.filter(({ check }) => /^HW\d{4}$/.test(check));
  const titles = new Map(
    found.map(({ check, title }) => [check, title.slice(title.indexOf(check) + check.length + 1)]),
  );
  // GitHub takes no result without a place.
  const whole = { artifactLocation: { uri: place('hostwright.yaml') ?? 'hostwright.yaml' } };
  const codes = [...titles.keys()].sort();
  const results = found.map(({ check, level, message, source }) => {
    const uri = source === undefined ? undefined : place(source.file);
    return {
      ruleId: check,
      ruleIndex: codes.indexOf(check),
      level: LEVELS[level],
      message: { text: message },
      locations: [{ physicalLocation: source === undefined || uri === undefined ? whole : locationOf(source, uri) }],
    };
  });
  const rules = codes.map((code) => ({
    id: code,
    shortDescription: { text: titles.get(code) },
    // The pages of the package, as it is published.
    helpUri: `https://unpkg.com/hostwright@${version}/docs/diagnostics.md#${code.toLowerCase()}`,
    ...helpOf(code, explain(code)),
  }));
  const driver = { name: 'hostwright', semanticVersion: version, rules };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return JSON.stringify(log, undefined, 2);
}

function helpOf(code: string, explained: ExplainedCode | undefined) {
  const command = `\`hostwright explain ${code}\` says this too.`;
  if (explained === undefined) return { help: { text: command } };
  const { why, fix, example } = explained;
  const parts = [why, fix, ...(example === undefined ? [] : [example]), command];
  const fenced = parts.map((part) => (part === example ? `\`\`\`\n${part}\n\`\`\`` : part));
  return { fullDescription: { text: why }, help: { text: parts.join('\n\n'), markdown: fenced.join('\n\n') } };
}

function locationOf(source: NonNullable<Note['source']>, path: string) {
  const { line, column, endLine = line, endColumn = column } = source;
  return {
    artifactLocation: { uri: path.split('/').map(urlPart).join('/') },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}
