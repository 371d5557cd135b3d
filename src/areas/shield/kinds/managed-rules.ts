// Which managed rules the WAF has, and which declared ids are none of them. The documents say that the answer is a bare
// list of groups and not what is in one (SHD-12): ids are taken where they can be recognised, and otherwise nothing is
// claimed.
import { diagnose } from '../../../model/diagnostic.ts';
import leven from 'leven';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { Answers, ChildContext, FieldDoubt, ReadSpec } from '../../../model/kind/kind.ts';
import type { Member } from '../../../model/kind/kind.ts';
import { idIn, keyIn, texts } from './wire.ts';
import { isActive, partOfZone, shieldPath } from './zone/wire.ts';

/** The fields that hold ids of managed rules, and the keys of the same in the zone. */
const LISTS = { disabledRules: 'disabled_rules', logOnlyRules: 'log_only_rules' } as const;

/** The managed rules matter only where an id is declared that is not in the live list of its field yet (SHD-12). */
export const managedRulesRead: ReadSpec<Member> = {
  path: (context) => (newIds(context).length === 0 ? null : shieldPath(context, '/waf/rules')),
  after: ['zone'],
  absences: 'any',
};

function newIds({ declared, answers }: Pick<ChildContext, 'declared' | 'answers'>): readonly string[] {
  if (!isActive(answers.zone)) return [];
  const waf = partOfZone(answers.zone, 'waf');
  return Object.entries(LISTS).flatMap(([field, key]) => {
    const live = (texts(keyIn(waf, key) ?? []) ?? []) as readonly string[];
    return declared.members.flatMap(({ spec }) => idsOf(spec, field)).filter((id) => !live.includes(id));
  });
}

function idsOf(spec: JsonObject, field: string): readonly string[] {
  return ((spec[field] ?? []) as readonly Json[]).map(String);
}

/** What the platform's list of managed rules says against the declared ids; nothing where it shows none. */
export function unknownRules({ rules: answer }: Answers, spec: JsonObject): readonly FieldDoubt[] {
  const known = new Map(rulesIn(answer));
  if (known.size === 0) return [];
  return Object.keys(LISTS).flatMap((field) =>
    idsOf(spec, field)
      .filter((id) => !known.has(id))
      .map((id): FieldDoubt => ({
        field,
        ...diagnose(
          'HW2390',
          `${field} names the rule ${id}. The WAF lists no such rule, so the platform may refuse the id or drop it (SHD-12).${suggested(id, known)} \`hostwright get shield-rules\` lists all of them.`,
        ),
      })),
  );
}

/** The nearest id, where at most a third of it is another; of several the one that is the nearest number. */
function suggested(id: string, known: ReadonlyMap<string, string>): string {
  const far = (other: string): number => Math.abs(Number(other) - Number(id)) || 0;
  const [best] = [...known.keys()].sort(
    (left, right) => leven(id, left) - leven(id, right) || far(left) - far(right) || (left < right ? -1 : 1),
  );
  if (best === undefined || leven(id, best) > Math.max(1, Math.floor(id.length / 3))) return '';
  const title = known.get(best) ?? '';
  return ` Did you mean ${best}${title === '' ? '' : ` (${title})`}?`;
}

/** Id and title of each rule: what stands in a list under a key such as `rules`, at any depth. */
function rulesIn(value: Json | undefined): readonly (readonly [id: string, title: string])[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => rulesIn(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /rules$/i.test(key) && Array.isArray(inner) ? inner.flatMap((item: Json) => ruleIn(item)) : rulesIn(inner),
  );
}

function ruleIn(item: Json): readonly (readonly [id: string, title: string])[] {
  if (typeof item === 'string' || typeof item === 'number') return [[String(item), '']];
  if (!isJsonObject(item)) return [];
  const inner = rulesIn(item);
  if (inner.length > 0) return inner;
  const id = keyIn(item, 'rule_id') ?? idIn(item);
  if (typeof id !== 'string' && typeof id !== 'number') return [];
  const title = [item.name, item.title, item.description].find((one) => typeof one === 'string' && one !== '');
  return [[String(id), typeof title === 'string' ? title : '']];
}
