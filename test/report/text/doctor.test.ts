// How a look at the set-up reads in a terminal.
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../../src/model/doctor.ts';
import { doctorBlocks } from '../../../src/report/blocks/doctor.ts';
import { writeText } from '../../../src/report/text/write.ts';
import { doctorReport } from './doctor-samples.ts';

function renderDoctor(report: DoctorReport, { color, verbose }: { color: boolean; verbose: boolean }): string {
  return writeText(doctorBlocks(report, { verbose }), { color, width: Infinity });
}

test('says area by area what is so and what to do, then the settings, then how many findings there are', () => {
  expect(renderDoctor(doctorReport, { color: false, verbose: false })).toBe(
    [
      'Program',
      '  problem    Node.js v18.0.0; 20.18.1 or newer is needed.',
      '             Install a newer Node.js.',
      '',
      'Credential',
      '  ok         The platform takes the token.',
      '  not known  Its roles cannot be seen by reading.',
      '',
      'Ledger',
      '  warning    There is no ledger in \\u{1b}[2J.',
      '             Run `hostwright ledger init` once.',
      '',
      'setting           value     from     instead of',
      'account           acc-acme  flag     acc-env (environment), acc-file (file)',
      'HOSTWRIGHT_TOKEN  not set   default  -',
      '',
      '1 problem, 1 warning, 1 not known',
    ].join('\n'),
  );
});

test('with --verbose the reads too, and that there were none', () => {
  const text = renderDoctor(doctorReport, { color: false, verbose: true });
  expect(text).toContain('Its roles cannot be seen by reading (CNV-13).');
  expect(text).toContain('GET /api/sites  all accounts  200\nGET /api/users  the account   403 insufficient_scope\n');
  expect(renderDoctor({ findings: [], settings: [], requests: [] }, { color: false, verbose: true })).toContain(
    'No request was sent.\n\n0 problems, 0 warnings, 0 not known',
  );
});

test('colour repeats what the words say', () => {
  expect(renderDoctor(doctorReport, { color: true, verbose: false })).toContain(
    '\u001b[31mproblem  \u001b[39m  Node.js',
  );
});
