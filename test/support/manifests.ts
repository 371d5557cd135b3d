// Manifests and workspace files, as tests write them.

interface Rest {
  readonly id?: string | undefined;
  readonly lifecycle?: object | undefined;
}

/** A manifest as the text of a file; `rest` stands beside its spec, but for an id, which goes into its metadata. */
export function manifest(kind: string, name: string, spec: object, { id, ...rest }: Rest = {}): string {
  const metadata = { name, ...(id !== undefined && { id }) };
  return JSON.stringify({ apiVersion: 'hostwright/v1', kind, metadata, ...rest, spec });
}

/** A manifest of a site of the sandbox: what is called `shop` there has the id `site-shop`. */
export function siteManifest(name: string, spec: object, rest: Rest = {}): string {
  return manifest('Site', name, spec, { id: `site-${name}`, ...rest });
}

/** A workspace file of the sandbox's account; `spec` is what it says beside that, such as `manifests: [sites]`. */
export function workspaceFile(spec: string): string {
  return `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", ${spec} }\n`;
}
