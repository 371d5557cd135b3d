// How a kind says what the platform tells of its live objects beside their fields: values for whoever hands them on to
// another provider, which no manifest takes by reference. Pure.
import type { Json } from '../../json.ts';
import type { Answers } from '../read.ts';
import type { RecordContext, RecordsDefinition } from './records.ts';

export interface ReportedDefinition<Spec> {
  /** Reads that nothing else needs, as those of records are. */
  readonly reads?: NonNullable<RecordsDefinition<Spec>['reads']>;
  /** By name. null: there is none. undefined: it is not reported now, and the value from before holds. */
  readonly values: Readonly<Record<string, (context: RecordContext<Spec>, answers: Answers) => Json | undefined>>;
}
