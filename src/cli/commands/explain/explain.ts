// `explain`: documentation out of the schemas that came with the package. Needs no workspace, network or token.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderExplainedJson } from '../../../report/json/index.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { readKindSchemas } from '../../../library/package-files.ts';
import { reportProblems } from '../../report.ts';

const HELP = `
A field is written as Site.edgeRules.triggers.type, with or without [] behind lists, or as a JSON pointer: Site/edgeRules/0/name. Letter case
does not count. An object that is declared inside a manifest is found by its kind: EdgeRule is Site.edgeRules. HW2204 is the code of a
diagnostic, O-18 a rule of the platform, as plans print them, and EXPOSES or deferred a word of plans. Without an argument: all kinds. Forms: human, json, markdown.`;

interface ExplainOptions {
  readonly schema?: boolean;
  /** A folder. */
  readonly out?: string;
}

export function addExplain(program: CliCommand): void {
  program
    .command('explain')
    .description('Explain a kind or field of manifests, a diagnostic, a platform rule or a term of plans.')
    .argument(
      '[kind-field-code-rule-or-word...]',
      'Such as Site, EdgeRule, Site.caching.smartCache, HW2204, O-18 or EXPOSES.',
    )
    .option('--schema', 'Print the JSON Schema of a kind or of an output document. Without one, list the schemas.')
    .option('--out <folder>', 'With --schema: write all schemas to this folder, for editors.')
    .formats('markdown')
    .addHelpText('after', HELP)
    .examples(
      ['hostwright explain', 'the kinds of manifests, and what is declared in each'],
      ['hostwright explain Site.caching.cacheExpiration', 'one field: type, limits, what a change does, an example'],
      ['hostwright explain HW2204', 'a diagnostic: why it is reported, and what to do'],
      ['hostwright explain O-18', 'a rule beside a reason in a plan'],
      ['hostwright explain EXPOSES', 'a word in a plan'],
      ['hostwright explain --schema Site > site.schema.json', 'the JSON Schema of a kind'],
      ['hostwright explain --schema --out schemas', 'all schemas, as files'],
    )
    .action((words: readonly string[], { schema = false, out }: ExplainOptions, command: CliCommand) => {
      if (out !== undefined && (!schema || words.length > 0))
        command.error('error: --out requires --schema and no kind');
      if (schema && words.length > 1) command.error('error: --schema takes one kind');
      return command.execute<ExplainOptions>(async (context, options) =>
        schema ? (await import('./schema.ts')).explainSchema(context, words[0], out) : explain(context, options, words),
      );
    });
}

async function explain(context: Context, _options: object, words: readonly string[]): Promise<OutcomeWord> {
  const { output, json, options, color, width } = context;
  const schemas = await readKindSchemas();
  const found =
    words.length === 0
      ? { kinds: (await import('../../../usecases/explain/explain.ts')).explainKinds(schemas) }
      : (await import('../../../usecases/explain/answer.ts')).answer(schemas, words.join(' '));
  if ('problem' in found) return reportProblems(context, [found.problem]);
  if (json) {
    output.result(renderExplainedJson(found));
    return 'done';
  }
  const [{ explainBlocks }, { writePage }] = await Promise.all([
    import('../../../report/blocks/explain.ts'),
    import('../../../report/page.ts'),
  ]);
  const blocks = explainBlocks(found, { isTerminal: options.format !== 'markdown' });
  // Prose that is read, also through a pager.
  output.result(writePage(blocks, options.format, { color: color.stdout, width, wrap: true }));
  return 'done';
}
