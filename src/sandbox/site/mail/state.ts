// What the platform remembers of a site's transactional mail: its account, the verdict on its DNS, who it sends as,
// what holds it back. Tests change it directly ("behind the engine's back").

type Verdict = 'unknown' | 'verified' | 'failed';

export interface DnsFlags {
  spf: boolean;
  dkim: boolean;
  lockdown: boolean;
}

export interface MailMessage {
  sender: string;
  rcpt: string;
  subject: string | null;
  /** The mail provider sends both shapes. */
  delivered: boolean | string | null;
  rspcode: string | null;
  rspmsg: string | null;
  spamDisposition: string | null;
  sentAt: number;
  /** The platform's own traffic: counted by the provider, never shown. */
  relay: boolean;
}

export interface MailAccount {
  status: 'pending' | 'active' | 'failed';
  /** The container holds a delivery configuration. */
  configured: boolean;
  notificationsActive: boolean;
  /** What the next check will find published. */
  published: DnsFlags;
  /** The provider gives no answer: a check predicts and decides nothing. */
  providerSilent: boolean;
  dns: DnsFlags & { verdict: Verdict; locallyChecked: boolean; checkedAt: number | null; failedSince: number | null };
  /** The overrides; null: the default applies. */
  fromLocalPart: string | null;
  fromName: string | null;
  dkimDomain: string | null;
  suspension: { abuse: boolean; system: boolean; reason: string | null; suspendedAt: number | null };
  /** When the customer lifted a block. */
  unblocks: number[];
  /**
   * What the provider does when a block is lifted; `race`: it reactivates, and the site stays suspended here all the
   * same.
   */
  onUnblock: 'reactivates' | 'refuses' | 'race';
  providerActive: boolean;
  lastCheckAt: number | null;
  messages: MailMessage[];
  logSearchDown: boolean;
  createdAt: number;
  updatedAt: number;
}

export function mailAccount(createdAt: number, given: Partial<MailAccount> = {}): MailAccount {
  return {
    status: 'active',
    configured: false,
    notificationsActive: false,
    published: { spf: true, dkim: true, lockdown: true },
    providerSilent: false,
    dns: {
      spf: false,
      dkim: false,
      lockdown: false,
      verdict: 'unknown',
      locallyChecked: false,
      checkedAt: null,
      failedSince: null,
    },
    fromLocalPart: null,
    fromName: null,
    dkimDomain: null,
    suspension: { abuse: false, system: false, reason: null, suspendedAt: null },
    unblocks: [],
    onUnblock: 'reactivates',
    providerActive: true,
    lastCheckAt: null,
    messages: [],
    logSearchDown: false,
    createdAt,
    updatedAt: createdAt,
    ...given,
  };
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
  return {
    sender: 'noreply@shop.example.com',
    subject: null,
    delivered: true,
    rspcode: '250',
    rspmsg: 'OK',
    spamDisposition: null,
    relay: false,
    ...given,
  };
}

export function isSuspended({ suspension }: MailAccount): boolean {
  return suspension.abuse || suspension.system;
}
