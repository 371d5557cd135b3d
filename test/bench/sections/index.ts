// The sections of the bench, in the order of the table. A new one is a file here and a line in this list.
import type { Section } from '../ground.ts';
import { apply } from './apply.ts';
import { cache } from './cache.ts';
import { commands } from './commands.ts';
import { fleet } from './fleet.ts';
import { ledgers } from './ledgers.ts';
import { limits } from './limits.ts';
import { mistakes } from './mistakes.ts';
import { plan } from './plan.ts';
import { programs } from './programs.ts';
import { provider } from './provider.ts';
import { rehearse } from './rehearse.ts';
import { scope } from './scope.ts';
import { size } from './size.ts';
import { start } from './start.ts';
import { terraform } from './terraform.ts';

export const SECTIONS: readonly Section[] = [
  start,
  plan,
  size,
  apply,
  ledgers,
  cache,
  scope,
  rehearse,
  mistakes,
  commands,
  fleet,
  programs,
  terraform,
  provider,
  limits,
];

/** Those that `--quick` runs where none is named, in about two minutes. */
export const QUICK_SECTIONS: readonly Section[] = [start, plan, size, apply, cache, scope, terraform];
