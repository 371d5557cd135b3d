// Holds the tree to the table in ARCHITECTURE.md: who imports whom, where files, network, environment and console may
// be touched.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataKinds, registry } from '../src/areas/index.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');

// Folder -> folders of src that it may import.
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  system: ['model'],
  areas: ['model'],
  planner: ['model', 'areas'],
  manifest: ['model', 'areas', 'system'],
  platform: ['model', 'areas'],
  observe: ['model', 'platform'],
  ledger: ['model', 'platform', 'system'],
  apply: ['model', 'areas', 'platform', 'ledger'],
  report: ['model', 'areas'],
  events: ['model', 'system'],
  forge: ['model', 'platform', 'report', 'events'],
  sandbox: [],
  constructs: [],
  usecases: ['model', 'areas', 'planner', 'manifest', 'platform', 'observe', 'ledger', 'apply', 'system'],
  testing: ['model', 'areas', 'constructs', 'manifest', 'ledger', 'apply', 'report', 'platform', 'sandbox', 'usecases'],
  terraform: ['model', 'usecases'],
  worker: ['model', 'platform', 'usecases', 'report', 'events'],
  library: ['model', 'usecases', 'report', 'sandbox'],
  mcp: ['model', 'areas', 'usecases', 'report', 'library'],
  cli: ['model', 'system', 'usecases', 'report', 'events', 'forge', 'sandbox', 'terraform', 'worker', 'library', 'mcp'],
};
const PURE = ['model', 'areas', 'planner', 'report'];
/** A view and a command read as they go: what they read next depends on what they have read. They send nothing else. */
const READS = /^areas\/(\w+\/(views|prices|traffic|record-checks|([a-z]+-)?operations)|common\/view)\.ts$/;
// Prefixes of files that may touch the file system.
const MAY_TOUCH_FILES = [
  'manifest/read/load',
  'manifest/write/new-files',
  'manifest/write/made-files',
  'manifest/write/secret-file',
  'manifest/edit/write-edited',
  'manifest/credentials/',
  'manifest/program/readable',
  'manifest/program/run-program',
  'system/',
  'manifest/workspace',
  'ledger/',
  'constructs/child/',
  'library/package-files',
  'cli/',
];

/** Folders that use each other: a program is read as manifests are, and what was read is looked at for references. */
const USE_EACH_OTHER = [
  'manifest/credentials',
  'manifest/program',
  'manifest/read',
  'manifest/references',
  // The record of an action that begins is made from an action, and the view of a ledger has such records.
  'model/ledger',
  'model/plan',
  'usecases/observed',
  'usecases/write',
];

const KINDS = [...registry.keys(), ...dataKinds.keys()];
/** Files that know a kind by its name, and why. No file joins them without a reason. */
const KNOWS_KINDS: Readonly<Record<string, string>> = {
  'cli/commands/init/program.ts': 'the program that init writes for a person declares a site',
  'cli/habits.ts': 'a sentence for people begins with it',
  'events/messages.ts': 'what a message of the platform is about',
  'events/runs.ts': 'what a message of the platform is about',
  'manifest/read/sensitive-values.ts': 'every value of a contact is personal; plain data has no table of fields',
  'terraform/data.ts': 'the kind behind each data source',
  'terraform/resource/declare.ts': 'the hostnames of a site are claimed by one resource',
  'terraform/resource/plan.ts': 'the hostnames of a site are claimed by one resource',
  'usecases/import.ts': 'an example for people',
};

/** What outlives a call in one process, and why it may. */
const KEEPS: Readonly<Record<string, string>> = {
  'areas/endpoints.ts': 'the endpoints by the length of their paths, filled once',
  'areas/common/countries-and-asns.ts': 'names of countries, as Node.js has them',
  'ledger/git-command.ts': 'the version of Git by search path: a program does not change while the process runs',
  'ledger/lock.ts': 'when this process was started, and in which space of ids',
  'manifest/program/run-program.ts': 'a signal that would open a debugger to a program',
  'model/json.ts': 'pointers taken apart, the same for everybody, and so many at most',
  'system/sandbox.ts': 'what the probe observed in the sandbox of the operating system, once a process',
  'terraform/value/cty.ts': 'memory that is written anew by each use',
};

/** Members that a kind may leave out, in all that it is made of. What one kind alone needs is a part of its steps. */
const MOST_OPTIONAL_MEMBERS = 48;
const CONTRACT: Readonly<Record<string, RegExp>> = {
  kind: /Definition/,
  write: /(Write|Create|Update|Remove)Definition|WithNotice/,
  field: /./,
  read: /ReadSpec/,
  'order-rule': /OrderRule/,
  'capabilities/index': /Capabilities/,
};

