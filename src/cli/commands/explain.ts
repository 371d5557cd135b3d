// The command `explain`: documentation out of the schemas that came with the package. Needs no workspace, network or
// token.
import { compareText } from '../../model/address.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderExplainedJson } from '../../report/json/index.ts';
import { explain as explainOne, explainKinds } from '../../workflow/explain/explain.ts';
import type { Schemas } from '../../workflow/explain/explain.ts';
import type { Schema } from '../../workflow/explain/schema.ts';
import type { Context } from '../context.ts';
import { reportProblems } from '../report.ts';
import { listSchemas, readSchema } from '../schemas.ts';

export async function explain(context: Context, what: string | undefined): Promise<OutcomeWord> {
  const { output, json, options, color, width } = context;
  const schemas = await readSchemas();
  const { renderExplained, renderExplainedKinds } = await import('../../report/text/explain.ts');
  const { renderExplainedKindsMarkdown, renderExplainedMarkdown } = await import('../../report/markdown/explain.ts');
  const text = { color: color.stdout, width };
  if (what === undefined) {
    const kinds = explainKinds(schemas);
    output.result(
      json
        ? renderExplainedJson({ kinds })
        : options.format === 'markdown'
          ? renderExplainedKindsMarkdown(kinds)
          : renderExplainedKinds(kinds, text),
    );
    return 'done';
  }
  const page = explainOne(schemas, what);
  if ('problem' in page) return reportProblems(context, [page.problem]);
  output.result(
    json
      ? renderExplainedJson({ page })
      : options.format === 'markdown'
        ? renderExplainedMarkdown(page)
        : renderExplained(page, text),
  );
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
