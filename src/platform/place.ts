// What a path of the platform is about: a list, an object in it, or something inside an object.

export interface Place {
  /** The list: `sites` of `/api/sites/s1/cdn`. */
  readonly list: string;
  /** The object in it, as the path names it; undefined for the list itself. */
  readonly object: string | undefined;
  /** True for what is inside the object: its settings, a list of its own. */
  readonly isInside: boolean;
}

/** What this path is about, whatever its query asks for. */
export function placeOf(path: string): Place {
  const [plain = ''] = path.split('?');
  const [, , list = '', object = '', ...inside] = plain.split('/');
  return { list, object: object === '' ? undefined : object, isInside: inside.length > 0 };
}
