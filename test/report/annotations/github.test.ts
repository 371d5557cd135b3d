// What a job on GitHub is told: each note at its line, read back by the runner's own rules, and no text that becomes a
// command.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { fenceOff, noteCommands } from '../../../src/report/annotations/github.ts';
import { diagnosticNotes, outcomeNotes, planNotes } from '../../../src/report/annotations/notes.ts';
import { actionOf, create, error, NEW, OLD, outcomeOf, planOf, remove, SHOP, shopPlan, warning } from '../samples.ts';

interface Read {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** As the runner takes a line apart: the name and its properties up to the second `::`, then the text. */
function read(line: string): Read {
  const [, command = '', list = '', message = ''] = /^::([^ :]+)(?: ([^]*?))?::([^]*)$/.exec(line) ?? [];
  const decode = (text: string): string =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const properties = Object.fromEntries(
    list.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), decode(pair.slice(pair.indexOf('=') + 1))]),
  );
  return { command, properties, message: decode(message) };
}

const inRoot = (file: string): string | undefined => (file === '-' ? undefined : `infra/${file}`);
const plan = (parts: Partial<Plan>): readonly Read[] => noteCommands(planNotes(planOf(parts), []), inRoot).map(read);

describe('a plan', () => {
  it('is a note for each action at its line, what has a risk as a warning', () => {
    expect(noteCommands(planNotes(shopPlan, [error]), inRoot)).toEqual([
      '::error file=infra/a.yaml,line=3,col=1,endLine=3,endColumn=4,title=HW1203 Unknown field::There is no field `phpVersoin`; did you mean `phpVersion`?',
      '::warning file=infra/sites/shop.yaml,line=8,col=18,title=EXPOSES%3A ~ Site/shop/SiteDomain/www.example.com::Make www.example.com the primary hostname of site shop: lowers protection',
      '::warning title=DELETES%3A - Site/shop/SiteDomain/old.example.com::Delete hostname old.example.com of site shop: the ledger shows it to be ours, and no manifest names it any more',
      '::notice file=infra/sites/shop.yaml,line=9,col=7,title=+ Site/shop/SiteDomain/new.example.com::Create hostname new.example.com of site shop (attach dns)',
    ]);
  });

  it('tells what stands in the way, but not what only comes later, and notices', () => {
    const notes = plan({
      blocked: [{ address: SHOP, reason: 'it is locked', remedy: '', rule: 'SIT-08' }],
      deferred: [{ address: NEW, until: SHOP, reason: 'later', declared: 'd' }],
      notices: [
        {
          ...warning,
          severity: 'info',
          source: { file: 'sites/shop.yaml', line: 2, column: 3, endLine: 4, endColumn: 1 },
        },
      ],
    });
    expect(notes).toEqual([
      { command: 'warning', properties: { title: 'Blocked: Site/shop' }, message: 'it is locked' },
      // A column of another line would be a range that the forge refuses.
      {
        command: 'notice',
        properties: {
          file: 'infra/sites/shop.yaml',
          line: '2',
          col: '3',
          endLine: '4',
          title: 'HW2301 The declared value is not read back',
        },
        message: warning.detail,
      },
    ]);
  });

  it('keeps to ten of a level, and counts the rest', () => {
    const actions = Array.from({ length: 25 }, (_, index) => actionOf({ address: `Site/${index}`, verb: 'create' }));
    const notes = plan({ actions });
    expect(notes).toHaveLength(10);
    expect(notes.at(-1)?.message).toBe('and 16 more of these: see the log or the summary');
    expect(plan({ actions: actions.slice(0, 10) }).at(-1)?.properties.title).toBe('+ Site/9');
  });

  it('names no file for what came on standard input', () => {
    expect(plan({ actions: [{ ...create, source: { file: '-', line: 1, column: 1 } }] })[0]?.properties).toEqual({
      title: `+ ${NEW}`,
    });
  });
});

describe('an outcome', () => {
  it('is a note for what did not go well, at the line of the action', () => {
    const results = [
      'done',
      'already-done',
      'failed',
      'unknown-outcome',
      'skipped',
      'blocked',
      'waiting',
      'not-started',
    ] as const;
    const actions = results.map(
      (result, index) =>
        ({ address: `Site/${index}`, verb: 'create', result, ...(index === 2 && { reason: 'no' }) }) as const,
    );
    const notes = outcomeNotes(
      outcomeOf({ actions, remaining: [{ address: OLD, reason: 'still there', remedy: '' }], diagnostics: [warning] }),
      [{ address: 'Site/2', source: { file: 'a.yaml', line: 1, column: 2 } }],
    );
    const lines = noteCommands(notes, inRoot);
    expect(
      lines.map(read).map(({ command, properties, message }) => [command, properties.file, properties.title, message]),
    ).toEqual([
      ['error', 'infra/a.yaml', 'FAILED: + Site/2', 'no'],
      ['error', undefined, 'OUTCOME UNKNOWN: + Site/3', 'OUTCOME UNKNOWN'],
      ['warning', 'infra/sites/shop.yaml', 'HW2301 The declared value is not read back', warning.detail],
      ['warning', undefined, 'skipped: + Site/4', 'skipped'],
      ['warning', undefined, 'blocked: + Site/5', 'blocked'],
      ['warning', undefined, 'waiting: + Site/6', 'waiting'],
      ['warning', undefined, 'not started: + Site/7', 'not started'],
      ['warning', undefined, `Remaining: ${OLD}`, 'still there'],
    ]);
    expect(outcomeNotes(outcomeOf({}), [])).toEqual([]);
  });
});

describe('hostile text', () => {
  it.each([
    '::set-env name=X::y',
    '\n::add-mask::secret',
    '\r\n::error::x',
    '%0A::error::x',
    'a,line=1::b',
    '##[add-mask]x',
    'x\u2028::error::y',
    '%25',
  ])('%j stays in its place', (evil) => {
    const hostile = { ...remove, address: `Site/${evil}`, reason: evil, source: { file: evil, line: 1, column: 1 } };
    const notes = [
      ...planNotes(planOf({ actions: [hostile], notices: [{ ...warning, detail: evil, summary: evil }] }), []),
      ...diagnosticNotes([{ ...error, detail: evil }]),
    ];
    const lines = notes.flatMap((note) => noteCommands([note], inRoot));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning|notice) [^\r\n]*$/);
      expect(read(line).command).toMatch(/^(error|warning|notice)$/);
      expect(Object.keys(read(line).properties)).toEqual(expect.arrayContaining(['file', 'line', 'col', 'title']));
    }
    expect(read(lines[1] as string).properties.title).toContain('DELETES: - Site/');
    expect(read(lines[0] as string).message).toBe(read(lines[2] as string).message);
  });

  it('is fenced off where it is only printed', () => {
    expect(fenceOff('abc')).toEqual({ begin: '::stop-commands::abc', end: '::abc::' });
  });
});
