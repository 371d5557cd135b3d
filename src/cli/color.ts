// Whether a stream gets colour: the flag, then FORCE_COLOR, then NO_COLOR, then what the stream is. As Node.js itself
// orders them.

export interface ColorQuestion {
  /** `--color` or `--no-color`; undefined without either. */
  readonly flag: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTty: boolean;
}

export function decideColor({ flag, env, isTty }: ColorQuestion): boolean {
  if (flag !== undefined) return flag;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return isTty && isCapable(env);
}

/** A person looks at it, and the terminal can move its cursor. */
export function isInteractive(isTty: boolean, env: ColorQuestion['env']): boolean {
  return isTty && isCapable(env);
}

function isCapable(env: ColorQuestion['env']): boolean {
  return env.TERM !== 'dumb' && (env.CI === undefined || env.CI === '' || env.CI === 'false');
}
