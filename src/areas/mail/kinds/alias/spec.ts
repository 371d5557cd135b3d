// What an alias is declared with.

export interface MailAliasSpec {
  readonly address: string;
  readonly target: string;
}
