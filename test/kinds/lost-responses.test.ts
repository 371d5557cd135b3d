// What follows when the response of a request that is not idempotent is lost: decided for each request, with a rule, and
// listed in docs/design/apply-and-recovery.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import { sampleWrites } from '../support/samples.ts';

const ROOT = join(import.meta.dirname, '../..');
const AREAS = join(ROOT, 'src/areas');

/** Every `recovery` in the sources of the areas, as `file, decision, rule`. The rule of a proof counts where there is one. */
function decisionsInSources(): readonly string[] {
  const files = readdirSync(AREAS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const source = readFileSync(join(AREAS, file), 'utf8');
    return [...source.matchAll(/\bifNotFound: '([\w-]+)',/g)].map((match) => {
      const around = source.slice(match.index, match.index + 400);
      const rule = /\bguarded: '([\w-]+)'/.exec(around.slice(0, around.indexOf('}')))?.[1];
      const known = /\b(?:rule|onceRule): (?:list\.onceRule \?\? list\.rule|'([\w-]+)')/.exec(around)?.[1];
      return [file, match[1], rule ?? known ?? 'SHD-27'].join(', ');
    });
  });
}

function decisionsInDocument(): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs/design/apply-and-recovery.md'), 'utf8');
  return [...page.matchAll(/^\| `([\w/.-]+\.ts)` \| [^|]+ \| `([\w-]+)` \| ([\w-]+) \|/gm)].map(
    ([, file, decision, rule]) => [file, decision, rule].join(', '),
  );
}

describe('a lost response', () => {
  it('has a documented decision for every request that has a recovery [RTY-03, RTY-04]', () => {
    expect([...decisionsInDocument()].sort()).toEqual([...decisionsInSources()].sort());
  });

  const requests = [...registry.values()]
    .flatMap(sampleWrites)
    .flatMap(([name, steps]) => steps.map((step) => ({ name: `${name}, ${step.name}`, step })))
    .filter(({ step }) => !step.idempotent);

  it.each(requests)('is looked up after $name [O-73]', ({ step }) => {
    expect(step.recovery).toBeDefined();
  });

  it('is followed by a second request only where a rule says that the platform refuses it [RTY-04]', () => {
    const again = requests.filter(({ step }) => step.recovery?.ifNotFound === 'send-again');
    expect(again.map(({ name, step }) => `${name}: ${step.recovery?.guarded}`)).toEqual([
      'MailDomain create, add: MDM-16',
      'Mailbox create, create: ALS-11',
      'MailGroup create, create: ALS-11',
    ]);
  });

  it('of a create that the rules call unsafe to repeat is not followed by a second request [RTY-03, RTY-04, EDG-10]', () => {
    const unsafe =
      /edge_rules|waf_custom_rules|rate_limits|access_lists|\/shield$|\/domains$|backups|hosts$|contacts|orders|users$|panel_accounts/;
    const wrong = requests.filter(
      ({ step: { path, recovery } }) =>
        unsafe.test(path.map((part) => (typeof part === 'string' ? part : 'x')).join('')) &&
        path[0] !== '/api/mailspace/' &&
        recovery?.ifNotFound !== 'ask' &&
        recovery?.ifNotFound !== 'unknown',
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
