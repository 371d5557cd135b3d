// Decides how a manifest's field name becomes the API's, where the two differ only in spelling.
// Must not know any field: what is named otherwise says so in its kind.

/** `varyCountryCode` -> `vary_country_code`. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
