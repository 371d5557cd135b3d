// What is known of the credential from its form and from how reads were answered: which kind it is, which scopes it
// has, whether what the workspace says of it holds.
import type { Finding } from '../../model/doctor.ts';
import type { Workspace } from '../../model/workspace.ts';
import type { Area, AccountReads } from './reads.ts';
import { AREAS, failingStatus, isForeign } from './reads.ts';
import type { TokenClaims } from './token.ts';
import { checkOf } from './finding.ts';

const tokenCheck = checkOf('credential', 'token');
const expiryCheck = checkOf('credential', 'expiry');
const kindCheck = checkOf('credential', 'kind');

type Declared = NonNullable<Workspace['credential']>;

const WRITE_SCOPES = ['sites:write', 'domains:write', 'mailspace:write'] as const;
const KIND_WORDS = {
  oauth: 'an OAuth access token',
  system: 'a system key',
  user: 'a session, an API key or a system key',
} as const;

/**
 * What reads tell of the kind. `user`: no OAuth token; a system key is told from the others by writes alone (CNV-13).
 */
export type KnownKind = keyof typeof KIND_WORDS | undefined;

export interface CredentialQuestion {
  readonly looks: AccountReads;
  readonly claims: TokenClaims | undefined;
  readonly declared: Declared | undefined;
  /** The variable that holds it. */
  readonly variable: string;
  readonly nowMs: number;
}

/** The findings on a credential that was sent. */
export function credentialFindings(question: CredentialQuestion): readonly Finding[] {
  const { looks } = question;
  const [first] = looks.wide;
  const ended = expiry(question);
  if (first === undefined || first.status === null || isForeign(first))
    return [
      ...ended,
      tokenCheck.unknown(
        'Whether the platform takes the token is not known: nothing answered as this API does.',
        'Mend what is said about the platform first.',
      ),
    ];
  if (first.error === 'unauthorised') return [...ended, refused(question)];
  // A platform that fails may fail before it looks at the token, so only another response shows that it is valid.
  if (failingStatus(looks) !== undefined)
    return [
      ...ended,
      tokenCheck.warning(
        `The token could not be checked: the platform answers with ${first.status}.`,
        'Run `hostwright doctor` again when the platform works.',
      ),
    ];
  const kind = kindFrom(looks);
  return [
    ...ended,
    tokenCheck.ok('The platform takes the token.'),
    kindFinding(question, kind),
    ...scopeFindings(question, kind),
    roles(),
  ];
}

/** The kind, from what only one of them is answered. */
function kindFrom({ wide, areas }: AccountReads): KnownKind {
  const all = [...wide, ...Object.values(areas ?? {})];
  if (all.some(({ status, code }) => status === 401 && code === 'user_required')) return 'system';
  if (all.some(({ error }) => error === 'insufficient-scope')) return 'oauth';
  if (areas === undefined) return undefined;
  const { users, ...others } = areas;
  if (users.status === 200) return 'user';
  // Refused there and let in elsewhere for the same account: nobody else is closed out of it (CNV-11).
  return users.status === 403 &&
    [others.orders, others.registrations, others.panel].some(({ status }) => status === 200)
    ? 'oauth'
    : undefined;
}

function refused({ looks: { raw }, variable }: CredentialQuestion): Finding {
  if (raw !== undefined && raw.status !== null && raw.error !== 'unauthorised') {
    return tokenCheck.problem(
      'The platform refuses the token after the word Bearer, and takes it alone.',
      'Set `credential: { type: apiKey, sendAs: raw }` in the workspace file.',
    );
  }
  return tokenCheck.problem(
    'The platform refuses the token (401).',
    `Check that ${variable} holds a token that is still valid, and that the base URL is the platform it belongs to.`,
  );
}

function expiry({ claims, nowMs }: CredentialQuestion): readonly Finding[] {
  if (claims?.expiresAtMs === undefined) return [];
  const at = `${new Date(claims.expiresAtMs).toISOString().slice(0, 16)}Z`;
  if (claims.expiresAtMs <= nowMs)
    return [expiryCheck.problem(`The token says of itself that it ended at ${at}.`, 'Get a new one.')];
  const near = claims.expiresAtMs - nowMs < 24 * 3_600_000;
  return [
    expiryCheck[near ? 'warning' : 'ok'](
      `The token says of itself that it ends at ${at}.`,
      near ? 'Get a new one before a run that may take longer.' : undefined,
    ),
  ];
}

