// What a test proves is seen when the defence is taken out: for rows of the table of threats (SECURITY.md), a change of
// the source that takes one of its defences away, and the test that must fail then. `npm run test:all -- --only
// defences` makes each change in a copy of the tree; `threats.test.ts` holds the list to the table.

export interface Defence {
  readonly file: string;
  /** Stands once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  readonly title: string;
  /** The test runs what was built. */
  readonly isBuilt?: true;
}

export const DEFENCES: readonly Defence[] = [
  {
    file: 'src/report/view/escape.ts',
    find: "const SHORT: Readonly<Record<string, string>> = { '\\n': '\\\\n',",
    replace: "const SHORT: Readonly<Record<string, string>> = { '\\u001b': '\\u001b', '\\n': '\\\\n',",
    test: 'test/report/text/human.test.ts',
    title: 'cannot move the cursor, recolour, reorder or flood',
  },
  {
    file: 'src/manifest/references/secrets.ts',
    find: 'if (places === undefined || places.secrets.env.includes(name)) return undefined;',
    replace: 'return undefined;',
    test: 'test/manifest/secrets.test.ts',
    title: 'has to be listed; the nearest name is told',
  },
  {
    file: 'src/manifest/references/secrets.ts',
    find: 'return /^HOSTWRIGHT_/i.test(name);',
    replace: 'return /^HOSTWRIGHT_/.test(name);',
    test: 'test/manifest/secrets.test.ts',
    title: 'is never one of our own, in whatever letter case, listed or not',
  },
  {
    file: 'src/manifest/read/load.ts',
    find: 'if (insideByName && !isInside(realRoot, real)) return { diagnostic: outwardLink(shown), named };',
    replace: '',
    test: 'test/manifest/load.test.ts',
    title: 'out of the workspace they are refused or left alone, and nothing is shown of what they lead to',
  },
  {
    file: 'src/manifest/read/load.ts',
    find: "const PRIVATE_FOLDERS: readonly string[] = ['.git', '.hostwright'];",
    replace: 'const PRIVATE_FOLDERS: readonly string[] = [];',
    test: 'test/cli/private-files.test.ts',
    title: 'is not read as %s, from the workspace file or the command line',
  },
  {
    file: 'src/model/diagnostic.ts',
    find: 'isTracked === true && frame !== undefined',
    replace: 'frame !== undefined',
    test: 'test/cli/private-files.test.ts',
    title: 'are shown to whoever has it, and to others only when Git tracks it',
  },
  {
    file: 'src/workflow/guards.ts',
    find: 'if (guardsFrom === undefined) return { guards, diagnostics: [] };',
    replace: 'if (guardsFrom !== null) return { guards, diagnostics: [] };',
    test: 'test/sessions/faults/guards.test.ts',
    title: 'count, whatever the branch gave itself; the refusal says what would allow it',
  },
  {
    file: 'src/planner/admission/guards.ts',
    find: ".filter((action) => action.protected && action.risk.some((risk) => risk === 'delete' || risk === 'charge'))",
    replace: '.filter(() => false)',
    test: 'test/sessions/faults/bad-answers.test.ts',
    title: 'refuse deletes that were not allowed, and whatever is protected (exit 5)',
  },
  {
    file: 'src/events/receiver.ts',
    find: 'if (!isAuthorized(request.headers.authorization))',
    replace: 'if (request.headers.authorization === undefined)',
    test: 'test/events/receiver.test.ts',
    title: 'a message %s',
  },
  {
    file: 'src/events/receiver.ts',
    find: '(error as Error).message}`, RETRY, NOT_TAKEN);',
    replace: '(error as Error).message}`, RETRY);',
    test: 'test/cli/redaction.test.ts',
    title: 'tells a caller that a message was not taken, and its log why, without the trigger token',
    isBuilt: true,
  },
  {
    file: 'src/forge/approved.ts',
    find: 'if (!(Date.parse(at) <= Date.parse(mergedAt)))',
    replace: 'if (at === mergedAt)',
    test: 'test/forge/forge.test.ts',
    title: 'is nothing when the plan is newer than the merge, or the commit is of no pull request',
  },
  {
    file: 'src/forge/approved.ts',
    find: 'if (byOther !== undefined)\n    return none(',
    replace: "if (byOther === '')\n    return none(",
    test: 'test/forge/forge.test.ts',
    title: 'is nothing with %s',
  },
  {
    file: 'src/platform/redact.ts',
    find: 'ordered.reduce((masked, spelling) => masked.replaceAll(spelling, MASK), value);',
    replace: 'value;',
    test: 'test/cli/redaction.test.ts',
    title: 'is without the credential of %s',
    isBuilt: true,
  },
  {
    file: 'src/platform/redact.ts',
    find: 'const base64 = Buffer.from(',
    replace: 'if (secret !== "") return [];\n  const base64 = Buffer.from(',
    test: 'test/apply/secrets.test.ts',
    title: 'is in anything that comes out, whatever the platform sends back',
  },
  {
    file: 'src/platform/exchange.ts',
    find: 'if (objection !== null) throw refusedPath(call, objection, redactor);',
    replace: 'if (objection === "") throw refusedPath(call, objection, redactor);',
    test: 'test/platform/behaviour.test.ts',
    title: 'refuses paths that could mean another place',
  },
  {
    file: 'src/cli/complete.ts',
    find: 'if (!(await mayBeAsked(context, session))) return [];',
    replace: 'await mayBeAsked(context, session);',
    test: 'test/cli/completion.test.ts',
    title: 'sends no token to the address of a workspace that was cloned, until the user confirms it at a terminal',
    isBuilt: true,
  },
  {
    file: 'src/cli/run.ts',
    find: 'const redact = redactorFor(env);',
    replace: 'const redact = (text: string): string => text;\n  redactorFor(env);',
    test: 'test/cli/parts.test.ts',
    title: 'is one line without the token',
  },
  {
    file: 'src/report/view/personal.ts',
    find: 'expect: hideData(action.expect as unknown as Json, hidden)',
    replace: 'expect: (action.expect as unknown as Json)',
    test: 'test/ci/personal-artifacts.test.ts',
    title: 'have plans, outcomes and digests in them, and nobody',
    isBuilt: true,
  },
  {
    file: 'src/cli/start/cache-folder.ts',
    find: '(stats.uid === uid && (stats.mode & OTHERS_WRITE) === 0);',
    replace: '(stats.uid === uid && stats.mode >= OTHERS_WRITE - OTHERS_WRITE);',
    test: 'test/cli/start/cache-folder.test.ts',
    title: 'is not believed where others could have written it',
  },
  {
    file: 'src/cli/settings.ts',
    find: '`${escapeText(program, 300)}: ${escapeText(line)}`',
    replace: '`${escapeText(program, 0).slice(0, 0)}${escapeText(line)}`',
    test: 'test/cli/redaction.test.ts',
    title: 'is named at each line that it prints, commands no job, and shows no credential',
    isBuilt: true,
  },
  {
    file: 'src/manifest/program/documents.ts',
    find: 'if (access.refused !== undefined)',
    replace: "if (access.version === '')",
    test: 'test/constructs/program.test.ts',
    title: 'is refused beside a token in CI',
  },
  {
    file: 'src/manifest/program/run-program.ts',
    find: "if (link !== undefined) return Promise.resolve({ end: 'link', link });",
    replace: '',
    test: 'test/constructs/program.test.ts',
    title: 'reads nothing through a link that leads out',
  },
  {
    file: 'src/platform/sql/database.ts',
    find: "if (['ssl', 'sslmode', 'sslnegotiation'].some((name) => searchParams.has(name))) return false;",
    replace: 'if (searchParams !== undefined) return false;',
    test: 'test/platform/database-address.test.ts',
    title: 'on another machine it is reached over TLS, whatever its name begins with',
  },
  {
    file: 'src/report/html/page.ts',
    find: "const policy = `default-src 'none';",
    replace: 'const policy = `default-src *;',
    test: 'test/report/html/html.test.ts',
    title: 'takes nothing from elsewhere, and its policy lets nothing but its own script and style run',
  },
  {
    file: 'src/planner/digest.ts',
    find: 'return planIdentity(rest) === planId ? []',
    replace: 'return planIdentity(rest) !== "" || planId === "" ? []',
    test: 'test/sessions/faults/reviewed.test.ts',
    title: 'is refused by the command with exit 1 and a word that fits, and nothing is sent',
  },
  {
    file: 'action.yml',
    find: 'if [ "$FORK" = true ] && [ "$MODE" != validate ]; then',
    replace: 'if [ "$FORK" = never ] && [ "$MODE" != validate ]; then',
    test: 'test/ci/action.test.ts',
    title: 'from a fork is validated, not planned, and nothing is written',
  },
  {
    file: 'src/report/view/escape.ts',
    find: 'const shown = json.replace(invisible(),',
    replace: 'const shown = json.replace(/\\u0000/gu,',
    test: 'test/report/json/json.test.ts',
    title: 'spells hostile characters as JSON escapes',
  },
  {
    file: 'src/platform/exchange.ts',
    find: 'maxBytes: maxBodyBytes,',
    replace: 'maxBytes: maxBodyBytes * 1000,',
    test: 'test/platform/behaviour.test.ts',
    title: 'refuses a body that is too large',
  },
  {
    file: 'src/apply/ledger/lock.ts',
    find: '!(await isRunning(heldBy)) &&\n',
    replace: '',
    test: 'test/apply/lock.test.ts',
    title: 'respects a living owner, says who it is, and takes over from a dead one',
  },
  {
    file: 'src/apply/ledger/file-store.ts',
    find: "open(temporary, 'w', 0o600)",
    replace: "open(temporary, 'w', 0o666)",
    test: 'test/sessions/faults/hostile.test.ts',
    title:
      'stay with their owner: ledger and plan are 0600 whatever the umask, also where a wider file was there before',
    isBuilt: true,
  },
  {
    file: 'src/report/view/personal.ts',
    find: "return { ...change, ...hideSides(change, ['was', 'value']) };",
    replace: 'return change;',
    test: 'test/report/view/personal.test.ts',
    title: 'promise 9: hides what changes mark, wherever in the action it stands, and leaves the rest',
  },
  {
    file: 'src/report/view/notification.ts',
    find: 'whole === undefined ? undefined : withoutPersonal(whole);',
    replace: 'whole === undefined ? undefined : { ...withoutPersonal(whole), drift: whole.drift ?? [] };',
    test: 'test/report/drift.test.ts',
    title: 'has nobody in it: no value about a person, and not who the platform says it was',
  },
  {
    file: 'src/cli/terraform/provider.ts',
    find: '?.raw.equals(raw) !== true) session.destroy();',
    replace: '?.raw.equals(raw) === null) session.destroy();',
    test: 'test/terraform/start.test.ts',
    title: 'answers only whoever has the key of the certificate that Terraform named',
    isBuilt: true,
  },
  {
    file: 'src/worker/queue.ts',
    find: "policy: 'singleton',",
    replace: "policy: 'standard',",
    test: 'test/worker/queue.test.ts',
    title: 'tries a run again that could not be made, with what was joined to it, and never two runs of an account',
  },
  {
    file: 'src/sandbox/core/page.ts',
    find: '${event.does}',
    replace: '${raw(event.does)}',
    test: 'test/sandbox/outside.test.ts',
    title: 'has the same lines, escaped, and nothing from elsewhere',
  },
  {
    file: 'src/workflow/apply/review.ts',
    find: 'if (actionDigest(asOfNow(before, action, own, effects)) !== action.digest)',
    replace: 'if (before.address !== action.address)',
    test: 'test/sessions/faults/saved-plan.test.ts',
    title: 'does not delete what its label calls an update',
  },
  {
    file: 'src/workflow/apply/approval.ts',
    find: '.filter(({ digest }) => !reviewed.has(digest))',
    replace: '.filter(() => reviewed.size < 0)',
    test: 'test/sessions/faults/reviewed.test.ts',
    title: 'both merged before either ran: one approval is not enough, and nothing runs; both together are',
  },
  {
    file: 'src/apply/ledger/stored-ledger.ts',
    find: "header: { account, standing: 'partial', after: 0 },",
    replace: "header: { account, standing: 'complete', after: 0 },",
    test: 'test/apply/ledger.test.ts',
    title: 'that is missing is not an empty one',
  },
];

/** Proofs of rows of which no single defence can be taken out, and why. */
export const WITHOUT: Readonly<Record<string, string>> = {
  'test/properties/manifests.test.ts': 'random documents against all limits at once: each stands in for the others',
  'test/sessions/faults/read-plan.test.ts': 'what plans has no code that writes: there is nothing to take out',
  'test/properties/answers.test.ts': 'random answers: every reader of an answer is the defence',
  'test/properties/converge.test.ts': 'random accidents: the journal, the look-ups and the waits together',
};
