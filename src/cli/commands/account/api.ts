// `api`: a read of the platform's API that no other command shows.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { escapeJson } from '../../../report/view/escape.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { reportDiagnostics, reportProblems } from '../../report.ts';
import { checkAccess, createSession } from '../../settings.ts';

const HELP = `
Passwords, tokens and authorisation codes are left out of the answer. A list of the account that is asked for without a query is read to its last
page. Only GET is sent: what changes the account goes through \`plan\` and \`apply\`.`;

export function addApi(program: CliCommand): void {
  program
    .command('api')
    .description('Show what the platform answers to a GET that no other command sends.')
    .argument('<method>', 'GET.')
    .argument('<path>', 'The path and its query, as the documents of the platform write it.')
    .addHelpText('after', HELP)
    .formats('yaml')
    .examples(
      ['hostwright api GET /api/sites', 'every site, with all that the platform says of it'],
      ["hostwright api GET '/api/orders?page=2' -o yaml", 'one page of a list'],
    )
    .runs(api);
}

async function api(context: Context, _options: object, method: string, path: string): Promise<OutcomeWord> {
  const { readPath, refusedRequest } = await import('../../../usecases/get/raw.ts');
  const refused = refusedRequest(method, path);
  const problems = [...(refused === undefined ? [] : [refused]), ...checkAccess(context.env)];
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const result = await readPath(createSession(context), path);
  context.progress.stop();
  const { format } = context.options;
  if (format === 'json' || format === 'yaml') {
    const { renderAnswer } = await import('../../../report/json/rows.ts');
    context.output.result(renderAnswer(path, result.answer, result, format));
  } else {
    if (result.answer !== undefined) context.output.result(escapeJson(JSON.stringify(result.answer, null, 2)));
    await reportDiagnostics(context, result.diagnostics);
  }
  return result.outcome;
}
