// The command `doctor`, its options and its help.
import type { Command } from 'commander';
import type { GlobalOptions } from '../context.ts';
import type { Execute } from '../program.ts';

const DOCTOR_HELP = `
Only reads are sent, a dozen at most, and nothing is written. What only a write would show is said to be not known. Secrets are set or not
set here: no value is shown.

Exit code: 1 when there is a problem, else 0. Warnings, and what is not known, do not count.`;

export function addDoctor(program: Command, execute: Execute): void {
  program
    .command('doctor')
    .description(
      'Say what this credential may do, what the account has, and whether settings, ledger and secrets are in order.',
    )
    .option('--verbose', 'The reads that were sent, too.')
    .addHelpText('after', DOCTOR_HELP)
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { verbose?: boolean }>();
      return execute(options, async (context) => (await import('./doctor.ts')).doctor(context, command, options));
    });
}
