// What a purchase or a creation will bring is planned later, and shown now: a reviewer approves it with the purchase.
import { expect, it } from 'vitest';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { findSchemaProblem } from '../../support/written-schemas.ts';
import { renderSavedPlan } from '../../../src/report/json/index.ts';
import { planHtml, planMarkdown, planText } from '../../support/reports.ts';
import { withoutPersonal } from '../../../src/report/view/personal.ts';
import { openHarness } from '../../support/open-harness.ts';

it('O-32: the mailboxes of a mailspace that is bought are shown, their passwords by where they come from', async () => {
  const harness = await openHarness({
    scenario: 'mail',
    workspace: workspaceFile('manifests: [sites], secrets: { env: [MAIL_PASSWORD] }'),
    ledger: true,
    files: {
      'sites/mail.json': manifest('Mailspace', 'new.example.com', {
        package: 'mail_5',
        order: {},
        mailboxes: [
          {
            address: 'bob@new.example.com',
            displayName: 'Bob Quill',
            quotaMb: 512,
            password: { env: 'MAIL_PASSWORD' },
          },
        ],
      }),
    },
  });
  const plan = await harness.planned();
  const [section] = plan.deferred;
  expect(section).toMatchObject({ address: 'Mailspace/new.example.com/Mailbox', until: 'Mailspace/new.example.com' });
  const changes = new Map(section?.objects?.[0]?.changes.map((change) => [change.path, change]));
  expect(changes.get('/quotaMb')).toMatchObject({ value: 512 });
  expect(changes.get('/password')).toEqual({ op: 'add', path: '/password', secret: { env: 'MAIL_PASSWORD' } });
  expect(findSchemaProblem(JSON.parse(renderSavedPlan(plan)))).toBeUndefined();

  const shared = withoutPersonal(plan);
  for (const shown of [planText(plan), planMarkdown(shared), planHtml(shared)]) {
    expect(shown).toContain('bob@new.example.com');
    expect(shown).toContain('quotaMb: 512');
    expect(shown).toContain('MAIL_PASSWORD');
    expect(shown).toMatch(/lanned later, after .*Mailspace.* exists/);
  }
});
