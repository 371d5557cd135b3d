// What a domain of a mailspace is declared with.

export interface MailDomainSpec {
  readonly name: string;
  readonly description: string;
}
