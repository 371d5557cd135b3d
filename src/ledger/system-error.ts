// How an error of the operating system is recognised: by its code, never by its text.

/** True for a system error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as { code?: string }).code ?? '');
}
