// An access list of a site's Shield: addresses, networks, countries and the like by name. The list of lists is
// authoritative (SHD-27). It must not touch the platform's own lists, and cannot say what a list does: no call of the
// API sets its action (SHD-21).
import { diagnose } from '../../../model/diagnostic.ts';
import type { ManifestPart, ManifestItem, LiveMember } from '../../../model/kind/to-manifest.ts';
import { itemsPlacedAt, withoutEmpty } from '../../../model/kind/to-manifest.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { sameJson } from '../../../model/json.ts';
import type { Answers, Blocker, StepContext } from '../../../model/kind/kind.ts';
import { createOnly, defineChild, unordered, updatable } from '../../../model/kind/kind.ts';
import { objectAt } from '../../../model/kind/rows.ts';
import { canonicalEntries } from './entries.ts';
import type { ItemWire } from './items.ts';
import {
  createSteps,
  expandItems,
  irreplaceable,
  isReadOnly,
  itemComments,
  itemsIn,
  keepProtected,
  removeSteps,
  replaceSteps,
  untouchable,
} from './items.ts';
import { judgeAccessLists } from './judge.ts';
import { traceAccessLists } from './trace.ts';
import { listTypesRead, wrongType } from './list-types.ts';
import { LIST_TYPES, nameIn, numberIn } from './names.ts';
import { idIn, keyIn, named, text, understand, unwrap } from './wire.ts';
import { isActive, inShield, shieldPath, whenActive, zoneRead } from './zone/wire.ts';

export interface ShieldAccessListSpec {
  readonly name: string;
  readonly description: string;
  readonly type: string | number;
  readonly content: string | readonly string[];
  readonly checksum: string;
}

const WIRE: ItemWire = {
  plural: 'access_lists',
  nameKey: 'name',
  label: 'access list',
  rule: 'SHD-21',
};

