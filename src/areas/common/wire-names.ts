// How a manifest's field name becomes the API's, where the two differ only in spelling.

/** `varyCountryCode` -> `vary_country_code`. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
