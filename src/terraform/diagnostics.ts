// What Terraform is told that a user has to mend: our diagnostics with their codes, at the attribute that they are about.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { withoutRules } from '../model/diagnostic.ts';
import type { Message } from './wire/protobuf.ts';
import type { Place } from './value/convert.ts';

const ERROR = 1;
const WARNING = 2;

/**
 * A diagnostic as a message. Terraform shows one of all warnings with one summary, so a summary names its object.
 * What is only worth knowing is not told: Terraform has no word for it.
 */
export function toMessages(
  diagnostics: readonly Diagnostic[],
  placeOf: (diagnostic: Diagnostic) => Place = () => ({ steps: [], text: '' }),
): readonly Message[] {
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map((diagnostic): Message => {
      const { code, severity, summary, detail, address } = diagnostic;
      const subject = severity === 'warning' && address !== undefined ? `${decodeURIComponent(address)}: ` : '';
      const { steps, text } = placeOf(diagnostic);
      // Terraform finds the line of an attribute, and of nothing in it.
      const [attribute, ...inside] = steps;
      return {
        severity: severity === 'error' ? ERROR : WARNING,
        summary: `${code} ${subject}${summary}`,
        detail: `${inside.length > 0 ? `${text}: ` : ''}${inTerraformWords(withoutRules(detail))}`,
        ...(attribute !== undefined && { attribute: { steps: [attribute] } }),
      };
    });
}

/**
 * What the engine says of manifests, as it is said here: `spec.phpVersion` and `phpVersion` are `php_version`, and an id
 * is imported.
 */
export function inTerraformWords(text: string): string {
  return text
    .replace(/Run `hostwright apply --resume`/g, 'Run `terraform apply` again')
    .replace(/`hostwright apply --resume`/g, 'the next `terraform apply`')
    .replace(/no manifest names it any more/g, 'the configuration names it no more')
    .replace(/(as|remove) ([a-z]+[A-Z]\w*)(?=[:.])/g, (_, word: string, field: string) => `${word} ${snake(field)}`)
    .replace(/Correct the manifest/g, 'Correct the configuration')
    .replace(/write (the \w+ of [^,.]*?|its id) as metadata\.id/g, 'import it by $1')
    .replace(/\bspec\.(\w+)/g, (_, field: string) => `\`${snake(field)}\``)
    .replace(/(?<=`)[a-z]+([A-Z][a-z0-9]*)+(?=[`[])/g, snake);
}

function snake(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
}

/** What is told here beside what the engine tells; a warning where money may have been spent. */
const TABLE = {
  HW7001: { severity: 'warning', summary: 'The plan does what deserves a look' },
  HW7003: { severity: 'warning', summary: 'An attribute is no longer managed' },
  HW7004: { severity: 'error', summary: 'Destroying it is refused' },
  HW7005: { severity: 'error', summary: 'The live side changed since the plan' },
  HW7006: { severity: 'error', summary: 'There is such an object already' },
  HW7007: { severity: 'warning', summary: 'A part of it was not imported' },
  HW7023: { severity: 'error', summary: 'It is used only when it is bought' },
  HW7024: { severity: 'error', summary: 'It would be bought again' },
  HW7008: { severity: 'error', summary: 'It cannot be created' },
  HW7009: { severity: 'warning', summary: 'This plan cannot do everything' },
  HW7010: { severity: 'warning', summary: 'Something is still waited for' },
  HW7011: { severity: 'warning', summary: 'Created, but not completely' },
  HW7012: { severity: 'error', summary: 'Nobody can know whether it was ordered' },
  HW7013: { severity: 'error', summary: 'The provider is not configured' },
  HW7014: { severity: 'error', summary: 'There is nothing to import' },
  HW7015: { severity: 'warning', summary: 'Something is planned in apply' },
  HW7016: { severity: 'warning', summary: 'It is forgotten, not deleted' },
  HW7017: { severity: 'error', summary: 'It cannot be deleted' },
  HW7018: { severity: 'error', summary: 'It was not deleted' },
  HW7019: { severity: 'error', summary: 'It was not created' },
  HW7020: { severity: 'error', summary: 'Not everything was done' },
  HW7022: { severity: 'error', summary: 'An attribute is none of its words' },
  HW6911: { severity: 'error', summary: 'Two resources are about one object' },
  HW6912: { severity: 'error', summary: 'Nothing is replaced' },
  HW6913: { severity: 'error', summary: '`timeouts` has no duration' },
  HW6914: { severity: 'warning', summary: 'A hostname serves nothing for a while' },
  HW7021: { severity: 'error', summary: 'A data source cannot be asked so' },
} as const satisfies Readonly<Record<string, Pick<Diagnostic, 'severity' | 'summary'>>>;

/** A diagnostic of the table. `address`: the resource that a warning is about. */
export function diagnose(code: keyof typeof TABLE, detail: string, address?: Address): Diagnostic {
  return { code, ...TABLE[code], detail, ...(address !== undefined && { address }) };
}
