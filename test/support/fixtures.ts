// What the sandbox's raw store must hold after each example, written by hand from the manifests and the platform's
// documents.

const unchanged = {
  'site-foreign': { account: 'acc-other', domains: { 'www.example.org': 'cname' } },
};

export const fixtures = {
  'small-agency': {
    sites: {
      ...unchanged,
      'site-shop': {
        name: 'shop',
        primaryDomain: 'shop.example.com',
        domains: { 'shop.example.com': 'dns', 'shop.example.net': 'dns', 'www.shop.example.com': 'cname' },
        cdn: {
          purges: 0,
          caching: {
            smart_cache: true,
            cache_expiration: 7200,
            browser_cache_expiration: 600,
            vary_cookie: true,
            cookie_vary_parameters: ['currency', 'language'],
          },
        },
        restarts: { cms: 0 },
      },
      'site-docs': {
        name: 'docs',
        primaryDomain: 'handbook.example.com',
        domains: { 'docs.example.com': 'cname', 'handbook.example.com': 'cname' },
        cdn: { caching: { cache_expiration: -1, query_string_ordering: true } },
      },
      'site-blog': {
        name: 'blog',
        primaryDomain: 'blog.example.com',
        domains: { 'blog.example.com': 'cname', 'www.blog.example.com': 'cname' },
      },
    },
  },
  'new-primary-domain': {
    sites: {
      ...unchanged,
      'site-shop': { primaryDomain: 'winkel.example.com', domains: { 'winkel.example.com': 'cname' } },
      'site-docs': { domains: { 'docs.example.com': 'cname' } },
    },
  },
  'hardened-shop': {
    sites: {
      ...unchanged,
      'site-shop': {
        php: '8.3',
        layers: { redis: false, nginx: false, cdn: true },
        cdn: { purges: 0 },
        edgeRules: {
          '[platform] block bad bots': { ActionType: 4, Enabled: true, OrderIndex: 2 },
          'block scanners': {
            ActionType: 4,
            TriggerMatchingType: 1,
            Enabled: true,
            ExtraActions: [],
            Triggers: [
              { Type: 0, PatternMatchingType: 0, PatternMatches: ['*/.env', '*/.git/*'] },
              { Type: 4, PatternMatchingType: 2, PatternMatches: ['BE', 'NL'] },
            ],
          },
          'force ssl': {
            ActionType: 0,
            TriggerMatchingType: 0,
            Enabled: true,
            Triggers: [{ Type: 0, PatternMatchingType: 0, PatternMatches: ['*'] }],
            ExtraActions: [],
          },
          'old shop': {
            ActionType: 1,
            ActionParameter1: 'https://shop.example.com/new',
            ActionParameter2: '308',
            TriggerMatchingType: 0,
            Enabled: true,
            Triggers: [{ Type: 0, PatternMatches: ['*/classic/*', '*/old/*'] }],
          },
          // Its extra action existed before, and the manifest does not mention it.
          headers: {
            ActionType: 5,
            ActionParameter1: 'X-Frame-Options',
            ActionParameter2: 'DENY',
            TriggerMatchingType: 1,
            Enabled: true,
            Triggers: [
              { Type: 0, PatternMatchingType: 0, PatternMatches: ['*'] },
              { Type: 4, PatternMatchingType: 2, PatternMatches: ['NL'] },
            ],
            ExtraActions: [{ ActionType: 5, ActionParameter1: 'X-Content-Type-Options', ActionParameter2: 'nosniff' }],
          },
        },
      },
    },
  },
  'shielded-shop': {
    sites: {
      'site-none': {
        shield: {
          active: true,
          plan: 'advanced',
          learning: false,
          whitelabel: true,
          waf: { enabled: true, executionMode: 1, disabledRules: ['942100'], logOnlyRules: ['941160'] },
          ddos: { sensitivity: 3, executionMode: 1, challengeWindow: 1800 },
          bots: { execution_mode: 1, request_integrity_sensitivity: 2, browser_fingerprint_complex_enabled: true },
          customRules: {
            'Admin area': {
              description: '',
              configuration: {
                action_type: 1,
                variable_type: 'REQUEST_URI',
                variable_subselector: '',
                operator_type: 2,
                severity_type: 2,
                value: '/admin',
              },
            },
            'Health check': {
              description: '',
              configuration: {
                action_type: 4,
                variable_type: 'REQUEST_HEADERS',
                variable_subselector: 'user-agent',
                operator_type: 15,
                severity_type: 0,
                value: 'uptime',
              },
            },
          },
          rateLimits: {
            Login: {
              description: 'five in a minute',
              configuration: {
                actionType: 1,
                requestCount: 5,
                timeframe: 60,
                blockTime: 300,
                counterKeyType: 7,
                severityType: 1,
                transformationTypes: [8, 19],
                variableTypes: { REQUEST_URI: '' },
                operatorType: 0,
                value: '/login',
                isNegated: false,
                isRegexVariable: false,
                chainedRuleConditions: [
                  {
                    variableTypes: { REQUEST_METHOD: '' },
                    operatorType: 15,
                    value: 'POST',
                    isNegated: false,
                    isRegexVariable: false,
                  },
                ],
              },
            },
          },
          accessLists: {
            Office: { type: 1, description: '', content: '192.0.2.1\n198.51.100.0/24\n2001:db8::/32' },
            Neighbours: { type: 3, description: 'where we sell', content: 'BE\nNL' },
          },
        },
      },
      'site-premium': {
        shield: {
          // Not in the manifest, and as it was: the mode, the rules that only log, the response pages, the notices.
          active: true,
          plan: 'advanced',
          whitelabel: true,
          waf: { enabled: true, executionMode: 1, disabledRules: ['941100'], logOnlyRules: ['941160'] },
          bots: {
            execution_mode: 1,
            request_integrity_sensitivity: 1,
            ip_address_sensitivity: 3,
            browser_fingerprint_sensitivity: 3,
          },
          customRules: {
            'Admin area': {
              configuration: {
                action_type: 3,
                variable_type: 'REQUEST_URI',
                operator_type: 2,
                severity_type: 1,
                value: '/admin',
              },
            },
            Feeds: {
              configuration: { action_type: 5, variable_type: 'REQUEST_FILENAME', operator_type: 1, value: '.xml' },
            },
          },
          rateLimits: {
            Api: {
              description: 'at most 5 in 300 seconds',
              configuration: { actionType: 1, requestCount: 20, timeframe: 300, value: '/login' },
            },
          },
          accessLists: {
            Countries: { type: 3, content: 'NL\nDE' },
            Partners: { type: 1, content: '198.51.100.0/24\n203.0.113.0/24' },
          },
        },
      },
    },
  },
  'sender-identity': {
    sites: {
      ...unchanged,
      'site-shop': {
        primaryDomain: 'www.shop.example.com',
        mail: { fromLocalPart: 'orders', fromName: null, configured: true, unblocks: 0 },
        restarts: { cms: 0 },
      },
      'site-docs': { mail: { fromLocalPart: 'docs', fromName: 'Handbuch für Käufer', configured: false, unblocks: 0 } },
      'site-blog': { mail: null },
    },
  },
  // How often was purged and backed up is told by test/sessions/site/hooks.test.ts: a run that was broken off may have
  // to do either once more.
  'moving-a-domain': {
    sites: {
      ...unchanged,
      'site-shop': {
        primaryDomain: 'shop.example.com',
        domains: { 'shop.example.com': 'dns' },
        php: '8.3',
        cdn: { caching: { cache_expiration: 7200, smart_cache: true } },
        restarts: { cms: 1 },
      },
      'site-docs': {
        primaryDomain: 'docs.example.com',
        domains: { 'docs.example.com': 'cname', 'www.shop.example.com': 'cname' },
      },
      'site-blog': { domains: {}, cdn: { purges: 0 }, backups: { content: [], database: [] } },
    },
  },
  'caching-only': {
    sites: {
      ...unchanged,
      'site-shop': {
        domains: { 'shop.example.com': 'dns', 'www.shop.example.com': 'cname' },
        cdn: {
          caching: { smart_cache: false, vary_cookie: false, cookie_vary_parameters: [], cache_expiration: 3600 },
        },
      },
      'site-blog': { cdn: { caching: { stale_while_offline: true, stale_while_updating: true, vary_mobile: false } } },
    },
  },
  'an-agency-onboarding-a-client': { subAccounts: { 'jo@client-a.example in Client A': 'acc-acme' } },
  'a-new-domain': {
    registrations: {
      'acme-widgets.com': {
        account: 'acc-acme',
        status: 'OK',
        autoRenew: true,
        locked: false,
        privacyProtect: false,
        dnssec: null,
        nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
        hosts: {},
        process: null,
        refunds: 0,
        contacts: {
          owner: 'legal@acme.example',
          admin: 'legal@acme.example',
          tech: 'ops@acme.example',
          billing: 'legal@acme.example',
        },
      },
    },
  },
  'mail-for-a-company': {
    sites: unchanged,
    mailspaces: {
      'shop.example.com': {
        package: 'mail_20',
        domains: {
          'shop.example.com': null,
          'shop.example.net': 'The shop in other countries',
          'owned.example.com': null,
        },
        pendingDomains: { 'shop.example.org': null },
        mailboxes: {
          'anna@shop.example.com': {
            displayName: 'Anna',
            quotaMb: 4096,
            status: 'active',
            aliases: ['anna@shop.example.net'],
            allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
            groups: ['team@shop.example.com'],
            lists: ['news@shop.example.com'],
          },
          'ben@shop.example.com': { status: 'suspended', groups: [] },
          'cleo@shop.example.com': {
            displayName: 'Cleo de Wit',
            aliases: ['sales@shop.example.com'],
            groups: ['support@shop.example.com', 'team@shop.example.com'],
          },
          'daan@owned.example.com': {
            displayName: 'Daan',
            quotaMb: 1024,
            status: 'active',
            aliases: [],
            allowedIps: ['198.51.100.7'],
            groups: ['support@shop.example.com'],
          },
        },
        groups: {
          'everyone@shop.example.com': { members: [] },
          'support@shop.example.com': {
            description: 'Support',
            aliases: ['help@owned.example.com'],
            members: ['cleo@shop.example.com', 'daan@owned.example.com'],
          },
          'team@shop.example.com': {
            description: 'The team',
            aliases: [],
            members: ['anna@shop.example.com', 'cleo@shop.example.com'],
          },
        },
        passwordsSet: 0,
      },
    },
  },
  'a-panel-account': {
    sites: unchanged,
    panelAccounts: {
      'owned.example.com': {
        account: 'acc-acme',
        package: 'M',
        mirroredPackage: 'M',
        term: 'annual',
        addons: [],
        pendingDeletion: false,
        passwordsSet: 0,
      },
      'acmeshop.example.com': {
        account: 'acc-acme',
        package: 'L',
        mirroredPackage: 'L',
        term: 'monthly',
        addons: ['shop2.example.com'],
        pendingDeletion: false,
        passwordsSet: 0,
      },
      'acmeblog.example.com': {
        account: 'acc-acme',
        package: 'S',
        mirroredPackage: 'S',
        term: 'annual',
        pendingDeletion: true,
      },
      'acmeheld.example.com': { package: 'S', pendingDeletion: false },
      'acmegone.example.com': { package: 'S', pendingDeletion: true },
      'old.example.com': { package: null, mirroredPackage: 'legacy_2g', pendingDeletion: false },
      'othersite.example.com': { account: 'acc-other', package: 'S', mirroredPackage: 'S', pendingDeletion: false },
    },
  },
  'a-shop-moving-its-domain': {
    sites: {
      'site-shop': {
        domains: { 'shop.example.com': 'dns', 'www.shop.example.com': 'cname', 'www.moving.com': 'dns' },
        primaryDomain: 'shop.example.com',
      },
    },
    registrations: {
      'moving.com': {
        account: 'acc-acme',
        status: 'OK',
        autoRenew: true,
        locked: true,
        privacyProtect: false,
        dnssec: null,
        nameservers: ['ns1.zone.sandbox.example', 'ns2.zone.sandbox.example'],
        hosts: {},
        process: null,
        contacts: {
          owner: 'legal@example.com',
          admin: 'legal@example.com',
          tech: 'legal@example.com',
          billing: 'legal@example.com',
        },
      },
    },
  },
  'mail-for-a-new-company': {
    sites: unchanged,
    registrations: {
      'new-company.com': {
        account: 'acc-acme',
        status: 'OK',
        autoRenew: true,
        locked: false,
        contacts: { owner: 'legal@example.com', billing: 'legal@example.com' },
      },
    },
    mailspaces: {
      'new-company.com': {
        account: 'acc-acme',
        package: 'mail_20',
        mailboxes: { 'ada@new-company.com': { displayName: 'Ada', quotaMb: 1024, aliases: [] } },
        groups: {
          'office@new-company.com': {
            description: 'Office',
            members: ['ada@new-company.com'],
            aliases: ['info@new-company.com'],
          },
        },
      },
    },
  },
  'a-registrar-clean-up': {
    sites: unchanged,
    registrations: {
      'plain.com': {
        locked: true,
        privacyProtect: true,
        nameservers: ['ns1.plain.com', 'ns2.plain.com'],
        process: null,
        dnssec: [{ flags: 257, algorithm: 13, publicKey: 'mdsswUyr3DPW132mOi8V9xESWE8jTo0d' }],
        hosts: { 'ns1.plain.com': ['192.0.2.53', '2001:db8::53'], 'ns2.plain.com': ['198.51.100.53'] },
        contacts: { owner: 'ada@acme.example', tech: 'ben@acme.example' },
      },
      'signed.com': {
        dnssec: null,
        nameservers: ['ns1.sandbox-dns.example', 'ns2.sandbox-dns.example'],
        contacts: {
          owner: 'ada@acme.example',
          admin: 'ada@acme.example',
          tech: 'ben@acme.example',
          billing: 'accounts@acme.example',
        },
      },
      'locked.com': {
        locked: false,
        privacyProtect: false,
        nameservers: ['ns1.sandbox-dns.example', 'ns2.sandbox-dns.example'],
      },
      'bare.nl': {
        nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
        contacts: {
          owner: 'fay@acme.example',
          admin: 'fay@acme.example',
          tech: 'fay@acme.example',
          billing: 'fay@acme.example',
        },
      },
      // Not in the manifests, and as it was.
      'shop.example.com': {
        locked: false,
        privacyProtect: false,
        dnssec: null,
        nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
        hosts: {},
      },
    },
  },
} as const;
