// What is news on accounts, in the form of each place where people read. Names and texts come from outside: they stand
// where nothing is looked for in them, so that none of them is markup, a mention or a link.
import type { Channel, Condition, Message } from '../../model/plan/news.ts';
import { present } from '../../model/common/lists.ts';
import { plural } from '../../model/common/count.ts';
import { escapeText } from './escape.ts';
import { renderState } from './notification.ts';

/** What a message has room for; the rest is counted. */
const MOST_ITEMS = 20;
/** Teams takes 28 KB. */
const MOST_BYTES = 25_000;
const LONGEST = 300;

/** One thing that is told, in lines that are safe to show. */
interface Item {
  readonly label: string;
  readonly where: string;
  readonly what: string;
  readonly next: string;
}

interface Content {
  readonly title: string;
  readonly items: readonly Item[];
  /** How many more there are. */
  readonly left: number;
  readonly link: string | undefined;
}

const LABELS: Readonly<Record<Condition['is'], string>> = {
  failed: 'Failed',
  waits: 'Waits',
  drift: 'Drift',
  ends: 'Ends soon',
  unread: 'Not read',
};

/** The body of a request to the channel, or of a mail. A webhook gets the first message alone. */
export function renderMessages(channel: Channel, messages: readonly Message[]): string {
  if (channel === 'webhook') return renderState(messages[0] as Message);
  if (channel === 'email') return mailText(contentOf(messages, MOST_ITEMS));
  const render = channel === 'slack' ? slackMessage : teamsMessage;
  for (let most = MOST_ITEMS; ; most = Math.floor(most / 2)) {
    const text = JSON.stringify(render(contentOf(messages, most)));
    if (Buffer.byteLength(text) <= MOST_BYTES || most === 0) return text;
  }
}

/** Rich text: Slack looks for nothing in it. The text above it, for notices on a phone, has words of ours alone. */
function slackMessage({ title, items, left, link }: Content): object {
  const text = (value: string, style?: object): object => ({ type: 'text', text: value, ...(style && { style }) });
  const sections = items.map(({ label, where, what, next }) => [
    text(`${label} `, { bold: true }),
    text(where, { code: true }),
    text(what === '' ? '' : `\n${what}`),
    text(next === '' ? '' : `\n${next}`, { italic: true }),
  ]);
  const last = present(
    left > 0 && text(`And ${left} more. `),
    link !== undefined && { type: 'link', url: link, text: 'Open the run' },
  );
  const elements = [...sections, last]
    .map((parts) => parts.filter((part) => !('text' in part) || part.text !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ type: 'rich_text_section', elements: [...parts, text('\n')] }));
  return {
    text: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    unfurl_links: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, 150), emoji: false } },
      ...(elements.length === 0 ? [] : [{ type: 'rich_text', elements }]),
    ],
  };
}

/** An Adaptive Card, as the webhooks of Workflows take it. Runs of text know no Markdown. */
function teamsMessage({ title, items, left, link }: Content): object {
  const run = (text: string, more: object = {}): object => ({ type: 'TextRun', text, ...more });
  const block = (...inlines: readonly object[]): object => ({ type: 'RichTextBlock', inlines });
  const body = [
    block(run(title, { weight: 'Bolder', size: 'Medium' })),
    ...items.flatMap(({ label, where, what, next }) =>
      present(
        { ...block(run(`${label} `, { weight: 'Bolder' }), run(where, { fontType: 'Monospace' })), separator: true },
        what !== '' && block(run(what)),
        next !== '' && block(run(next, { isSubtle: true })),
      ),
    ),
    ...(left === 0 ? [] : [block(run(`And ${left} more.`))]),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open the run', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** Plain text; its first line is the subject. */
function mailText({ title, items, left, link }: Content): string {
  const lines = items.map(({ label, where, what, next }) =>
    [`${label}: ${where}`, what, next].filter(Boolean).join('\n  '),
  );
  const more = left > 0 && `And ${left} more.`;
  return present(title, ...lines, more, link, 'Sent by Hostwright, once for each change.').join('\n\n');
}

function contentOf(messages: readonly Message[], most: number): Content {
  const isOne = messages.length === 1;
  const items = messages.flatMap(({ account, firing, resolved }) => {
    const place = (where: string): string => shown(isOne || where === account ? where : `${account} ${where}`);
    return [
      ...firing.map(({ is, where, what, next }) => ({
        label: LABELS[is],
        where: place(where),
        what: shown(what),
        next: shown(next),
      })),
      ...resolved.map(({ is, where }) => ({
        label: `Over: ${LABELS[is].toLowerCase()}`,
        where: place(where),
        what: '',
        next: '',
      })),
    ];
  });
  return {
    title: titleOf(messages),
    items: items.slice(0, most),
    left: Math.max(0, items.length - most),
    link: messages.find(({ link }) => link !== undefined)?.link,
  };
}

/** `acc-acme: partly applied, 2 differ, 1 over` */
function titleOf(messages: readonly Message[]): string {
  const [first] = messages;
  const name = messages.length === 1 ? shown(first?.account ?? '') : `${messages.length} accounts`;
  if (messages.every(({ end }) => end === undefined)) return `${name}: a test message of Hostwright`;
  const firing = messages.flatMap((message) => message.firing);
  const resolved = messages.flatMap((message) => message.resolved).length;
  const isPart = messages.every(({ end }) => end?.outcome === 'partly-applied');
  const count = (is: Condition['is'], one: string, many: string): string | false => {
    const number = firing.filter((condition) => condition.is === is).length;
    return number > 0 && plural(number, one, many);
  };
  const said = present(
    firing.some(({ is }) => is === 'failed') && (isPart ? 'partly applied' : 'apply failed'),
    count('unread', 'could not be read', 'could not be read'),
    count('waits', 'waits for somebody', 'wait for somebody'),
    count('drift', 'differs', 'differ'),
    count('ends', 'ends soon', 'end soon'),
    resolved > 0 && `${resolved} over`,
  );
  return `${name}: ${said.join(', ')}`;
}

/** Safe, of a bounded length, and with no address that a reader could click on. */
function shown(text: string): string {
  return escapeText(text, LONGEST).replaceAll('://', '[:]//');
}
