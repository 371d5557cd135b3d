// Help topics that are not commands: `hostwright help exit-codes` and `hostwright help environment`.

/** The text of each topic by its name. */
export const HELP_TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes, highest precedence first. Each is also the \`outcome\` in JSON.
  130 interrupted      a signal stopped the command
    4 conflict         the plan or the account changed after the review; nothing ran
    5 refused          a guard refused: protected object, too many deletes, no ledger
    1 error            invalid manifest or command line, refused credential, API error
    6 partly-applied   some actions failed, the others are done
    3 waiting          for a person, the platform or the deadline; run the command again to continue
    2 differences      \`drift\`, \`plan --detailed-exitcode\`, \`fmt --check\`
    0 done             done, or nothing to do
`,
  environment: `Environment variables. Options override them; they override the workspace file.
  HOSTWRIGHT_TOKEN                              the token, unless the workspace names an entry
  HOSTWRIGHT_CREDENTIALS                        the credentials file
  HOSTWRIGHT_TRUSTED_ROOT                       folders that are trusted, whatever their owner
  HOSTWRIGHT_ACCOUNT, _API_URL, _CONFIG         same as --account, --api-url, --config
  HOSTWRIGHT_PARALLELISM, _MAX_RPS, _TIMEOUT    concurrent requests, requests per second, timeout
  HOSTWRIGHT_DEADLINE, _LOCK_TIMEOUT            longest run, longest wait for the lock of the ledger
  HOSTWRIGHT_GUARDS_FROM                        same as --guards-from
  HOSTWRIGHT_DATABASE_URL                       the database of a ledger or a worker
  HOSTWRIGHT_NOTIFY, _NOTIFY_SECRET             the receiver of drift, the key of its messages
  HOSTWRIGHT_NOTIFY_...                         variables that \`notify\` of the workspace file names
  HOSTWRIGHT_HOOK_AUTHORIZATION                 the header that callbacks must have
  HOSTWRIGHT_CACHE=off                          same as --no-cache
  HOSTWRIGHT_DEBUG                              stack traces of internal errors
  FORCE_COLOR, NO_COLOR, CI, HTTPS_PROXY        as in other programs
`,
};
