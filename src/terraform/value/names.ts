// How Terraform spells a name of a manifest, and the other way round.

/** `phpVersion` is `php_version`, and `PanelAccount` is `panel_account`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]+/g, (letters, at: number) => `${at === 0 ? '' : '_'}${letters.toLowerCase()}`);
}

/** `php_version` is `phpVersion`. */
export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
