// `skills`: tells coding agents how to work with this version.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { readPackageFile } from '../../../library/package-files.ts';
import { renderEditsJson } from '../../../report/json/index.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { reportResult } from '../../report.ts';

const HELP = `
Agents look for skills in folders of the repository: .claude/skills for Claude Code, .agents/skills for others. The skill says how to read a
plan, the order of work, and what never to do. One of an older version is written over; any other file there is left.

Exit codes: 0 done, 1 a file is in the way.`;

export function addSkills(program: CliCommand): void {
  program
    .command('skills')
    .description('Tell coding agents how to work with Hostwright.')
    .command('install')
    .description('Write the skill of this version where agents look for it.')
    .addHelpText('after', HELP)
    .examples(['hostwright skills install', 'then commit it'])
    .runs(install);
}

async function install(context: Context): Promise<OutcomeWord> {
  const { installSkill } = await import('../../../usecases/write/skill.ts');
  const text = await readPackageFile('skills/hostwright/SKILL.md');
  const { files, left, diagnostics } = await installSkill(context.cwd, text);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () => renderEditsJson({ files, written: files.length > 0 }, { outcome, diagnostics }),
    text: () =>
      outcome === 'done'
        ? [...files.map(({ file }) => `Written: ${file}`), ...left.map((file) => `As it was: ${file}`)].join('\n')
        : undefined,
  });
  return outcome;
}
