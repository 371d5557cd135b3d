// What both ways of loading TypeScript share.

/** What is left of TypeScript files by their URLs, every line and column where it was. */
export type Stripped = Readonly<Record<string, string>>;

/** Our own library, beside this file. */
export const LIBRARY = 'constructs.js';

/** Whatever is installed, a program gets the classes of the version that runs it. */
export function isOurs(specifier: string): boolean {
  return specifier === 'hostwright/constructs';
}

/** True for a file of the user's own that has types in it. */
export function isTypeScript(url: string): boolean {
  return url.startsWith('file:') && /\.m?ts$/.test(url) && !url.includes('/node_modules/');
}

export function moduleFor(source: string): {
  readonly format: 'module';
  readonly source: string;
  readonly shortCircuit: true;
} {
  return { format: 'module', source, shortCircuit: true };
}

/**
 * The stripped text. Where it cannot be stripped, a module that throws why: an error keeps its place on no other way out
 * of the thread of the loader.
 */
export function strippedOrThrowing(url: string, strip: () => string): string {
  try {
    return strip();
  } catch (error) {
    const { message, startLine, startColumn, stack } = error as {
      readonly message?: string;
      readonly startLine?: number;
      readonly startColumn?: number;
      readonly stack?: string;
    };
    // Node.js itself says the line in front of the stack, and no column.
    const line = startLine ?? Number(/^[^\n]*:(\d+)\n/.exec(stack ?? '')?.[1] ?? 1);
    const place = { file: url, line, column: (startColumn ?? 0) + 1 };
    return `throw Object.assign(new SyntaxError(${JSON.stringify(message ?? 'the types cannot be stripped')}), { place: ${JSON.stringify(place)} });`;
  }
}
