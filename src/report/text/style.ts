// Which colour each role has in terminal text. Whether there is colour at all is an argument: the environment is not
// asked. Colour only repeats what the words say.
import { Chalk } from 'chalk';
import type { Verb } from '../../model/plan/plan.ts';

export type Paint = (text: string) => string;

export interface Style {
  readonly strong: Paint;
  readonly faint: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly careful: Paint;
  readonly alarm: Paint;
  readonly verb: Readonly<Record<Verb, Paint>>;
}

/** The sixteen basic colours only: every terminal theme has made them readable. */
export function createStyle(color: boolean): Style {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return {
    strong: chalk.bold,
    faint: chalk.dim,
    good: chalk.green,
    bad: chalk.red,
    careful: chalk.yellow,
    alarm: chalk.bold.red,
    verb: { create: chalk.green, update: chalk.yellow, delete: chalk.red },
  };
}
