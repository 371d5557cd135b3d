// An edge rule of a site's CDN. The list is authoritative and its order is meaning. A rule goes by its description,
// which the manifest keeps unique: the Guid is the platform's (EDG-15). It must not touch the platform's own rules,
// which have a reserved description (EDG-08).
import type { Json, JsonObject } from '../../../../model/json.ts';
import { ANY_LIST, valueAt } from '../../../../model/json.ts';
import type { Blocker, Lint, StepContext } from '../../../../model/kind/kind.ts';
import { defineChild, positioned, unordered, updatable } from '../../../../model/kind/kind.ts';
import { rowsAt } from '../../../../model/kind/rows.ts';
import type { LookUp, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { domainsBefore } from '../guards.ts';
import type { DeclaredRule } from './judge.ts';
import { judgeEdgeRules } from './judge.ts';
import { readAction, readTrigger, writeAction, writeTrigger } from './written.ts';
import type { EdgeAction, EdgeRuleSpec, EdgeTrigger } from './wire.ts';
import { lowersRule } from './protection.ts';
import { traceEdgeRules, WITHOUT } from './trace.ts';
import {
  ACTION_TYPES,
  decodeRule,
  encodeRule,
  isBeyondNames,
  MATCHES,
  nameOf,
  TRIGGER_TYPES,
  unwritableAction,
} from './wire.ts';
import { listSection } from '../../../common/sections.ts';
import { change, LOST_CREATE_MS, readBack, removal, until, waitStep } from '../../../common/steps.ts';

const LAST = Number.MAX_SAFE_INTEGER;
const wholeReadBack = readBack("a whole rule was written, and its answer is the CDN's own", 'GAP-24');

export const edgeRule = defineChild<EdgeRuleSpec>({
  kind: 'EdgeRule',
  parent: 'Site',
  list: 'authoritative',
  section: {
    ...listSection('edgeRules', ({ name }) => name as string),
    lint: (spec) => {
      const rules = normaliseRules(spec.edgeRules);
      return [...lintShield(rules, spec), ...judgeEdgeRules(rules, spec)];
    },
    trace: (spec, request) => traceEdgeRules(normaliseRules(spec.edgeRules), request),
  },
  identity: 'name',
  fields: {
    name: { ...updatable(), lowers: 'never' },
    action: { ...updatable(), lowers: lowersRule },
    extraActions: { rule: 'updatable', shape: 'list', lowers: lowersRule },
    match: { ...updatable(), lowers: lowersRule },
    triggers: { ...unordered(), lowers: lowersRule },
    enabled: { ...updatable(), lowers: lowersRule },
    // Another place switches no rule off, and one new rule may number all the others again.
    orderIndex: { ...positioned(), lowers: 'never' },
  },
  normalise: (spec) => ({
    ...spec,
    ...(spec.action !== undefined && { action: normaliseAction(spec.action) }),
    ...(spec.extraActions !== undefined && { extraActions: spec.extraActions.map(normaliseExtra) }),
    ...(spec.triggers !== undefined && { triggers: spec.triggers.map(normaliseTrigger) }),
  }),
  // One call, with nothing left out but the platform's own rules (EDG-07, EDG-08). How the list is wrapped is not
  // documented (GAP-23).
  reads: { rules: { path: ({ parent }) => `/api/sites/${encodeURIComponent(parent.id)}/edge_rules` } },
  decode: (answers) =>
    rowsAt(answers.rules, ANY_LIST)
      .map(decodeRule)
      .map(({ id, spec, readOnly }) => ({ id, spec, computed: { readOnly } })),
  status: ({ spec, computed }) => {
    if (computed.readOnly === true) return { is: 'platform-managed' };
    // What is newer than this program cannot be made again.
    return isBeyondNames(spec) ? { is: 'irreplaceable' } : undefined;
  },
  create: {
    writes: ['name', 'action', 'extraActions', 'match', 'triggers', 'enabled', 'orderIndex'],
    refuse: unwritable,
    steps: createSteps,
  },
  update: {
    replace: {
      writes: ['name', 'action', 'extraActions', 'match', 'triggers', 'orderIndex'],
      // The whole rule is written, also for another place.
      refuse: (desired, { spec }) => unwritable({ ...spec, ...desired }),
      steps: (context) => [
        {
          do: 'request',
          name: 'replace',
          // A POST with the Guid updates in place, and of the two ways to replace a rule it is the one whose wrapper is
          // documented. A PATCH whose wrapper were wrong would clear the rule (EDG-11, GAP-24). It names the same rule
          // however often it is sent.
          method: 'POST',
          path: path`/api/sites/${ref(context.parent)}/edge_rules`,
          body: { edge_rule: { Guid: ref(context.self), ...wholeRule(context) } },
          idempotent: true,
          // A Guid of a rule that was deleted meanwhile must not be sent: what the platform does then is not documented (GAP-25).
          recheck: true,
          answers: [{ status: '2xx', then: 'done' }],
          reason: 'write the whole rule, with everything that the manifest does not mention as it is live',
          rule: 'EDG-11',
        },
        wholeReadBack,
      ],
    },
    switch: {
      writes: ['enabled'],
      // A replacement carries it already (O-27).
      steps: ({ self, parent, desired, writing }) =>
        writing.length > 1
          ? []
          : [
              change({
                name: 'switch',
                method: 'PATCH',
                path: path`/api/sites/${ref(parent)}/edge_rules/${ref(self)}/enabled`,
                body: { enabled: desired.enabled === true },
                reason: 'only whether it is on differs, and this call can change nothing else',
                rule: 'EDG-13',
              }),
              wholeReadBack,
            ],
    },
  },
  remove: {
    risk: ['delete'],
    steps: ({ self, parent }) => {
      const gone = until(
        false,
        listed(parent, '/Guid', ref(self), {}),
        'the list of the site no longer shows the rule',
      );
      return removal({
        path: path`/api/sites/${ref(parent)}/edge_rules/${ref(self)}`,
        gone,
        reason: 'remove the rule',
        rule: 'EDG-14',
      });
    },
  },
  order: [
    domainsBefore('EdgeRule'),
    {
      rule: 'O-26',
      reason: 'rules are changed, then made, then removed: at no moment is there less than before',
      within: 'parent',
      // What changes its place as well has its turn by that place.
      before: ({ kind, verb, changes }) =>
        kind === 'EdgeRule' && verb === 'update' && !changes.some(({ path: at }) => at === '/orderIndex'),
      after: ({ kind, verb }) => kind === 'EdgeRule' && verb === 'create',
    },
    {
      rule: 'O-26',
      reason: 'a rule goes only when those that take its place are there',
      within: 'parent',
      before: ({ kind, verb }) => kind === 'EdgeRule' && verb !== 'delete',
      after: ({ kind, verb }) => kind === 'EdgeRule' && verb === 'delete',
    },
  ],
  manifest: {
    item: ({ spec }) => inWords(spec),
  },
  capabilities: { cached: true },
});

/** In the reader's words as far as they go, and without where it stands: the list says that. */
function inWords({
  name,
  enabled,
  match,
  triggers,
  action,
  extraActions,
}: Omit<EdgeRuleSpec, 'orderIndex'>): JsonObject {
  return {
    name,
    enabled,
    match,
    triggers: triggers.map(writeTrigger),
    action: writeAction(action),
    ...(extraActions.length > 0 && { extraActions: extraActions.map(writeAction) }),
  };
}

/** The rules of an answer in the reader's words, in their order. */
export function edgeRulesIn(answer: Json) {
  return rowsAt(answer, ANY_LIST)
    .map(decodeRule)
    .sort((left, right) => (left.spec.orderIndex ?? LAST) - (right.spec.orderIndex ?? LAST))
    .map(({ id, spec, readOnly }) => ({ id, readOnly, rule: inWords(spec) }));
}

function unwritable(spec: Partial<EdgeRuleSpec>): Blocker | null {
  const type = unwritableAction(spec);
  return type === undefined
    ? null
    : {
        reason: `the platform shows actions of type ${type}, and accepts only 0 to 34`,
        remedy:
          'Write the rule in the manifest as it is live, at the place that it has, or change it in the dashboard first.',
        rule: 'EDG-02',
      };
}

/** What a rule lets past Shield is not protected, whatever `shield` says (SHD-29). */
function lintShield(rules: readonly DeclaredRule[], { edgeRules, shield }: JsonObject): readonly Lint[] {
  if (shield === undefined) return [];
  return rules.flatMap(({ name, action, extraActions = [] }, index) =>
    [
      { at: 'action', type: action.type },
      ...extraActions.map(({ type }, extra) => ({ at: `extraActions/${extra}`, type })),
    ].flatMap(({ at, type }): readonly Lint[] => {
      const what = WITHOUT[type];
      return what === undefined
        ? []
        : [
            {
              is: 'idle',
              pointer: `/edgeRules/${index}/${at}/${keyOf(valueAt(edgeRules ?? null, `/${index}/${at}`))}`,
              what: `The requests that the edge rule ${JSON.stringify(name)} matches go without ${what} (SHD-29).`,
            },
          ];
    }),
  );
}

/** The key that says which action it is, in either form. */
function keyOf(action: Json | undefined): string {
  const keys = Object.keys(action as JsonObject);
  return keys.includes('type') ? 'type' : (keys[0] as string);
}

function normaliseRules(edgeRules: Json | undefined): readonly DeclaredRule[] {
  return (edgeRules as unknown as readonly EdgeRuleSpec[]).map(
    (rule) => edgeRule.normalise(rule as unknown as JsonObject) as unknown as EdgeRuleSpec,
  );
}

function createSteps(context: StepContext<EdgeRuleSpec>): readonly Step[] {
  const { self, parent, desired } = context;
  const name = desired.name as string;
  return [
    {
      do: 'request',
      name: 'create',
      method: 'POST',
      path: path`/api/sites/${ref(parent)}/edge_rules`,
      body: { edge_rule: wholeRule(context) },
      // A second request would create a second rule. The documents give the client no Guid to choose: a create omits
      // it, and a Guid names a rule that exists (EDG-09, EDG-10, EDG-11).
      idempotent: false,
      answers: [
        { status: '2xx', has: '/Guid', then: 'done', capture: { id: '/Guid' } },
        { status: '2xx', has: '/edge_rule/Guid', then: 'done', capture: { id: '/edge_rule/Guid' } },
        { status: '2xx', then: 'look-up', rule: 'GAP-23' },
      ],
      recovery: {
        lookUp: listed(parent, '/Description', name, { id: '/Guid' }),
        ifNotFound: 'ask',
        graceMs: LOST_CREATE_MS,
        rule: 'EDG-10',
      },
      reason: 'make the rule',
      rule: 'EDG-09',
    },
    waitStep(
      'listed',
      until(
        true,
        listed(parent, '/Guid', ref(self), {}),
        "the list of the site shows the rule; one whose name begins as the platform's own rules do is never shown, and is not made again (EDG-16)",
      ),
    ),
    wholeReadBack,
  ];
}

/**
 * Live merged with wanted: absent fields stay as they are, but the parameters of one action say nothing about another.
 */
function wholeRule({ desired, observed }: StepContext<EdgeRuleSpec>): Readonly<Record<string, Template>> {
  const whole = {
    extraActions: [],
    match: 'any',
    triggers: [],
    enabled: true,
    ...observed,
    ...desired,
  } as EdgeRuleSpec;
  const isSameAction = observed?.action.type === whole.action.type;
  const action: EdgeAction = isSameAction ? { ...observed.action, ...desired.action } : whole.action;
  return encodeRule({ ...whole, action });
}

/** Rows of the list by one of their keys, however the list is wrapped (GAP-23). */
function listed(parent: string, pointer: string, value: Template, capture: LookUp['capture']): LookUp {
  return { read: path`/api/sites/${ref(parent)}/edge_rules`, rows: ANY_LIST, where: [{ pointer, value }], capture };
}

/** Items of a list are compared whole: what is empty is left out on both sides. */
function normaliseExtra(written: EdgeAction): EdgeAction {
  const { type, ...parameters } = normaliseAction(written);
  return { type, ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')) };
}

/** From either form to the one that is compared: that of the platform. */
function normaliseAction(written: EdgeAction): EdgeAction {
  const raw = readAction(written) as EdgeAction;
  return { ...raw, type: nameOf(ACTION_TYPES, raw.type) };
}

function normaliseTrigger(written: EdgeTrigger): EdgeTrigger {
  const { type, match = 'any', patterns, parameter1 = '' } = readTrigger(written) as EdgeTrigger;
  return {
    type: nameOf(TRIGGER_TYPES, type),
    match: nameOf(MATCHES, match),
    patterns: [...new Set(patterns)].sort(),
    ...(parameter1 !== '' && { parameter1 }),
  };
}
