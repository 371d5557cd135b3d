// What a site's hostname is declared with.

export interface SiteDomainSpec {
  readonly hostname: string;
  readonly attach: 'dns' | 'cname';
  /** The address of the site that the hostname is taken from. */
  readonly moveFrom: string;
  readonly primary: boolean;
}
