// `show`: a saved plan again, as `plan` printed it. `show --expanded`: manifests with their profiles merged in. Neither
// needs network, token or ledger.
import { Option } from 'commander';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderExpandedJson } from '../../report/json/index.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { withPlanText, withPrograms } from '../options.ts';
import { readPlanFile } from '../plan-file/plan-file.ts';
import type { PlanTextFlags } from '../report.ts';
import { reportPlan, reportProblems, reportResult } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { createSession } from '../settings.ts';

/** A program is no saved plan: what it declares is shown. */
const PROGRAM = /\.m?[jt]s$/;

export function addShow(program: CliCommand): void {
  withPrograms(withPlanText(program.command('show')))
    .description(
      'Show a saved plan, what a program declares, or with --expanded the manifests with their profiles in them.',
    )
    .argument(
      '[plan-or-paths...]',
      'The saved plan, or a program; with --expanded files, folders, globs, or - for standard input, else what the workspace names.',
    )
    .addOption(
      new Option(
        '--expanded',
        'The manifests after merging, as YAML that needs no profiles; what came from a profile says from where.',
      ).conflicts(['verbose', 'concise', 'context', 'showPersonal']),
    )
    .formats('markdown', 'github')
    .withReport()
    .examples(
      ['hostwright show plan.json --verbose', 'a saved plan, with every request'],
      ['hostwright show --expanded sites/shop.yaml', 'a manifest with its profiles in it'],
      ['hostwright show hosting.ts', 'what a program declares, as YAML'],
    )
    .action((positionals: string[], { expanded }: { expanded?: boolean }, command: CliCommand) => {
      if (expanded === true || positionals.some((name) => PROGRAM.test(name)))
        return command.execute<RunOptions>((context, options) => showExpanded(context, positionals, options));
      const [file, ...more] = positionals;
      if (file === undefined) command.error("error: missing required argument 'file'; only --expanded goes without");
      if (more.length > 0)
        command.error(`error: too many arguments for 'show'. Expected 1 argument but got ${positionals.length}.`);
      return command.execute<PlanTextFlags>((context, options) => show(context, file, options));
    });
}

async function show(context: Context, file: string, flags: PlanTextFlags): Promise<OutcomeWord> {
  const read = await readPlanFile(context.cwd, file);
  if (read.is === 'broken') return reportProblems(context, [read.diagnostic]);
  if (read.is === 'other')
    return reportProblems(context, [
      diagnose(
        'HW6504',
        `\`${file}\` is not a saved plan, or is not there. \`hostwright plan --out plan.json\` makes one. \`--expanded\` shows manifests.`,
      ),
    ]);
  const { checkPlan } = await import('../../usecases/show.ts');
  const tampered = checkPlan(read.plan);
  if (tampered.length > 0) return reportProblems(context, tampered);
  await reportPlan(context, { plan: read.plan, diagnostics: [], outcome: 'done', heading: 'Plan', flags, file });
  return 'done';
}

async function showExpanded(context: Context, paths: readonly string[], options: RunOptions): Promise<OutcomeWord> {
  const { expandedYaml, expandWorkspace } = await import('../../usecases/expanded.ts');
  const { manifests, diagnostics } = await expandWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  if (hasErrors(diagnostics)) return reportProblems(context, diagnostics, outcome);
  await reportResult(context, diagnostics, {
    json: () => renderExpandedJson(manifests, { outcome, diagnostics }),
    text: () => (manifests.length === 0 ? undefined : expandedYaml(manifests)),
  });
  return outcome;
}
