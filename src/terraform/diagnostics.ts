// What Terraform is told that a user has to mend: our diagnostics with their codes, at the attribute that they are about.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { withoutRules } from '../model/diagnostic.ts';
import type { Message } from './wire/protobuf.ts';
import type { Place } from './value/convert.ts';
import { snake } from './value/names.ts';

const ERROR = 1;
const WARNING = 2;

/**
 * Converts diagnostics to messages of the protocol. Terraform shows only one of several warnings with equal summaries, so
 * the summary of a warning names its object. Informational diagnostics are dropped: the protocol has no such severity.
 *
 * @param resource - The address of the resource that was called. Warnings without an address are about it.
 */
export function toMessages(
  diagnostics: readonly Diagnostic[],
  placeOf: (diagnostic: Diagnostic) => Place = () => ({ steps: [], text: '' }),
  resource?: Address,
): readonly Message[] {
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map((diagnostic): Message => {
      const { code, severity, summary, detail, address = resource } = diagnostic;
      const name = severity === 'warning' && address !== undefined ? decodeURIComponent(address) : '';
      const subject = name === '' || summary.startsWith(`${name} `) ? '' : `${name}: `;
      const { steps, text, words } = placeOf(diagnostic);
      // Terraform finds the line of an attribute, and of nothing in it.
      const [attribute, ...inside] = steps;
      return {
        severity: severity === 'error' ? ERROR : WARNING,
        summary: `${code} ${subject}${summary}`,
        detail: `${inside.length > 0 ? `${text}: ` : ''}${inTerraformWords(withoutRules(ofWord(detail, words)))}`,
        ...(attribute !== undefined && { attribute: { steps: [attribute] } }),
      };
    });
}

/**
 * Rewrites a message about an unknown key: where a manifest has a key that selects the form of an object, a configuration
 * has a value of `type`, or `patterns`.
 */
function ofWord(detail: string, words: readonly string[] | undefined): string {
  if (words === undefined) return detail;
  return detail
    .replace(
      // The remedy at the end (HW1201) is dropped in any wording: the allowed values replace it.
      /There is no field (`[^`]+`) in `[^`]+`\.(?:( Did you mean `[^`]+`\?)| Known here: [^.]+\.) .*$/s,
      (_, word: string, meant = '') =>
        `\`type\` cannot be ${word}.${String(meant)} Allowed: ${words.map((one) => `\`${one}\``).join(', ')}.`,
    )
    .replace(/^`(\w+)` (?=has \d+ items;|needs at least )/, (all, word: string) =>
      words.includes(snake(word)) ? '`patterns` ' : all,
    );
}

/** What the engine says of manifests and commands, as it is said here. Each is applied to what those before it have made. */
const WORDS: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/Run `hostwright apply --resume`/g, 'Run `terraform apply` again'],
  [/`hostwright apply --resume`/g, 'the next `terraform apply`'],
  // Terraform checks all other types itself, so a value of the wrong type is text, also where it is not quoted.
  [
    /has to be a mapping of fields[;,] it is (?:text|\(personal\))\.?/g,
    'has to be JSON of an object: write `jsonencode({ ... })`.',
  ],
  [/\bhostwright apply --resume/g, 'terraform apply'],
  [/\b([Rr])un `?(hostwright )?plan`? again/g, '$1un `terraform plan` again'],
  [/`hostwright (plan|apply|validate)`/g, '`terraform $1`'],
  [/write (the \w+ of [^,.]*?|its id) as `?metadata\.id`?/g, 'import it by $1'],
  [
    /list it under `secrets\.(env|files|entries|keep)` in the workspace file/g,
    'list it in `secrets = { $1 = [...] }` in the provider block',
  ],
  [/[Oo]nly with `--allow-(charges|deletes)`/g, 'as far as `guards.allow_$1` allows'],
  [/`?--allow-(charges|deletes)( \d+)?`?/g, '`guards.allow_$1`'],
  [/`?--max-spend( [\d.]+ ?[A-Z]{3})?`?/g, '`guards.max_spend`'],
  [/(the )?workspace file|`?hostwright\.yaml`?/g, 'the provider block'],
  [/(as|remove) ([a-z]+[A-Z]\w*)(?=[:.])/g, (_, word, field) => `${word} ${snake(field ?? '')}`],
  [/`?metadata\.(name|id)`?/g, '`$1`'],
  [/`?lifecycle: \{ state: absent \}`?/g, '`terraform destroy`'],
  [/`?lifecycle\.protect`?(: (true|false)`?)?/g, '`deletion`'],
  [/`?lifecycle\.state: absent`?|`state: absent`/g, '`terraform destroy`'],
  [/`spec` needs the field/g, 'it needs'],
  [/`?\bspec\.([A-Za-z]+(\.[A-Za-z]+)*)`?/g, (_, field) => `\`${snake(field ?? '')}\``],
  [/below `spec`|of `spec`/g, 'in the resource'],
  [/\b[a-z]+[A-Z]\w*(?=(, \w+)* (differs?|was never|were never|is to be|are to be)\b)/g, (name) => snake(name)],
  [
    /Uncomment the list to manage them: apply then numbers them/g,
    'Write the list to manage them: an apply numbers them',
  ],
  [/as moveFrom of/g, 'as `move_from` of'],
  [/ \(`id`: /g, ' (id '],
  [/\b(in|of) the workspace\b/g, '$1 the configuration'],
  [/\bthe manifests\b/g, 'the configuration'],
  [
    /\b(the|another|any|no|each|every|its|this|a) manifest\b/g,
    (_, which) => (which === 'the' ? 'the configuration' : `${which} resource`),
  ],
  [/\bmanifests\b/g, 'resources'],
  [/\bmanifest\b/g, 'resource'],
  [/\bManifests?\b/g, 'Configuration'],
  [/,? in quotes\b/g, ' as a text'],
  [/\bYAML\b/g, 'the configuration'],
  [
    /`([a-z]\w*): \{ (\w+): ([^`{}]+) \}`/g,
    (_, name, field, value) => `\`${snake(name ?? '')} = { ${snake(field ?? '')} = ${value} }\``,
  ],
  [/(`\w+`): (\{ ?\w*[^}]*\})/g, (_, name, value) => `${name} = ${(value ?? '').replace(/(\w+): /g, '$1 = ')}`],
  [/`([a-z][\w.]*): ([^`\s]+)`/g, (_, field, value) => `\`${snake(field ?? '')} = ${value}\``],
  [/(?<=`[\w.[\]"]*)\b[a-z][a-z0-9]*([A-Z][a-z0-9]*)+(?=[\w.[\]" =]*`)/g, (name) => snake(name)],
];

/** `spec.phpVersion` and `phpVersion` are `php_version`, and an id is imported. */
export function inTerraformWords(text: string): string {
  return WORDS.reduce(
    (said, [found, put]) => (typeof put === 'string' ? said.replace(found, put) : said.replace(found, put)),
    text,
  );
}
