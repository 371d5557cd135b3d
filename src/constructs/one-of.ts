/** A mapping with exactly one of these fields; those of `Beside` may stand beside it, and no other. */
export type OneOf<Fields, Choice extends keyof Fields, Beside extends keyof Fields> = {
  readonly [One in Choice]-?: Required<Pick<Fields, One>> &
    Pick<Fields, Beside> & { readonly [Other in Exclude<keyof Fields, One | Beside>]?: never };
}[Choice];
