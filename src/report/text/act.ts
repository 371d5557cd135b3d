// What a command that does one thing, or looks at one, tells people: a sentence, and what it shows.
import type { Json } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import type { ActResult } from '../../model/plan/act.ts';
import { present } from '../../model/common/lists.ts';
import { escapeJson, escapeText, quoteText } from '../view/escape.ts';

/** Undefined: there is nothing to tell but the diagnostics. */
export function renderAct({ message, aside, login, epp, summary }: ActResult): string | undefined {
  const parts = present(
    ...present(message, epp?.code, aside).map((text) => escapeText(text)),
    // The URL as it is: whoever copies it needs every character. A URL cannot hold one that a terminal acts on.
    login?.url,
    summary !== undefined && escapeJson(JSON.stringify(summary, null, 2)),
  );
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** One line an entry: what an entry holds is not documented (GAP-61), so every key is named. */
export function renderLogEntry(entry: Json): string {
  if (typeof entry === 'string') return escapeText(entry);
  if (!isJsonObject(entry)) return showScalar(entry);
  return Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${escapeText(key)}=${showScalar(value)}`)
    .join(' ');
}

function showScalar(value: Json): string {
  if (value === null) return '-';
  // Between quotes where it could be taken for more than one value.
  if (typeof value === 'string') return /[\s"=]/.test(value) ? quoteText(value) : escapeText(value);
  return escapeText(JSON.stringify(value));
}
