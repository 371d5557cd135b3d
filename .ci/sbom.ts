// The bill of materials of dist: every package of which anything is bundled, as CycloneDX 1.6 has it.
import type { Bundled } from './notices.ts';

export const SBOM_FILE = 'sbom.cdx.json';

interface Product {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

export interface Component {
  readonly 'bom-ref': string;
  readonly purl: string;
  readonly [field: string]: unknown;
}

export interface Sbom {
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown };
  readonly components: readonly Component[];
  readonly [field: string]: unknown;
}

/** The text of the file, for these packages in this order. */
export function sbomOf(product: Product, bundled: readonly Bundled[]): string {
  const main = componentOf(product);
  const document: Sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...main, type: 'application', description: product.description },
    },
    components: [],
    dependencies: [],
    // What is in the bundle is all there is: nothing is fetched when the package is installed.
    compositions: [{ aggregate: 'complete', assemblies: [main['bom-ref']] }],
  };
  return withComponents(document, bundled.map(componentOf));
}

/** The same with more in it. */
export function withComponents(document: Sbom, added: readonly Component[]): string {
  const components = [...document.components, ...added];
  const main = document.metadata.component['bom-ref'];
  const dependencies = [
    { ref: main, dependsOn: components.map((component) => component['bom-ref']) },
    ...components.map((component) => ({ ref: component['bom-ref'] })),
  ];
  return `${JSON.stringify({ ...document, components, dependencies }, null, 2)}\n`;
}

export function componentOf({ name, version, license }: Pick<Bundled, 'name' | 'version' | 'license'>): Component {
  const purl = purlOf(name, version);
  const [group, own] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: own,
    version,
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
    purl,
  };
}

/** One id, or several joined by words: CycloneDX tells them apart. */
function licenseOf(license: string): object {
  return /\s/.test(license) ? { expression: license } : { license: { id: license } };
}

/** https://github.com/package-url/purl-spec: the `@` of a scope is encoded. */
export function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}
