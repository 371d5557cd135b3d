// The reference of the Terraform provider, a page for each resource and data source, where a registry looks for them.
import { CALLS } from '../src/terraform/wire/messages.ts';
import { decode } from '../src/terraform/wire/protobuf.ts';

interface Shown {
  readonly name?: string;
  readonly type?: Uint8Array;
  readonly description?: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly writeOnly?: boolean;
  readonly nestedType?: { readonly attributes?: readonly Shown[]; readonly nesting?: number };
}

interface Block {
  readonly description?: string;
  readonly attributes?: readonly Shown[];
}

interface Entry {
  readonly key: string;
  readonly value: { readonly block: Block };
}

/** What a page has around its attributes. */
interface Frame {
  readonly title: string;
  readonly subtitle: string;
  readonly intro: string;
  readonly example: readonly string[];
  readonly end?: readonly string[];
}

const NESTED: Readonly<Record<number, string>> = { 1: 'object', 2: 'list of objects', 4: 'map of objects' };
const INTRO = '[Terraform](../../terraform.md) explains the provider.';

/** How each is written; test/terraform/pages.test.ts has Terraform check them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  hostwright: `provider "hostwright" {
  account = "acc-acme"
  api_url = "https://api.example.com"
  # max_spend = "20.00 EUR" is for domain names only: the platform quotes no price for other purchases.
  guards  = { allow_deletes = 0, allow_charges = 1 }
  ledger  = { git = {} }
}`,
  'resource hostwright_site': `resource "hostwright_site" "shop" {
  name         = "shop"          # in plans and in the ledger; it is never sent
  display_name = "The shop"      # what the platform calls it
  domains      = { "www.example.com" = {} }
  php_version  = "8.3"
  caching      = { cache_expiration = 7200 }
  edge_rules = [{
    name     = "old"
    action   = { type = "redirect", to = "https://www.example.com/new", status = 308 }
    triggers = [{ type = "url", patterns = ["*/old/*"] }]
  }]
}

output "target" {
  value = hostwright_site.shop.domains["www.example.com"].cname_target
}`,
  'resource hostwright_mailspace': `variable "password" {
  type      = string
  ephemeral = true
}

resource "hostwright_mailspace" "acme" {
  name      = "acme.example"
  mailboxes = { "ada@acme.example" = { password = { value = var.password, rotate = "1" } } }
  aliases   = { "info@acme.example" = { target = "ada@acme.example" } }
}`,
  'resource hostwright_domain_registration': `resource "hostwright_domain_registration" "acme" {
  name       = "acme.example"
  auto_renew = true
  order      = { action = "register", max_price = { amount = "15.00", currency = "EUR" } }
  contacts = {
    owner = {
      first_name     = "Ada"
      last_name      = "Lovelace"
      email          = "ada@acme.example"
      phone          = "+31.201234567"
      street_address = "Damrak 1"
      post_code      = "1012 LG"
      city           = "Amsterdam"
      country        = "NL"
    }
  }
}`,
  'resource hostwright_nameservers': `resource "hostwright_nameservers" "acme" {
  registration = "acme.example"
  nameservers  = ["ns1.example.net", "ns2.example.net"]
}`,
  'resource hostwright_panel_account': `resource "hostwright_panel_account" "acme" {
  name    = "acme"
  package = "mini"
  order   = { term = "monthly", domain = "acme.example" }
}`,
  'resource hostwright_user': `resource "hostwright_user" "ada" {
  name  = "ada"
  email = "ada@acme.example"
  fname = "Ada"
  lname = "Lovelace"
}`,
  'data hostwright_site': `data "hostwright_site" "shop" {
  name = "The shop"
}

output "php" {
  value = data.hostwright_site.shop.php_version
}`,
  'data hostwright_dns_records': `data "hostwright_dns_records" "shop" {
  site = "The shop"
}`,
  'data hostwright_domain_quote': `data "hostwright_domain_quote" "acme" {
  name = "acme.example"
}`,
  'data hostwright_account': `data "hostwright_account" "this" {}`,
};

function exampleOf(key: string): readonly string[] {
  const example = EXAMPLES[key];
  if (example === undefined) throw new Error(`${key} has no example`);
  return ['## Example Usage', '', '```hcl', example, '```'];
}

/** How one is imported; a part of another resource is not. */
function importOf(key: string, { attributes = [] }: Block): readonly string[] {
  if (!attributes.some(({ name }) => name === 'adopt')) return [];
  return [
    '## Import',
    '',
    'By its id, or by a hostname or name that the platform knows it by, with a block:',
    '',
    '```hcl',
    'import {',
    `  to = ${key}.example`,
    '  id = "..."',
    '}',
    '```',
    '',
    'or with the command:',
    '',
    '```sh',
    `terraform import ${key}.example ID`,
    '```',
  ];
}