/** The kinds that code names: by a text that is the name or an address, by a key, or by a pattern that fits only some. */
function kindsIn(code: string): readonly string[] {
  const named = KINDS.filter((kind) =>
    new RegExp(`(?<!\\\\)(['"\`])${kind}(?:\\1|/)|^\\s+${kind}:|[!=]== ${kind}\\b`, 'm').test(code),
  );
  const patterns = [
    ...code.matchAll(/(?<=(?:[=(,:[!&|?]|return)\s*)\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[a-z]*/g),
  ].flatMap(([, pattern = '']) => {
    if (!/[A-Z][a-z]{3,}/.test(pattern)) return [];
    const fits = KINDS.filter((kind) => new RegExp(pattern).test(kind));
    return fits.length < KINDS.length ? fits : [];
  });
  return [...new Set([...named, ...patterns])];
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

const everyFile = filesUnder(source)
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const name = relative(source, path);
    const text = readFileSync(path, 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
    return {
      name,
      folder: name.split('/')[0] as string,
      text,
      imports,
      code: text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, ''),
    };
  });
/** Those that are written by hand. */
const files = everyFile.filter(({ name }) => !name.includes('/generated/'));

function offenders(test: (file: (typeof files)[number]) => boolean): readonly string[] {
  return files.filter(test).map(({ name }) => name);
}

describe('the tree', () => {
  it('is the table of ARCHITECTURE.md', () => {
    const rows = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `(\w+)` \| .* \| ([^|]+) \|$/gm);
    const table = [...rows].map(([, folder, names]) => [folder, names === 'nothing' ? [] : names?.split(', ').sort()]);
    expect(Object.fromEntries(table)).toEqual(
      Object.fromEntries(Object.entries(MAY_IMPORT).map(([folder, names]) => [folder, [...names].sort()])),
    );
  });

  it('has only the folders of the table', () => {
    expect([...new Set(files.map(({ folder }) => folder))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it.each(Object.keys(MAY_IMPORT))('%s imports only what the table allows', (folder) => {
    const wrong = files
      .filter((file) => file.folder === folder)
      .flatMap(({ name, imports }) =>
        imports
          .filter((target) => target.startsWith('.'))
          .map((target) => relative(source, join(source, name, '..', target)).split('/')[0] as string)
          .filter((target) => target !== '..' && target !== folder && !MAY_IMPORT[folder]?.includes(target))
          .map((target) => `${name} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('names its kinds in one list only', () => {
    expect(
      offenders(
        ({ name, imports }) =>
          !name.startsWith('areas/') &&
          imports.some((target) => /\/areas\/(?!index\.|endpoints\.|words\.|views\.|operations\.)/.test(target)),
      ),
    ).toEqual([]);
  });

  it('knows no kind by name outside the areas: not in a text, a pattern, a key or a case', () => {
    const known = files
      .filter(({ folder }) => folder !== 'areas')
      .flatMap(({ name, code }) => {
        const found = kindsIn(code);
        return found.length === 0 ? [] : [[name, found] as const];
      });
    expect(Object.fromEntries(known.filter(([name]) => !Object.hasOwn(KNOWS_KINDS, name)))).toEqual({});
    // Who knows none any more leaves the list.
    expect(Object.keys(KNOWS_KINDS).filter((name) => known.every(([one]) => one !== name))).toEqual([]);
  });

  it('asks no more of a kind than people can keep in mind', () => {
    const optional = Object.entries(CONTRACT).flatMap(([file, parts]) => {
      const { text } = files.find(({ name }) => name === `model/kind/${file}.ts`) as (typeof files)[number];
      return [...text.matchAll(/^(?:export )?interface (\w+)[^{]*\{\n(.*?)^\}/gms)]
        .filter(([, name = '']) => parts.test(name))
        .flatMap(([, name, body = '']) =>
          [...body.matchAll(/^ +readonly (\w+)\?:/gm)].map(([, one]) => `${name}.${one}`),
        );
    });
    expect(optional.length, optional.join(' ')).toBe(MOST_OPTIONAL_MEMBERS);
  });

  it('plans, applies and looks for drift by the same functions, whoever asks, with a session that is made in one place', () => {
    const importing = (name: string): readonly string[] =>
      [
        ...new Set(
          files
            .filter(({ text }) =>
              new RegExp(`import [^;]*\\b${name}\\b[^;]*;|\\b${name}\\b[^;]*await import\\(`).test(text),
            )
            .map(({ folder }) => folder),
        ),
      ].sort();
    expect(importing('applyWorkspace')).toEqual(['cli', 'library', 'mcp', 'testing', 'usecases', 'worker']);
    expect(importing('driftWorkspace')).toEqual(['cli', 'library', 'usecases', 'worker']);
    expect(importing('planRehearsed')).toEqual(['cli', 'library', 'usecases']);
    expect(importing('openSession')).toEqual(['cli', 'library', 'mcp']);
    for (const below of ['planLive', 'applyDeclared', 'makePlan', 'runPlan'])
      expect(importing(below)).toEqual(['usecases']);
    expect(importing('planRoot')).toEqual(['terraform']);
  });

  it('imports undici in platform only', () => {
    expect(offenders(({ folder, imports }) => folder !== 'platform' && imports.includes('undici'))).toEqual([]);
  });

  it('talks to GitHub in forge only, and of platform has no more there than what an address may be and the way through a proxy', () => {
    expect(
      offenders(
        ({ folder, imports }) => folder !== 'forge' && imports.some((target) => target.startsWith('@octokit/')),
      ),
    ).toEqual([]);
    expect(
      offenders(
        ({ folder, imports }) =>
          folder === 'forge' &&
          imports.some(
            (target) =>
              target.startsWith('../platform/') &&
              !['../platform/request-url.ts', '../platform/proxies.ts', '../platform/undici-transport.ts'].includes(
                target,
              ),
          ),
      ),
    ).toEqual([]);
  });

  it('asks the DNS in platform only', () => {
    expect(
      offenders(
        ({ name, imports }) => name !== 'platform/dns-lookup.ts' && imports.some((target) => /^node:dns/.test(target)),
      ),
    ).toEqual([]);
  });

  it('touches files only where the table says', () => {
    const touches = offenders(({ imports }) => imports.some((target) => /^node:fs/.test(target)));
    expect(touches.filter((name) => !MAY_TOUCH_FILES.some((prefix) => name.startsWith(prefix)))).toEqual([]);
  });

  it('starts programs in one module only', () => {
    // However it is written: imported, loaded later, or taken from the process.
    expect(offenders(({ code }) => /\bchild_process\b|\bcluster\b['"]/.test(code))).toEqual([
      'system/start-program.ts',
    ]);
    expect(offenders(({ imports }) => imports.some((target) => target === 'node:worker_threads'))).toEqual([
      // Messages from the thread that loads a program; it starts none.
      'constructs/child/hooks.ts',
      'constructs/child/install-hooks.ts',
    ]);
  });

  it('reads environment, output and exit code in cli only', () => {
    expect(
      offenders(
        ({ folder, name, code }) =>
          folder !== 'cli' &&
          !/^constructs\/child\//.test(name) &&
          /\bprocess\.(env|argv|exit|exitCode|stdout|stderr|stdin)\b/.test(code),
      ),
    ).toEqual([]);
  });

  it('has no console', () => {
    expect(offenders(({ code }) => /\bconsole\./.test(code))).toEqual([]);
  });

  it('has no clock, timer or randomness of its own outside cli and the sandbox, but for the one real clock', () => {
    const own = /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|performance\.now\()/;
    expect(offenders(({ folder, code }) => !['cli', 'sandbox'].includes(folder) && own.test(code))).toEqual([
      'library/real-clock.ts',
    ]);
  });

  it('keeps nothing from one call to the next, and changes nothing of the process that programs share with it', () => {
    const shared = /^(?:export )?(?:let|var) |^(?:export )?const \w+ = new (?:Map|Set)(?:<[^\n]*>)?\(\);/m;
    const process = /\bprocess\.(on|once|addListener|chdir|umask|setuid|title|abort)\b|\bglobalThis\.\w+ =/;
    const kept = offenders(
      ({ folder, name, code }) =>
        !['cli', 'sandbox'].includes(folder) &&
        !name.startsWith('constructs/child/') &&
        (shared.test(code) || process.test(code)),
    );
    expect(kept).toEqual(Object.keys(KEEPS).sort());
  });

  it('is synchronous where it is pure', () => {
    expect(
      offenders(
        ({ folder, name, code }) => PURE.includes(folder) && !READS.test(name) && /\basync\b|\bawait\s/.test(code),
      ),
    ).toEqual([]);
  });

  it('has no circle of imports, types and generated files included', () => {
    expect(
      circles(new Map(everyFile.map(({ name, imports }) => [name, imports.flatMap((path) => targetOf(name, path))]))),
    ).toEqual([]);
  });

  it('has folders that use others in one direction, but for a folder and its own', () => {
    const uses = new Map<string, string[]>();
    for (const { name, imports } of files) {
      const from = folderOf(name);
      const to = imports.flatMap((path) => targetOf(name, path)).map(folderOf);
      const others = to.filter(
        (folder) => !`${folder}/`.startsWith(`${from}/`) && !`${from}/`.startsWith(`${folder}/`),
      );
      uses.set(from, [...(uses.get(from) ?? []), ...others]);
    }
    expect([...circles(uses)].sort()).toEqual(USE_EACH_OTHER);
  });

  it('has no folder with more than 20 files side by side', () => {
    const counts = new Map<string, number>();
    for (const { name } of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  it('uses kebab-case file names, no default exports, no enums', () => {
    expect(offenders(({ name }) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name))).toEqual([]);
    expect(offenders(({ code }) => /^\s*export default|^\s*(export )?(const )?enum /m.test(code))).toEqual([]);
  });

  it('keeps no schema in Git that is made from another file', () => {
    const made = readdirSync(join(root, 'schemas/output')).map(
      (name) => `/schemas/${name.replace(/yaml$/, 'schema.json')}`,
    );
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
    expect(made.filter((line) => !ignored.includes(line))).toEqual([]);
  });

  it('leaves nothing unfinished and names no path of a machine', () => {
    expect(offenders(({ text }) => /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-nocheck/.test(text))).toEqual([]);
    expect(
      offenders(({ text }) => /(^|[^a-zA-Z])\/work\/|\/root\/|\.\.\/shared\/(api|design|research)/.test(text)),
    ).toEqual([]);
  });
});

// Tests that look at the time, or pause, and why they may.
const CLOCKS_OF_TESTS: Readonly<Record<string, string>> = {
  'apply/ledger.test.ts': 'a store that is slow',
  'apply/lock.test.ts': 'two processes that wait for one lock',
  'cli/credentials.test.ts': 'a command that does not end',
  'cli/forges.test.ts': 'a clock that is put forward',
  'cli/redaction.test.ts': 'asks until another process listens',
  'cli/who.test.ts': 'a forge that says when a job ended',
  'constructs/fence.test.ts': 'a program that waits',
  'constructs/places.test.ts': 'a program that waits',
  'constructs/program.test.ts': 'a program that waits',
  'events/flood.test.ts': 'prints what was measured',
  'events/http-server.test.ts': 'clients that pause are what it is about',
  'manifest/judged.test.ts': 'the CPU of one list as a multiple of that of a shorter one',
  'platform/proxies.test.ts': 'a certificate that begins now',
  'simulation/simulate.ts': 'prints its CPU seconds',
  'support/servers/postgres.ts': 'asks until another process listens',
  'terraform/start.test.ts': 'a certificate that begins now',
  'worker/events.test.ts': 'asks until another process has run',
  'worker/kill.test.ts': 'kills workers for so many minutes, and prints what was measured',
};

describe('tests', () => {
  it('hold no time of the machine against a limit, and hope for nothing to be over after a pause', () => {
    const clocks = /\b(Date\.now\(|setTimeout\(|sleep\(|performance\.now\(|process\.cpuUsage)/;
    const found = filesUnder(import.meta.dirname)
      .filter((path) => path.endsWith('.ts') && path !== import.meta.filename)
      .filter((path) => clocks.test(readFileSync(path, 'utf8').replaceAll(/[cC]lock\.sleep\(/g, '')))
      .map((path) => relative(import.meta.dirname, path))
      .filter((name) => !name.startsWith('bench/'));
    expect(found.sort()).toEqual(Object.keys(CLOCKS_OF_TESTS));
  });

  it('give themselves no time: that of vitest.config.ts is against tests that hang, and no measure of anything', () => {
    const given = /^\s+\d[\d_]*_000( [+*] .*)?,\n\s*\);|^\s*\}, \d[\d_]*_000\);|\btimeout: \d/m;
    const found = filesUnder(import.meta.dirname).filter(
      (path) => path.endsWith('.test.ts') && path !== import.meta.filename && given.test(readFileSync(path, 'utf8')),
    );
    expect(found.map((path) => relative(import.meta.dirname, path))).toEqual([]);
  });
});

function targetOf(name: string, path: string): readonly string[] {
  return path.startsWith('.') ? [join(dirname(name), path)] : [];
}

function folderOf(name: string): string {
  return dirname(name).split('/').slice(0, 2).join('/');
}

/** What is on a circle: whatever leads back to itself. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (imports.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...imports.keys()].filter((name) => reaches(name, name));
}
