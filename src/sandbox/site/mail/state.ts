// What the platform remembers of a site's transactional mail: its account, the verdict on its DNS, who it sends as,
// what holds it back. Tests change it directly ("behind the engine's back").

type Verdict = 'unknown' | 'verified' | 'failed';

export interface DnsFlags {
  spf: boolean;
  dkim: boolean;
  lockdown: boolean;
}

export class MailMessage {
  sender = 'noreply@shop.example.com';
  declare rcpt: string;
  subject: string | null = null;
  /** The mail provider sends both shapes. */
  delivered: boolean | string | null = true;
  rspcode: string | null = '250';
  rspmsg: string | null = 'OK';
  spamDisposition: string | null = null;
  declare sentAt: number;
  /** The platform's own traffic: counted by the provider, never shown. */
  relay = false;
}

export class MailAccount {
  status: 'pending' | 'active' | 'failed' = 'active';
  /** The container holds a delivery configuration. */
  configured = false;
  notificationsActive = false;
  /** What the next check will find published. */
  published: DnsFlags = { spf: true, dkim: true, lockdown: true };
  /** The provider gives no answer: a check predicts and decides nothing. */
  providerSilent = false;
  dns: DnsFlags & { verdict: Verdict; locallyChecked: boolean; checkedAt: number | null; failedSince: number | null } =
    {
      spf: false,
      dkim: false,
      lockdown: false,
      verdict: 'unknown',
      locallyChecked: false,
      checkedAt: null,
      failedSince: null,
    };
  /** The overrides; null: the default applies. */
  fromLocalPart: string | null = null;
  fromName: string | null = null;
  dkimDomain: string | null = null;
  suspension: { abuse: boolean; system: boolean; reason: string | null; suspendedAt: number | null } = {
    abuse: false,
    system: false,
    reason: null,
    suspendedAt: null,
  };
  /** When the customer lifted a block. */
  unblocks: number[] = [];
  /**
   * What the provider does when a block is lifted; `race`: it reactivates, and the site stays suspended here all the
   * same.
   */
  onUnblock: 'reactivates' | 'refuses' | 'race' = 'reactivates';
  providerActive = true;
  lastCheckAt: number | null = null;
  messages: MailMessage[] = [];
  logSearchDown = false;
  declare createdAt: number;
  declare updatedAt: number;
}

export function mailAccount(createdAt: number, given: Partial<MailAccount> = {}): MailAccount {
  return Object.assign(new MailAccount(), { createdAt, updatedAt: createdAt }, given);
}

/** An account whose DNS was found in order, and which delivers. */
export function verifiedAccount(createdAt: number, dkimDomain: string): MailAccount {
  return mailAccount(createdAt, {
    configured: true,
    dkimDomain,
    dns: {
      spf: true,
      dkim: true,
      lockdown: true,
      verdict: 'verified',
      locallyChecked: false,
      checkedAt: createdAt,
      failedSince: null,
    },
  });
}

export function mailMessage(given: Partial<MailMessage> & Pick<MailMessage, 'rcpt' | 'sentAt'>): MailMessage {
  return Object.assign(new MailMessage(), given);
}

export function isSuspended({ suspension }: MailAccount): boolean {
  return suspension.abuse || suspension.system;
}
