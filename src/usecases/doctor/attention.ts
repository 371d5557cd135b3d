// What a person should do something about before it is too late: a name that ends, a mailspace that is full or goes, a
// payment that failed. Told from the lists that are read anyway; nothing here changes the exit code.
import type { Finding } from '../../model/doctor.ts';
import type { Json } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import { endsSoon, nearlyFull, paymentTrouble } from '../../areas/index.ts';
import { checkOf } from './finding.ts';
import type { AccountReads } from './reads.ts';
import { rowsOf } from './reads.ts';

/** One finding for each; none where nothing of the kind is seen. `nowMs`: the present, for what ends. */
export function attentionFindings(
  { areas, order }: AccountReads,
  account: string | undefined,
  nowMs: number,
): readonly Finding[] {
  if (areas === undefined) return [];
  return [
    ...rowsOf(areas.registrations.body, '/domain_registrations').flatMap((row) => endOfName(row, nowMs)),
    ...rowsOf(areas.mailspaces.body, '/mailspaces')
      .filter((row) => [undefined, account].includes(textIn(row, '/account/id')))
      .flatMap((row) => mailspaceFindings(row)),
    ...paymentFindings(order?.body),
  ];
}

function textIn(row: Json, pointer: string): string | undefined {
  const value = valueAt(row, pointer);
  return typeof value === 'string' ? value : undefined;
}

function endOfName(row: Json, nowMs: number): readonly Finding[] {
  const day = endsSoon(valueAt(row, '/auto_renew'), valueAt(row, '/expires_at'), nowMs);
  const name = textIn(row, '/name');
  if (day === undefined || name === undefined) return [];
  return [
    checkOf('account', `name ${name}`).warning(
      `The registration of ${name} ends on ${day}, and renewal is off.`,
      'To keep the name, write `autoRenew: true` in its manifest and apply it.',
    ),
  ];
}

function mailspaceFindings(row: Json): readonly Finding[] {
  const domain = textIn(row, '/domain');
  if (domain === undefined) return [];
  const check = `mailspace ${domain}`;
  if (valueAt(row, '/pending_deletion') === true) {
    const day = textIn(row, '/delete_scheduled_at')?.slice(0, 10);
    return [
      checkOf('account', check).warning(
        `The mailspace ${domain} will be deleted${day === undefined ? '' : ` on ${day}`}, with all its mail.`,
        'To keep it, have it restored in the dashboard (MSP-15).',
      ),
    ];
  }
  const used = nearlyFull(valueAt(row, '/used_mb'), valueAt(row, '/storage_gb'));
  return used === undefined
    ? []
    : [
        checkOf('account', check).warning(
          `The mailspace ${domain} uses ${used}.`,
          'Delete mail, or choose a larger package in the dashboard (MSP-19).',
        ),
      ];
}

/** Of the newest order, which is the one that is read. */
function paymentFindings(order: Json | undefined): readonly Finding[] {
  const trouble = order === undefined ? undefined : paymentTrouble(order);
  if (trouble === undefined) return [];
  const remedy = `\`hostwright get order ${trouble.id}\` shows the page to pay on.`;
  return [checkOf('account', 'payment').warning(`${trouble.says}.`, remedy)];
}
