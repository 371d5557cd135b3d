// What the platform remembers of a site's traffic: access and origin logs, what Shield counted, who may log in to the
// CMS.

export interface CdnLogEntry {
  at: number;
  status: number;
  cacheStatus: string;
  country: string;
  url: string;
  bytes: number;
}

interface CmsUser {
  id: number;
  login: string;
  displayName: string;
  email: string;
  roles: string;
}

export interface Traffic {
  cdnLog: CdnLogEntry[];
  originLog: string[];
  /** Per day, by series; null: Shield counted nothing, or is not there. */
  shieldCounts: Record<'ddos' | 'bots' | 'waf', Record<string, number>> | null;
  cmsUsers: CmsUser[];
  /** How many login URLs were minted. */
  logins: number;
}

export function traffic(siteHostname: string, given: Partial<Traffic> = {}): Traffic {
  return {
    cdnLog: [],
    originLog: [],
    shieldCounts: null,
    cmsUsers: [
      { id: 1, login: 'admin', displayName: 'Administrator', email: `admin@${siteHostname}`, roles: 'administrator' },
    ],
    logins: 0,
    ...given,
  };
}

export function logEntry(at: number, given: Partial<CdnLogEntry> = {}): CdnLogEntry {
  return {
    at,
    status: 200,
    cacheStatus: 'HIT',
    country: 'NL',
    url: 'https://shop.example.com/',
    bytes: 1_024,
    ...given,
  };
}
