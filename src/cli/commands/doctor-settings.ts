// Which settings there are besides those of the workspace file, and what the command line and the environment say of
// each. The options of all commands are the list: what one takes from the environment is a setting.
import type { Command, Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { GivenSetting } from '../../workflow/doctor/settings.ts';
import { checkLedgerAccess, checkToken, problem } from '../settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the workspace file calls them. */
const NAMES: Readonly<Record<string, string>> = { 'api-url': 'baseUrl' };
/** Those whose values are shown, and what counts when nobody says anything. Of any other is told whether it is set. */
const FALLBACKS: Readonly<Record<string, string>> = {
  config: 'hostwright.yaml, here or above',
  account: 'none',
  'api-url': 'none',
  'guards-from': 'the file as it is here',
  parallelism: '16 requests, 10 actions',
  'max-rps': 'as many as the platform takes',
  timeout: '2m',
  'lock-timeout': 'not at all',
  deadline: 'none',
};
const SECRETS = [
  'HOSTWRIGHT_TOKEN',
  'HOSTWRIGHT_LEDGER_TOKEN',
  'HOSTWRIGHT_LEDGER_USERNAME',
  'HOSTWRIGHT_LEDGER_PASSWORD',
  'HOSTWRIGHT_NOTIFY_SECRET',
];
const NOT_SET = 'not set';

/** The settings as flags and environment give them. */
export function givenSettings(command: Command, env: Environment): readonly GivenSetting[] {
  const options = optionsOf(rootOf(command)).map((option): GivenSetting => {
    const name = nameOf(option);
    const key = option.attributeName();
    const flag =
      command.getOptionValueSourceWithGlobals(key) === 'cli'
        ? command.optsWithGlobals<Record<string, string>>()[key]
        : undefined;
    const environment = env[option.envVar as string] || undefined;
    const shown = Object.hasOwn(FALLBACKS, name);
    return {
      name: NAMES[name] ?? name,
      ...(flag !== undefined && { flag: shown ? flag : 'set' }),
      ...(environment !== undefined && { environment: shown ? environment : 'set' }),
      fallback: FALLBACKS[name] ?? NOT_SET,
    };
  });
  return [
    ...options,
    ...SECRETS.map((name) => ({ name, ...(env[name]?.trim() && { environment: 'set' }), fallback: NOT_SET })),
  ];
}

/** What is wrong with the values in the environment, whichever command would stumble over them. */
export function environmentProblems(command: Command, env: Environment): readonly Diagnostic[] {
  const values = optionsOf(rootOf(command)).flatMap((option) => {
    const value = env[option.envVar as string];
    const reason = value === undefined || value === '' ? undefined : objection(option, value);
    return reason === undefined
      ? []
      : [
          problem(
            'HW6515',
            'A variable of the environment cannot be read',
            `${option.envVar} is not as it should be. ${reason}`,
          ),
        ];
  });
  return [...values, ...checkToken(env), ...checkLedgerAccess(env)];
}

function objection(option: Option, value: string): string | undefined {
  try {
    option.parseArg?.(value, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.message;
    throw error;
  }
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** Every option that takes its value from the environment, once. */
function optionsOf(program: Command): readonly Option[] {
  const all = (command: Command): readonly Option[] => [...command.options, ...command.commands.flatMap(all)];
  const found = new Map(
    all(program).flatMap((option) => (option.envVar === undefined ? [] : [[option.envVar, option] as const])),
  );
  return [...found.values()];
}

function nameOf({ long }: Option): string {
  return (long ?? '').replace(/^--/, '');
}
