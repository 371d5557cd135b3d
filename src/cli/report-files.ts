// `--report FORM=FILE`: the result of a command once more, in another form, in a file, so that one run serves the log,
// the comment and the next steps of a job. Where a file cannot be written, the command ends as an error: what was done is
// done, but a job that waits for the file must not go on without it.
import { diagnose } from '../model/diagnostic.ts';
import { resolve } from 'node:path';
import { version } from '../../package.json';
import type { PlanSummary } from '../model/plan/plan.ts';
import type { Note } from '../report/annotations/notes.ts';
import type { Report } from '../report/blocks/block.ts';
import type { Outputs } from '../report/view/outputs.ts';
import type { Context } from './context.ts';
import { redactedPieces } from './output.ts';
import { writeOutput } from '../system/write-output.ts';
import { placeIn } from './place.ts';
import { trustedRoots } from './trusted-roots.ts';

/** The result in each form; each is rendered only when it is asked for. */
export interface ResultForms {
  /** In pieces where it may be large. */
  readonly json: () => string | Iterable<string> | Promise<string>;
  readonly outputs: () => Outputs;
  /** As blocks, which Markdown and HTML are written from. Absent: the command has no such form. */
  readonly report?: (form: 'markdown' | 'html') => Promise<Report>;
  /** Its Markdown is no comment: nothing of it is left out. */
  readonly isWhole?: boolean;
  /** What is worth a note at a line. Absent: the command has none. */
  readonly notes?: () => Promise<readonly Note[]>;
  /** Absent: there is no plan to count. */
  readonly counts?: () => Pick<PlanSummary, 'create' | 'update' | 'delete'>;
}

/** Writes what `--report` asks for. */
export async function writeReports(context: Context, forms: ResultForms): Promise<void> {
  for (const { form, file } of context.options.report ?? []) {
    const path = resolve(context.cwd, file);
    const roots = trustedRoots(context.env);
    const write = (text: string): Promise<void> => writeOutput(path, `${context.redact(text)}\n`, { roots });
    try {
      // Readable by its owner only, as a saved plan is: JSON shows people too.
      if (form === 'json')
        await writeOutput(path, redactedPieces(withLineBreak(await forms.json()), context.redact), {
          mode: 0o600,
          roots,
        });
      else if (form === 'markdown') await write(await markdownOf(forms));
      else if (form === 'html') await write(await htmlOf(context, forms));
      else if (form === 'codequality' || form === 'junit' || form === 'sarif')
        await write(await notesOf(context, forms, form));
      else if (form === 'terraform') await write(countsOf(forms));
      else await writeOutput(path, context.redact(await outputsOf(forms)), { append: true, roots });
    } catch (error) {
      context.reportFailed = true;
      const said = error instanceof Error ? error.message : String(error);
      const reported = diagnose(
        'HW6601',
        `\`${file}\` could not be written: ${said}. The command itself went on to its end; because of this its exit code is not 0.`,
      );
      const { renderDiagnostics } = await import('../report/text/diagnostics.ts');
      context.output.error(
        renderDiagnostics([reported], { color: context.color.stderr, wrapAt: context.wrapAt.stderr }),
      );
    }
  }
}

function* withLineBreak(pieces: string | Iterable<string>): Generator<string> {
  if (typeof pieces === 'string') yield pieces;
  else yield* pieces;
  yield '\n';
}

async function markdownOf({ report, isWhole = false }: ResultForms): Promise<string> {
  const { COMMENT, WHOLE } = await import('../report/markdown/fit.ts');
  const { writeMarkdown } = await import('../report/markdown/write.ts');
  const text = report && writeMarkdown(await report('markdown'), isWhole ? WHOLE : COMMENT);
  if (text === undefined) throw new Error('this result has no Markdown');
  return text;
}

async function htmlOf({ clock }: Context, { report }: ResultForms): Promise<string> {
  if (report === undefined) throw new Error('this result has no HTML');
  const { writeHtml } = await import('../report/html/write.ts');
  return writeHtml(await report('html'), clock.now());
}

async function notesOf(
  { cwd, env }: Context,
  { notes }: ResultForms,
  form: 'codequality' | 'junit' | 'sarif',
): Promise<string> {
  const found = await notes?.();
  if (found === undefined) throw new Error('this result has no notes at lines');
  const root = env.CI_PROJECT_DIR || env.GITHUB_WORKSPACE || cwd;
  const place = (file: string): string | undefined => placeIn(root, cwd, file);
  if (form === 'codequality')
    return (await import('../report/annotations/code-quality.ts')).renderCodeQuality(found, place);
  if (form === 'sarif') {
    const { codes } = await import('../usecases/explain/generated/codes.ts');
    const { renderSarif } = await import('../report/annotations/sarif.ts');
    return renderSarif(found, place, { version, explain: (code) => codes[code] });
  }
  return (await import('../report/annotations/junit.ts')).renderJunit('hostwright', found, place);
}

/** The three numbers that GitLab documents for `artifacts:reports:terraform`. */
function countsOf({ counts }: ResultForms): string {
  if (counts === undefined) throw new Error('there is no plan whose actions could be counted');
  const { create, update, delete: deletes } = counts();
  return JSON.stringify({ create, update, delete: deletes });
}

async function outputsOf({ outputs }: ResultForms): Promise<string> {
  const { renderOutputs } = await import('../report/view/outputs.ts');
  return renderOutputs(outputs());
}