export const shieldAccessList = defineChild<ShieldAccessListSpec>({
  kind: 'ShieldAccessList',
  parent: 'Site',
  list: 'authoritative',
  section: {
    fields: ['shield/accessLists'],
    expand: expandItems('accessLists'),
    toManifest: listsToManifest,
    lint: judgeAccessLists,
    trace: traceAccessLists,
  },
  identity: 'name',
  fields: {
    name: { ...updatable(), lowers: 'never' },
    description: { ...updatable(), lowers: 'never' },
    // Whether a list blocks or lets through is neither told nor set here (SHD-21): every change of who is on it may
    // lower protection.
    type: { ...updatable(), lowers: ({ before, after }) => before !== null && after !== null },
    content: {
      ...unordered(),
      lowers: ({ was, value, before, after }) => !sameJson(before === null ? [] : was, after === null ? [] : value),
    },
    checksum: {
      ...createOnly('Sent with the content where it is given; the platform makes its own otherwise (GAP-31).'),
      lowers: 'never',
    },
  },
  normalise: (spec) => {
    const type = spec.type === undefined ? undefined : (nameIn(LIST_TYPES, spec.type) ?? spec.type);
    return {
      ...spec,
      ...(type !== undefined && { type }),
      ...(spec.content !== undefined && { content: canonicalEntries(spec.content, type) }),
    };
  },
  reads: {
    zone: zoneRead,
    items: { path: whenActive(`/${WIRE.plural}`), after: ['zone'] },
    // The list may leave the content out: each such list is read by its id (GAP-31).
    contents: {
      after: ['zone', 'items'],
      path: (context) =>
        isActive(context.answers.zone)
          ? withoutContent(context.answers).map((id) =>
              shieldPath(context, `/${WIRE.plural}/${encodeURIComponent(id)}`),
            )
          : null,
    },
    types: listTypesRead((answers) => itemsIn(answers, WIRE)),
  },
  decode: (answers, context) => {
    const read = new Map(
      withoutContent(answers).map((id, index) => [id, contentIn((answers.contents as readonly Json[])[index])]),
    );
    return itemsIn(answers, WIRE).map((row) => {
      const id = idIn(row);
      const { spec, unclear } = understand([
        ['name', keyIn(row, 'name') ?? id, text],
        ['description', keyIn(row, 'description') ?? '', text],
        ['type', keyIn(row, 'type'), named(LIST_TYPES)],
        ['content', keyIn(row, 'content') ?? read.get(id ?? ''), text],
      ]);
      const wrong = wrongType(answers.types, spec.name as string, context);
      return {
        id: id ?? '',
        spec,
        computed: {
          hasId: id !== undefined,
          unclear,
          readOnly: isReadOnly(row),
          ...(wrong !== null && { wrongType: { ...wrong } }),
        },
      };
    });
  },
  blockers: (answers, context) =>
    Object.fromEntries(
      context.declared.members.flatMap(({ identity }) => {
        const wrong = wrongType(answers.types, identity, context);
        return wrong === null ? [] : [[identity, wrong]];
      }),
    ),
  status: ({ computed }) => (computed.readOnly === true ? { is: 'platform-managed' } : undefined),
  create: {
    writes: ['name', 'description', 'type', 'content', 'checksum'],
    notice: diagnose(
      'HW2046',
      'No call of the API says what becomes of the requests that are on this list (SHD-21). Set its action in the dashboard when the list is there. To block a country without the dashboard, write an edge rule with `country` and `block`.',
    ),
    steps: (context) => createSteps(context.parent, WIRE, context.desired.name as string, encodeList(context)),
  },
  update: {
    replace: {
      writes: ['name', 'description', 'type', 'content'],
      refuse: ({ type }, { spec, computed }) =>
        irreplaceable(computed) ??
        (type === undefined || type === spec.type ? null : ((computed.wrongType ?? null) as Blocker | null)),
      steps: (context) => replaceSteps(context, WIRE, encodeList(context)),
    },
  },
  remove: {
    risk: ['delete'],
    refuse: ({ computed }) => untouchable(computed),
    steps: (context) => removeSteps(context, WIRE),
  },
  order: keepProtected('ShieldAccessList'),
  manifest: {
    item: ({ spec }) => imported(spec),
    comments: ({ computed }) => itemComments(computed),
  },
  capabilities: {
    dependsOn: inShield,
  },
});

/** A list may be empty, and a manifest says so. */
function imported({ name, description, type, content }: ShieldAccessListSpec): Json {
  return withoutEmpty({ name, description, type, content }, ['content']);
}

function listsToManifest(
  _members: readonly LiveMember[],
  { items }: { readonly items: readonly ManifestItem[] },
): ManifestPart {
  const { spec, comments = [] } = itemsPlacedAt('shield/accessLists', items);
  return {
    spec,
    comments: [
      ...(items.length === 0
        ? []
        : [
            {
              pointer: '/shield/accessLists',
              text: 'What happens to requests that match a list is set in the dashboard; the API does not show it.',
            },
          ]),
      ...comments,
    ],
  };
}

/** Ids of the lists whose content is still to be read; those of the platform are nobody's business. */
function withoutContent(answers: Answers): readonly string[] {
  return itemsIn(answers, WIRE).flatMap((row) =>
    isReadOnly(row) || keyIn(row, 'content') !== undefined ? [] : (idIn(row) ?? []),
  );
}

/** An empty list may read as null (CNV-02). */
function contentIn(answer: Json | undefined): Json {
  return (
    keyIn(
      unwrap(objectAt(answer), (row) => 'content' in row),
      'content',
    ) ?? ''
  );
}

/** All documented fields; a checksum only where one is given (GAP-31, GAP-33). */
function encodeList({ desired, observed }: StepContext<ShieldAccessListSpec>): JsonObject {
  const { name, description = '', type, content, checksum } = { ...observed, ...desired } as ShieldAccessListSpec;
  return {
    name,
    description,
    type: numberIn(LIST_TYPES, type),
    content: (content as readonly string[]).join('\n'),
    ...(checksum !== undefined && { checksum }),
  };
}
