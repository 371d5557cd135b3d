// What a mistake of ours looks like: one line that says so.
import { escapeText } from '../report/view/escape.ts';

/** The stack too when HOSTWRIGHT_DEBUG is set. */
export function reportBug(error: unknown, env: Readonly<Record<string, string | undefined>>): string {
  const reported = error instanceof Error ? error.message : String(error);
  const line = `hostwright: this is a bug in hostwright, please report it: ${escapeText(redact(reported.replace(/^bug in hostwright: /, ''), env))}`;
  const stack = error instanceof Error && env.HOSTWRIGHT_DEBUG ? (error.stack ?? '').split('\n') : [];
  return [line, ...stack.map((part) => escapeText(redact(part, env)))].join('\n');
}

/** Every spelling in which a token could have got into a message. */
function redact(
  text: string,
  { HOSTWRIGHT_TOKEN, GITHUB_TOKEN }: Readonly<Record<string, string | undefined>>,
): string {
  const tokens = [HOSTWRIGHT_TOKEN, GITHUB_TOKEN].map((token = '') => token.trim()).filter((token) => token !== '');
  const spellings = tokens.flatMap((token) => [
    token,
    encodeURIComponent(token),
    JSON.stringify(token).slice(1, -1),
    Buffer.from(token).toString('base64'),
  ]);
  return spellings.reduce((clean, spelling) => clean.replaceAll(spelling, '[token]'), text);
}
