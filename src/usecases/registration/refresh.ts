// The use case `registration refresh`: has the platform ask the registry how a name stands (REG-28). It may be done as
// often as one likes.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { listOf } from '../../model/format.ts';
import { registrationActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import type { Ending, SiteResult } from '../site/open-site.ts';
import { withRegistration } from './find.ts';

export interface Refreshed {
  readonly registration: string;
  readonly changed: readonly string[];
  /** As it stands now. */
  readonly now: JsonObject;
}

/** Refreshes what the platform knows of a registration, and says what that changed. */
export function refreshRegistration(
  session: Session,
  wanted: string,
  confirm: Confirm,
): Promise<SiteResult<Refreshed>> {
  return withRegistration(session, wanted, (registration): Promise<Ending<Refreshed>> => {
    const { name, id } = registration;
    return runAct<Refreshed>(
      registration,
      registrationActs.refreshRegistration(id),
      {
        question: `Have the platform ask the registry how ${name} stands? Nothing changes at the registry.`,
        done: ({ answer }) => {
          const row = valueAt(answer, '/domain_registration');
          const names = valueAt(answer, '/changed');
          const changed = Array.isArray(names) ? names.filter((one) => typeof one === 'string') : [];
          const now = isJsonObject(row) ? row : {};
          return {
            outcome: 'done',
            value: { registration: name, changed, now },
            message:
              changed.length === 0
                ? `${name} stands at the registry as the platform knew it.`
                : `${name} has changed at the registry: ${listOf(
                    changed.map((field) => `${field} is ${tell(now[field])}`),
                    'and',
                  )}. \`hostwright plan\` compares it with its manifest.`,
          };
        },
        look: 'Running the command again does no harm.',
      },
      confirm,
    );
  });
}

function tell(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((item: Json) => tell(item)).join(' ');
  if (value === null || value === undefined) return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
