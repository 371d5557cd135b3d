// A warning that is meant is accepted in a configuration too, and what is accepted is no difference to the live site.
import { describe, expect, it } from 'vitest';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const siteWith = (accept: string): string => `import {
  to = hostwright_site.docs
  id = "site-docs"
}
resource "hostwright_site" "docs" {
  name = "docs"
  edge_rules = [{
    name     = "closed"
    triggers = [{ type = "url", patterns = ["*"] }]
    action   = { type = "redirect", to = "https://status.example.com" }
${accept}  }]
}
`;

describe.skipIf(noTerraform !== undefined)('a warning about a rule', () => {
  it.runIf(isWhole)(
    'is given, accepted with a reason, and then nothing differs; what is accepted for nothing is told',
    async () => {
      const { run, write } = await openTerraform({ 'site.tf': siteWith('') });
      const before = await run(['plan']);
      expect(before.printed).toContain('HW2702');
      const accept = (code: string): string => `    accept   = [{ code = "${code}", reason = "Until May." }]\n`;
      await write({ 'site.tf': siteWith(accept('HW2702')) });
      const applied = await run(['apply', '-auto-approve']);
      expect(applied.code, applied.printed).toBe(0);
      expect(applied.printed).not.toContain('Warning');
      expect((await run(['plan', '-detailed-exitcode'])).code).toBe(0);
      await write({ 'site.tf': siteWith(accept('HW2704')) });
      expect((await run(['plan'])).printed).toMatch(/HW2702[^]*HW2712/);
    },
  );
});