/** The pages by their path, from the answer to GetProviderSchema. */
export function terraformPages(bytes: Uint8Array): ReadonlyMap<string, string> {
  const answer = decode(CALLS.GetProviderSchema.response, bytes) as {
    readonly provider: { readonly block: Block };
    readonly resourceSchemas: readonly Entry[];
    readonly dataSourceSchemas: readonly Entry[];
  };
  const pages = (entries: readonly Entry[], folder: string, word: string) =>
    entries.map(({ key, value: { block } }): readonly [string, string] => [
      `docs/terraform/${folder}/${key.replace('hostwright_', '')}.md`,
      page(
        {
          title: `${key} (${word})`,
          subtitle: `${key} ${word}`,
          intro: INTRO,
          example: exampleOf(`${word === 'Resource' ? 'resource' : 'data'} ${key}`),
          end: importOf(key, block),
        },
        block,
      ),
    ]);
  return new Map([
    [
      'docs/terraform/index.md',
      page(
        {
          title: 'hostwright Provider',
          subtitle: 'Provider: hostwright',
          example: exampleOf('hostwright'),
          intro: `[Terraform](../terraform.md) explains the provider.\n\n${contents(answer)}`,
        },
        answer.provider.block,
      ),
    ],
    ...pages(answer.resourceSchemas, 'resources', 'Resource'),
    ...pages(answer.dataSourceSchemas, 'data-sources', 'Data Source'),
  ]);
}

function contents(answer: {
  readonly resourceSchemas: readonly Entry[];
  readonly dataSourceSchemas: readonly Entry[];
}) {
  const links = (entries: readonly Entry[], folder: string): string =>
    entries.map(({ key }) => `[\`${key}\`](${folder}/${key.replace('hostwright_', '')}.md)`).join(', ');
  return `Resources: ${links(answer.resourceSchemas, 'resources')}.\n\nData sources: ${links(answer.dataSourceSchemas, 'data-sources')}.`;
}

function page(
  { title, subtitle, intro, example, end = [] }: Frame,
  { description = '', attributes = [] }: Block,
): string {
  const lines = [
    '---',
    `page_title: "${subtitle}"`,
    'subcategory: ""',
    'description: |-',
    `  ${description.split('\n')[0] ?? ''}`,
    '---',
    '',
    `# ${title}`,
    '',
    '<!-- Generated by .ci/terraform-pages.ts. Do not edit: run `npm run generate`. -->',
    '',
    description,
    '',
    intro,
    '',
    ...example,
    '',
    '## Schema',
    '',
    ...sections(attributes),
    ...nested(attributes, []),
    ...end,
  ];
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function sections(attributes: readonly Shown[]): readonly string[] {
  const of = (title: string, those: readonly Shown[]): readonly string[] =>
    those.length === 0 ? [] : [`**${title}**`, '', ...those.map(line), ''];
  return [
    ...of(
      'Required',
      attributes.filter(({ required }) => required === true),
    ),
    ...of(
      'Optional',
      attributes.filter(({ optional }) => optional === true),
    ),
    ...of(
      'Read-only',
      attributes.filter(({ computed, optional }) => computed === true && optional !== true),
    ),
  ];
}

function line(attribute: Shown): string {
  const { name = '', description = '', writeOnly } = attribute;
  const said = description.replace(/\s*\n\s*/g, ' ').trim();
  return `- \`${name}\` (${typeOf(attribute)}${writeOnly === true ? ', write-only' : ''})${said === '' ? '' : ` ${said}`}`;
}

function typeOf({ type, nestedType }: Shown): string {
  if (nestedType !== undefined) return NESTED[nestedType.nesting ?? 1] ?? 'object';
  const written = JSON.parse(Buffer.from(type ?? []).toString('utf8')) as string | readonly [string, string];
  return typeof written === 'string' ? written : `${written[0]} of ${written[1]}s`;
}

/** What is inside of attributes, each under its whole name. */
function nested(attributes: readonly Shown[], above: readonly string[]): readonly string[] {
  return [...attributes]
    .filter(({ nestedType }) => (nestedType?.attributes ?? []).length > 0)
    .flatMap(({ name = '', nestedType }) => {
      const path = [...above, name];
      const below = nestedType?.attributes ?? [];
      return [`### \`${path.join('.')}\``, '', ...sections(below), ...nested(below, path)];
    });
}
