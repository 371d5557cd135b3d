// Another day for a program that is run a second time: whatever it makes of the date is not the same then.

/** From here on `Date` is so many milliseconds ahead. */
export function shiftClock(ms: number): void {
  if (ms === 0) return;
  const now = Date.now.bind(Date);
  const shifted = (): number => now() + ms;
  globalThis.Date = new Proxy(Date, {
    construct: (real, given: readonly unknown[]) =>
      Reflect.construct(real, given.length === 0 ? [shifted()] : given) as Date,
    apply: (real) => new real(shifted()).toString(),
    get: (real, name, self) => (name === 'now' ? shifted : (Reflect.get(real, name, self) as unknown)),
  });
}
