// Finds an operation by its name and the address it runs on, and checks its options. Reads only data, so that the command
// line can check a command before any other code is loaded.
import { parseAddress } from '../../model/address.ts';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';
import type { OperationOption, OperationRow } from '../../model/plan/operation.ts';
import { addressForm, OPERATION_OPTIONS } from '../../model/plan/operation.ts';
import { OPERATION_ROWS } from './generated/operations.ts';

export { OPERATION_ROWS };

/** Returns the operations that an address supports, or the diagnostic of an address that supports none. */
export function operationsOn(address: string): readonly OperationRow[] | Diagnostic {
  const [segment, ...below] = parseAddress(address) ?? [];
  const kinds = [...new Set(OPERATION_ROWS.map(({ kind }) => kind))];
  const forms = listOf([...new Set(OPERATION_ROWS.map(addressForm))], 'and');
  if (segment === undefined)
    return problem(
      'HW6580',
      `${quote(address)} is not an address. An address is a kind and a name: ${forms}.${didYouMean(address, kinds)}`,
    );
  const rows = OPERATION_ROWS.filter(
    ({ kind, isOnAll = false }) => below.length === 0 && kind === segment.kind && isOnAll === (segment.name === null),
  );
  return rows.length > 0
    ? rows
    : problem(
        'HW6580',
        `${quote(address)} supports no operations.${didYouMean(segment.kind, kinds)} Operations exist for ${forms}.`,
      );
}

/** Returns the operation of that name on the address, or the diagnostic of a name, an address or options that do not fit. */
export function findOperation(
  name: string,
  address: string,
  options: Readonly<Partial<Record<OperationOption, unknown>>>,
): OperationRow | Diagnostic {
  const rows = operationsOn(address);
  if ('code' in rows) return rows;
  const names = rows.map((row) => row.name);
  const row = rows.find((one) => one.name === name);
  if (row === undefined)
    return problem(
      'HW6580',
      `${address} has no operation ${quote(name)}.${didYouMean(name, names)} It supports ${listOf(names, 'and')}.`,
    );
  const given = (Object.keys(OPERATION_OPTIONS) as OperationOption[]).filter((one) => options[one] !== undefined);
  const foreign = given.filter((one) => !row.takes.includes(one));
  const missing = row.needs.filter((one) => options[one] === undefined);
  if (foreign.length > 0)
    return problem(
      'HW6513',
      `\`run ${name}\` does not take ${listOf(foreign.map(flag), 'or')}. ${row.takes.length === 0 ? 'It takes no options of its own.' : `It takes ${listOf(row.takes.map(flag), 'and')}.`}`,
    );
  if (missing.length > 0)
    return problem('HW6513', `\`run ${name}\` requires ${listOf(missing.map(optionForm), 'and')}.`);
  return row;
}

/** Returns an option as help shows it: `--to <handle>`. */
export function optionForm(option: OperationOption): string {
  const { value, choices } = OPERATION_OPTIONS[option];
  return value === undefined ? flag(option) : `${flag(option)} <${choices?.join('|') ?? value}>`;
}

function flag(option: OperationOption): string {
  return `--${option}`;
}

function problem(code: Code, detail: string): Diagnostic {
  return diagnose(code, detail);
}
