/** With a capital. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** With a capital and a full stop. */
export function sentenceOf(text: string): string {
  return text === '' || /[.:!?…]$/.test(text) ? capital(text) : `${capital(text)}.`;
}
