// The words that the README documents for how a command ends.
import { EXIT_CODES } from '../../src/model/plan/outcome.ts';

export const OUTCOME_WORDS = Object.keys(EXIT_CODES);