function kindFinding({ declared, claims }: CredentialQuestion, kind: KnownKind): Finding {
  const form = claims === undefined ? '' : ' It has the form of a signed web token.';
  if (kind === undefined)
    return kindCheck.unknown(
      `What kind the credential is, no read tells.${form}`,
      declared === undefined ? 'Say it in the workspace file: `credential: { type: … }`.' : undefined,
    );
  const words = `The credential is ${KIND_WORDS[kind]}.${form}`;
  if (declared !== undefined && !agrees(declared.type, kind)) {
    return kindCheck.problem(
      `${words} The workspace file says \`${declared.type}\`.`,
      'Correct `credential.type`: what a credential may not do is checked before the first write by what stands there.',
    );
  }
  if (kind === 'oauth') {
    const limits =
      'It can never order, change panel accounts, change an owner or see users, whatever its scopes (CNV-11).';
    return kindCheck[declared === undefined ? 'warning' : 'ok'](
      `${words} ${limits}`,
      declared === undefined
        ? 'Say `credential: { type: oauth, scopes: [...] }` in the workspace file, so that this is checked before the first write.'
        : undefined,
    );
  }
  if (kind === 'system')
    return kindCheck[declared === undefined ? 'warning' : 'ok'](
      `${words} It is refused where a user is needed: ordering and resizing (CNV-13).`,
      declared === undefined ? 'Say `credential: { type: system }` in the workspace file.' : undefined,
    );
  const open = 'Which of them cannot be seen by reading: a system key may not order or resize (CNV-13).';
  return kindCheck.ok(
    declared === undefined ? `${words} ${open}` : `${words} The workspace file says \`${declared.type}\`.`,
  );
}

function agrees(type: Declared['type'], kind: Exclude<KnownKind, undefined>): boolean {
  return kind === 'user' ? type !== 'oauth' : type === kind;
}

function scopeFindings(
  { looks: { areas, wide }, claims, declared }: CredentialQuestion,
  kind: KnownKind,
): readonly Finding[] {
  if (kind === 'user' || kind === 'system')
    return [checkOf('credential', 'scopes').ok('It is not bound to scopes (CNV-06).')];
  const said = claims?.scopes;
  const reads = (Object.keys(AREAS) as readonly Area[]).flatMap((area): readonly Finding[] => {
    const { path, scope } = AREAS[area];
    if (scope === undefined) return [];
    const check = checkOf('credential', `scope ${scope}`);
    const look = areas?.[area] ?? wide.find((one) => one.path === path);
    if (look?.error === 'insufficient-scope') {
      const promised = declared?.scopes?.includes(scope) === true;
      const says = `The credential lacks the scope ${scope}.${promised ? ' The workspace file says that it has it.' : ''}`;
      return [
        check[promised ? 'problem' : 'warning'](
          says,
          `Get a token with that scope, or leave what needs it out of the manifests${promised ? ', and correct `credential.scopes`' : ''}.`,
        ),
      ];
    }
    // The scope is looked at before everything else (CNV-10), so any other answer has passed it; but who has none to
    // pass tells nothing.
    if (look === undefined || look.status === null || kind === undefined)
      return [check.unknown(`Whether the credential has the scope ${scope} is not known.`)];
    return [check.ok(`The credential has the scope ${scope}.`)];
  });
  const writes = WRITE_SCOPES.map((scope) => {
    const check = checkOf('credential', `scope ${scope}`);
    if (said === undefined)
      return check.unknown(`Whether the credential has the scope ${scope}, only a write would show.`);
    const has = said.includes(scope);
    return check[has ? 'ok' : 'warning'](
      `The token says of itself that it has ${has ? '' : 'not '}the scope ${scope}.`,
      has ? undefined : 'Plan and drift need no write scope; apply does.',
    );
  });
  return [...reads, ...writes];
}

function roles(): Finding {
  return checkOf('credential', 'roles').unknown(
    'Its roles (editing, deleting, billing) cannot be seen by reading. Only reads were sent.',
  );
}
