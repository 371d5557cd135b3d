/** Whether everything is played, as `npm run test:all` does; what leaves the quick run is asked for here. */
export const isWhole = process.env.HOSTWRIGHT_LOOPS === 'all';

/** The cases that the nth of some stories is told under: all of them, or each by one of the stories in turn. */
export function inTurn<Case>(cases: readonly Case[], nth: number, stories: number): readonly Case[] {
  return isWhole ? cases : cases.filter((_, index) => index % stories === nth);
}

/** Of the readings of what a document leaves open: all, or one that is not the usual one, which is the first. */
export function unusual<Reading>(readings: readonly Reading[]): readonly Reading[] {
  return isWhole ? readings : readings.slice(-1);
}
