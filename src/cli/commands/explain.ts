// `explain`: documentation out of the schemas that came with the package. Needs no workspace, network or token.
import { compareText } from '../../model/address.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderExplainedJson } from '../../report/json/index.ts';
import type { Schemas } from '../../workflow/explain/explain.ts';
import type { Schema } from '../../workflow/explain/schema.ts';
import type { CliCommand, Execute } from '../command.ts';
import type { Context } from '../context.ts';
import { listSchemas, readSchema } from '../package-files.ts';
import { reportProblems } from '../report.ts';

const HELP = `
A field is written as Site.edgeRules.triggers.type, with or without [] behind lists, or as a JSON pointer: Site/edgeRules/0/name. Kinds of
objects that are declared in a manifest are found too: EdgeRule is Site.edgeRules. Without an argument: all kinds. Forms: human, json, markdown.`;

export function addExplain(program: CliCommand, execute: Execute): void {
  program
    .command('explain')
    .description('What a kind, a section or a field is: type, limits, what a change of it comes to, an example.')
    .argument('[kind-or-field]', 'Such as Site, EdgeRule or Site.caching.smartCache.')
    .formats('markdown')
    .addHelpText('after', HELP)
    .examples(['hostwright explain', 'the kinds'], ['hostwright explain Site.caching.cacheExpiration', 'one field'])
    .action((what: string | undefined, _options, command: CliCommand) =>
      execute(command, (context) => explain(context, what)),
    );
}

async function explain(context: Context, what: string | undefined): Promise<OutcomeWord> {
  const { output, json, options, color, width } = context;
  const [workflow, text, markdown, schemas] = await Promise.all([
    import('../../workflow/explain/explain.ts'),
    import('../../report/text/explain.ts'),
    import('../../report/markdown/explain.ts'),
    readSchemas(),
  ]);
  const style = { color: color.stdout, width };
  const isMarkdown = options.format === 'markdown';
  if (what === undefined) {
    const kinds = workflow.explainKinds(schemas);
    if (json) output.result(renderExplainedJson({ kinds }));
    else
      output.result(
        isMarkdown ? markdown.renderExplainedKindsMarkdown(kinds) : text.renderExplainedKinds(kinds, style),
      );
    return 'done';
  }
  const page = workflow.explain(schemas, what);
  if ('problem' in page) return reportProblems(context, [page.problem]);
  if (json) output.result(renderExplainedJson({ page }));
  else output.result(isMarkdown ? markdown.renderExplainedMarkdown(page) : text.renderExplained(page, style));
  return 'done';
}

/**
 * Those of manifests and of the workspace file: what Hostwright itself writes has no kind, and is written by nobody
 * else.
 */
async function readSchemas(): Promise<Schemas> {
  const all = await Promise.all(
    [...(await listSchemas())].map(
      async ([name, file]) => [name, JSON.parse(await readSchema(file)) as Schema] as const,
    ),
  );
  return new Map(
    all
      .filter(([name, schema]) => schema.properties?.kind?.const === name)
      .sort(([left], [right]) => compareText(left, right)),
  );
}
