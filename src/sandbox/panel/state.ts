// What is remembered of panel accounts: the service's own record, and the mirror of the server manager, which lags
// behind it. Tests change it directly ("behind the engine's back").
import { EPOCH_MS } from '../core/clock.ts';
import type { Hidden } from '../core/lists.ts';
import type { Ambiguities } from '../core/ambiguities.ts';
import type { Term } from '../core/state.ts';

/** What it takes to work on panel accounts: managing what is billed, beginning and ending services, editing. */
export type PanelDuty = 'billing' | 'lifecycle' | 'edit';

type PackageKey = 'mini' | 'basic' | 'pro' | 'max';

export interface PanelPackage {
  readonly key: PackageKey;
  readonly code: string;
  readonly label: string;
  readonly diskMb: number;
  readonly mailboxes: number;
  readonly addons: number;
  readonly monthlyCents: number;
}

const CODES = ['S', 'M', 'L', 'XL'] as const;
const PACKAGES: readonly Omit<PanelPackage, 'code'>[] = [
  { key: 'mini', label: 'Mini', diskMb: 5_000, mailboxes: 5, addons: 0, monthlyCents: 300 },
  { key: 'basic', label: 'Basic', diskMb: 20_000, mailboxes: 20, addons: 2, monthlyCents: 600 },
  { key: 'pro', label: 'Pro', diskMb: 50_000, mailboxes: 100, addons: 10, monthlyCents: 1_200 },
  { key: 'max', label: 'Max', diskMb: 100_000, mailboxes: 500, addons: 50, monthlyCents: 2_400 },
];

interface Packages {
  readonly ambiguities: Ambiguities;
}

/** GAP-47: codes and keys are documented as two lists; which code belongs to which key is not. */
export function panelPackages({ ambiguities }: Packages): readonly PanelPackage[] {
  const shift = ambiguities['GAP-47'] === 'shifted' ? CODES.length - 1 : 0;
  return PACKAGES.map((one, index) => ({ ...one, code: CODES[(index + shift) % CODES.length] ?? 'S' }));
}

/** By key or by code. */
export function findPackage(world: Packages, named: unknown): PanelPackage | undefined {
  return panelPackages(world).find(
    ({ key, code }) => named === key || (typeof named === 'string' && named.toUpperCase() === code),
  );
}

export function priceOfPackage(product: PanelPackage, term: Term): number {
  return term === 'annual' ? product.monthlyCents * 10 : product.monthlyCents;
}

/** What the server manager knows, as it was last mirrored. */
export class PanelMirror {
  packageCode: string | null = 'S';
  server = 'host1.panel.sandbox.example';
  usedMb = 1_000;
  quotaMb = 5_000;
  mailboxes = 0;
  addons: string[] = [];
  aliases: string[] = [];
  primaryDomain: string | null = null;
}

export class PanelAccount {
  declare readonly username: string;
  /** Internal, and told in events only. */
  declare readonly id: string;
  /** The workspace that owns it. */
  declare accountId: string;
  /** null: the account is on a server, and the service has no record of it. */
  declare local: { packageCode: string; primaryDomain: string } | null;
  /** null: the server manager does not know it yet. */
  declare mirror: PanelMirror | null;
  mailOnly = false;
  purged = false;
  /** Behind an unpaid invoice. */
  dunningSuspended = false;
  /** By the staff. */
  adminSuspended = false;
  deletion: { requestedAt: number; purgeAt: number } | null = null;
  declare subscription: { readonly id: string; status: string; term: Term } | null;
  /** The cart of the latest change of package. */
  resizeCart: string | null = null;
  passwordsSet = 0;
  hidden: Hidden = null;
  createdAt = EPOCH_MS;
}

/**
 * `mirror`: it cannot be read at all; `details`: counts and domains cannot; `domains`: the servers cannot be asked who
 * has a domain.
 */
export const PANEL_TROUBLES = ['mirror', 'details', 'domains'] as const;
export type PanelTrouble = (typeof PANEL_TROUBLES)[number];

export interface PanelPlatform {
  /** false: there is no server manager here. */
  configured: boolean;
  /** The workspaces for which panel accounts are enabled. */
  enabledFor: string[];
  readonly accounts: Map<string, PanelAccount>;
  /** Of a copy: how much fits into a package is not known. */
  packagesUnread?: true;
  troubles: PanelTrouble[];
  /** Keys of packages that cannot be ordered, and `key/term` pairs without a price. */
  unavailable: string[];
  unpriced: string[];
}

export function emptyPanel(): PanelPlatform {
  return { configured: true, enabledFor: [], accounts: new Map(), troubles: [], unavailable: [], unpriced: [] };
}

/** Puts an account with everyday values into the store, without any of the checks of the API. */
export function addPanelAccount(
  panel: PanelPlatform,
  given: Pick<PanelAccount, 'username' | 'accountId'> & Partial<PanelAccount>,
): PanelAccount {
  const { username } = given;
  const primaryDomain = given.local?.primaryDomain ?? `${username}.example.com`;
  const packageCode = given.local?.packageCode ?? 'S';
  const account: PanelAccount = Object.assign(
    new PanelAccount(),
    {
      id: `panel-${username}`,
      local: { packageCode, primaryDomain },
      mirror: panelMirror({ packageCode, primaryDomain }),
      subscription: { id: `sub-${username}`, status: 'active', term: 'monthly' },
    },
    given,
  );
  panel.accounts.set(username, account);
  return account;
}

export function panelMirror(given: Partial<PanelMirror>): PanelMirror {
  return Object.assign(new PanelMirror(), given);
}
