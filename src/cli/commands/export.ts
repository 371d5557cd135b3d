// `export`: writes manifests for live objects, to standard output or to files; or binds one object to a manifest.
import { Argument, Option } from 'commander';
import { addressFrom, parentOf, parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { plural } from '../../model/common/count.ts';
import { renderExportJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportEdits, reportProblems, reportResult } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkAccess, createSession } from '../settings.ts';

const HELP = `
Writes manifests for live objects that have none. With --out it also adds missing sections and list items to existing
manifests, and keeps their comments and layout. List in \`lifecycle.ignore\` what must stay unmanaged. Nothing is written unless its plan is
empty. Comments say what the API does not show. Secrets are never read: fill in their places. The account is not changed.
With --terraform, everything live is written, whether a manifest names it or not: hostwright.tf, a file for each type of
resource, and imports.tf. Nothing is written unless its plan has only imports.
With --observed, what is live and declared by no manifest goes to the folder that \`observed\` of the workspace names, and
\`drift\` compares it from then on. Secrets and personal values are not written, nor what is off or empty.
With --id, or with the address of an object inside another one, one object is added to the workspace: Site/shop gets a
new manifest, or its id in the existing one; Mailspace/example.com/Mailbox/a@example.com gets lines in the manifest of the
mailspace. Differences between the manifest and the live object are listed.
Exit codes: 0 everything is written, or there was nothing to write; 6 some objects could not be read or added, and the rest
is written; 1 nothing is written, or one file could not be written, which the error names.`;

interface ExportOptions extends RunOptions {
  readonly id?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly profiles?: boolean;
  readonly terraform?: boolean;
  readonly observed?: boolean;
}

export function addExport(program: CliCommand): void {
  const command = program
    .command('export')
    .description('Write manifests for what is live and has none.')
    .addArgument(new Argument('[address-or-kind...]', 'Such as Site, or Site/shop; else everything.'))
    .option(
      '--id <id>',
      'Write the live object with this id to the workspace as ADDRESS: a new manifest, or its id in an existing one.',
    )
    .option(
      '--out <folder>',
      'Write a file for each object to this folder and overwrite none; else YAML on standard output. With --id: the file of a new manifest.',
    )
    .option('--dry-run', 'With one object: show what would be written, and write nothing.')
    .option('--profiles', 'Move the settings that all exported objects of a kind share into one profile.')
    .addOption(
      new Option('--terraform', 'Configuration and import blocks of Terraform instead of YAML.').conflicts([
        'profiles',
      ]),
    )
    .addOption(
      new Option('--observed', 'Record what no manifest declares, for drift to compare.').conflicts([
        'profiles',
        'terraform',
        'out',
      ]),
    );
  command
    .addHelpText('after', HELP)
    .examples(
      ['hostwright export --out manifests', 'a file for each'],
      ['hostwright export Site --out manifests --profiles', 'sites, with what they share in profiles'],
      ['hostwright export Mailspace/example.com', 'one, on stdout'],
      ['hostwright export Site/shop --id 1f3c', 'one site, as a manifest of the workspace'],
      [
        'hostwright export Mailspace/example.com/Mailbox/alice@example.com',
        'one line in the manifest of its mailspace',
      ],
      ['hostwright export --terraform --out infra', 'the account for Terraform'],
      ['hostwright export --observed', 'what no manifest declares, for drift to watch'],
    )
    .runs(exportManifests);
}

async function exportManifests(
  context: Context,
  options: ExportOptions,
  targets: readonly string[],
): Promise<OutcomeWord> {
  const early = checkAccess(context.env);
  if (early.length > 0) return reportProblems(context, early);
  const one = objectIn(options, targets);
  if (typeof one !== 'string' && one !== undefined) return reportProblems(context, [one]);
  await startProgress(context);
  if (one !== undefined) return exportOne(context, options, one);
  const { out, profiles } = options;
  if (options.terraform === true) return exportForTerraform(context, options, targets);
  if (options.observed === true) return recordForDrift(context, options, targets);
  const { exportAccount, exportOutcome } = await import('../../usecases/export.ts');
  const result = await exportAccount(createSession(context, options), {
    targets,
    ...(out !== undefined && { out }),
    ...(profiles !== undefined && { profiles }),
  });
  const outcome = exportOutcome(result.leftOut, result.diagnostics, {
    stopped: context.stop.aborted,
    failed: result.manifests === undefined,
  });
  if (result.manifests === undefined) return reportProblems(context, result.diagnostics, outcome);
  const { manifests, edited = [], named, leftOut, requests, diagnostics } = result;
  await reportResult(context, diagnostics, {
    json: () => renderExportJson({ manifests, edited, leftOut, requests }, { outcome, diagnostics }),
    text: () =>
      [
        ...(out === undefined
          ? manifests.map(({ text }, at) => `${at === 0 ? '' : '---\n'}${text.trimEnd()}`)
          : manifests.map(({ file }) => escapeText(`${out}/${file}`))),
        ...edited.map(({ file }) => `${escapeText(file)} (added to)`),
      ].join('\n') || undefined,
  });
  if (!context.json) context.hint(summaryOf(manifests.length, named, { requests, isWritten: out !== undefined }));
  return outcome;
}

