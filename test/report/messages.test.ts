// What people are told elsewhere: whatever things are called, it is text there, and no markup, mention or link.
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/model/plan/news.ts';
import { renderMessages } from '../../src/report/view/messages.ts';

const HOSTILE = '<!channel> <@U1> <at>all</at> [click](https://evil.example/) *b* `c`\nSubject: x\u202e www';
const condition = { is: 'drift', where: `Site/${HOSTILE}`, what: HOSTILE, next: HOSTILE } as const;
const message = (more: Partial<Message> = {}): Message => ({
  account: 'acc-acme',
  end: { outcome: 'differences', diagnostics: [] },
  firing: [condition],
  resolved: [{ is: 'waits', where: HOSTILE }],
  link: 'https://github.com/acme/hosting/actions/runs/4711',
  atMs: Date.UTC(2026, 10, 26),
  ...more,
});

/** Every value in a document, with the type of what it stands in. */
function texts(value: unknown, type = ''): readonly (readonly [type: string, key: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && typeof value.type === 'string' ? value.type : type;
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? [[own, key, item] as const] : texts(item, own),
  );
}

describe('a message', () => {
  it.each([
    ['slack', 'text', 'link'],
    ['teams', 'TextRun', 'Action.OpenUrl'],
  ] as const)('of %s holds what comes from outside where nothing is looked for in it', (channel, plain, link) => {
    const all = texts(JSON.parse(renderMessages(channel, [message()])));
    const hostile = all.filter(([, , text]) => text.includes('click'));
    expect(hostile).toHaveLength(4);
    for (const [type, key, text] of hostile) {
      expect([type, key]).toEqual([plain, 'text']);
      expect(text).not.toMatch(/:\/\/|\u202e|\nSubject/);
    }
    expect(all.filter(([, , text]) => text.includes('://') && !text.includes('adaptivecards.io'))).toEqual([
      [link, 'url', 'https://github.com/acme/hosting/actions/runs/4711'],
    ]);
  });

  it('of mail is lines of its own alone: the first is the subject, and no name begins another or is a link', () => {
    const lines = renderMessages('email', [message()]).split('\n');
    expect(lines[0]).toBe('acc-acme: 1 differs, 1 over');
    expect(lines.filter((line) => line.startsWith('Subject:'))).toEqual([]);
    expect(lines.filter((line) => line.includes('://'))).toEqual(['https://github.com/acme/hosting/actions/runs/4711']);
  });

  it('says on its first line what happened where, and counts what it has no room for', () => {
    const firing = Array.from({ length: 50 }, (_, index) => ({ ...condition, where: `Site/${index}` }));
    const slack = renderMessages('slack', [message({ firing }), message({ account: 'acc-b', resolved: [] })]);
    expect((JSON.parse(slack) as { readonly text: string }).text).toBe('2 accounts: 51 differ, 1 over');
    expect(slack).toContain('acc-acme Site/0');
    expect(slack).toContain('And 32 more.');
    const words = (more: Partial<Message>): string =>
      (JSON.parse(renderMessages('slack', [message({ resolved: [], ...more })])) as { readonly text: string }).text;
    const failed = { ...condition, is: 'failed' } as const;
    expect(words({ end: { outcome: 'partly-applied', diagnostics: [] }, firing: [failed] })).toBe(
      'acc-acme: partly applied',
    );
    expect(words({ end: { outcome: 'error', diagnostics: [] }, firing: [failed] })).toBe('acc-acme: apply failed');
    expect(words({ account: '<!channel>' })).toBe('&lt;!channel&gt;: 1 differs');
  });

  it('of Teams stays below the 28 KB that a webhook takes, whatever it says', () => {
    const firing = Array.from({ length: 50 }, (_, index) => ({
      ...condition,
      where: `Site/${index}${'w'.repeat(900)}`,
      what: '\u202e'.repeat(900),
      next: '🐘'.repeat(900),
    }));
    expect(Buffer.byteLength(renderMessages('teams', [message({ firing })]))).toBeLessThan(28_000);
  });
});
