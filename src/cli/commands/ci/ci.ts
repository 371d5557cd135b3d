// `ci`: the commands for jobs of a forge.
import type { CliCommand } from '../../command.ts';
import { addForge } from './commands.ts';
import { GITHUB } from './github.ts';
import { GITLAB } from './gitlab.ts';
import { addNotify } from './notify.ts';

export function addCi(program: CliCommand): void {
  const ci = program
    .command('ci')
    .description('Post reports to GitHub or GitLab, read approvals, and test notifications.');
  addForge(ci, GITHUB);
  addForge(ci, GITLAB);
  addNotify(ci);
}