/** Returns the address of the one object to add to the workspace; undefined for an export of several. */
function objectIn(
  { id, dryRun, profiles, terraform, observed }: ExportOptions,
  targets: readonly string[],
): string | Diagnostic | undefined {
  const isInside = targets.some((target) => parentOf(target) !== null && parseAddress(target) !== undefined);
  const isOne = id !== undefined || isInside;
  const others = Object.entries({ profiles, terraform, observed }).flatMap(([name, given]) => (given ? [name] : []));
  if (!isOne)
    return dryRun === true
      ? diagnose('HW6513', '--dry-run requires the address of one object: `hostwright export Site/shop --id ID`.')
      : undefined;
  const [address] = targets;
  if (address === undefined || targets.length > 1)
    return diagnose('HW6513', 'One object is added at a time. Name one address, such as Site/shop.');
  if (others.length > 0) return diagnose('HW6513', `One object is added without --${others.join(' and --')}.`);
  return address;
}

async function exportOne(context: Context, { id, out, dryRun }: ExportOptions, written: string): Promise<OutcomeWord> {
  const { importObject } = await import('../../usecases/import.ts');
  const result = await importObject(createSession(context), {
    address: addressFrom(written),
    ...(id !== undefined && { id }),
    ...(out !== undefined && { out }),
    dryRun: dryRun === true,
  });
  return reportEdits(context, result, diagnosticsOutcome(result.diagnostics, context.stop.aborted));
}

async function recordForDrift(
  context: Context,
  options: ExportOptions,
  targets: readonly string[],
): Promise<OutcomeWord> {
  if (targets.length > 0) return reportProblems(context, [recordsAll(targets)]);
  const { exportOutcome } = await import('../../usecases/export.ts');
  const { recordObserved } = await import('../../usecases/observed/record.ts');
  const { manifests, leftOut, changed, folder, requests, diagnostics } = await recordObserved(
    createSession(context, options),
  );
  const outcome = exportOutcome([], diagnostics, { stopped: context.stop.aborted, failed: manifests === undefined });
  if (manifests === undefined) return reportProblems(context, diagnostics, outcome);
  await reportResult(context, diagnostics, {
    json: () => renderExportJson({ manifests, leftOut, requests }, { outcome, diagnostics }),
    text: () =>
      `${manifests.length} live objects recorded in ${escapeText(folder)}, ${changed} files changed. \`hostwright drift\` compares them from now on.`,
  });
  return outcome;
}

function recordsAll(targets: readonly string[]): Diagnostic {
  return diagnose(
    'HW6747',
    `\`--observed\` takes no address (${targets.join(' ')}). To take over a single change, run \`hostwright drift --accept ADDRESS\`.`,
  );
}

async function exportForTerraform(
  context: Context,
  options: ExportOptions,
  targets: readonly string[],
): Promise<OutcomeWord> {
  const { out } = options;
  const { exportTerraform } = await import('../../terraform/export/export.ts');
  const { exportOutcome } = await import('../../usecases/export.ts');
  const result = await exportTerraform(createSession(context, options), {
    targets,
    ...(out !== undefined && { out }),
  });
  const { files, count, leftOut, requests, diagnostics } = result;
  const outcome = exportOutcome(leftOut, diagnostics, { stopped: context.stop.aborted, failed: files === undefined });
  if (files === undefined) return reportProblems(context, diagnostics, outcome);
  await reportResult(context, diagnostics, {
    json: () => renderExportJson({ manifests: [], files, leftOut, requests }, { outcome, diagnostics }),
    text: () =>
      files
        .map(({ file, text }) =>
          out === undefined ? `# ${escapeText(file)}\n\n${text.trimEnd()}\n` : escapeText(`${out}/${file}`),
        )
        .join('\n')
        .trimEnd(),
  });
  if (!context.json)
    context.hint(
      `${plural(count, 'resource')}${out === undefined ? '' : ' written'}, proven to plan to nothing with ${requests} reads. Run \`terraform init\`, then \`terraform apply\`: it imports them.`,
    );
  return outcome;
}

function summaryOf(
  count: number,
  named: number,
  { requests, isWritten }: { readonly requests: number; readonly isWritten: boolean },
): string {
  const written = `${plural(count, 'manifest')}${isWritten ? ' written' : ''}, proven to plan to nothing with ${requests} reads.`;
  const others = named === 0 ? '' : ` ${plural(named, 'more object has', 'more objects have')} a manifest already.`;
  return `${written}${others}`;
}
