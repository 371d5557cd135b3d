// What SIGINT and SIGTERM do: the first asks for a graceful end, the second ends at once.

export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

export function watchSignals(
  source: SignalSource,
  act: { readonly first: () => void; readonly second: () => void },
): void {
  let asked = false;
  const listener = (): void => {
    if (asked) {
      act.second();
      return;
    }
    asked = true;
    act.first();
  };
  source.on('SIGINT', listener);
  source.on('SIGTERM', listener);
}
