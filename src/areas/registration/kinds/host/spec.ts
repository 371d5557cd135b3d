// What a host is declared with.

export interface RegistrationHostSpec {
  readonly hostName: string;
  readonly addresses: readonly string[];
}
