// The process of a program that declares manifests, where there is no Node.js but the executable itself: it is started
// again, as `hostwright hostwright/dist/constructs-child.mjs PROGRAM`, with the permissions of Node.js in NODE_OPTIONS.
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { fileWithin } from '../../library/executable.ts';

type Next = (specifier: string, context: object) => unknown;

/** What the types of the oldest Node.js do not know yet. */
interface WithHooks {
  readonly registerHooks: (hooks: {
    readonly resolve: (specifier: string, context: { readonly parentURL?: string }, next: Next) => unknown;
    readonly load: (url: string, context: object, next: Next) => unknown;
  }) => void;
}

/** Runs our side of that process, a module in the executable. */
export function runModuleWithin(file: string): void {
  const own = `${pathToFileURL(process.execPath).href}/`;
  const { registerHooks } = process.getBuiltinModule('node:module') as unknown as WithHooks;
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOwn = specifier.startsWith('.') && context.parentURL?.startsWith(own) === true;
      if (!isOwn && !specifier.startsWith(own)) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
    },
    load: (url, context, next) => {
      if (!url.startsWith(own)) return next(url, context);
      const source = fileWithin(decodeURIComponent(url.slice(own.length)));
      return { format: url.endsWith('.mjs') ? 'module' : 'commonjs', source, shortCircuit: true };
    },
  });
  // A program sees the environment that it would see anywhere, and the arguments as of any script.
  delete process.env.NODE_OPTIONS;
  process.argv.splice(1, 1);
  // `import()` of the executable's own script knows the modules of Node.js alone.
  const load = new vm.Script('(url) => import(url)', {
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as (url: string) => Promise<unknown>;
  void load(pathToFileURL(file).href);
}
