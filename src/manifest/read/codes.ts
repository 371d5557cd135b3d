// What each problem of a manifest or a workspace file is called and what to do about it: one code per cause, never
// reused.
import type { Diagnostic, Severity, SourceRange } from '../../model/diagnostic.ts';
import type { Address } from '../../model/address.ts';

interface Entry {
  readonly severity: Severity;
  readonly summary: string;
  readonly remedy: string;
}

const error = (summary: string, remedy: string): Entry => ({ severity: 'error', summary, remedy });
const warning = (summary: string, remedy: string): Entry => ({ severity: 'warning', summary, remedy });

/**
 * 10: files. 11: YAML. 12: one document against its schema. 13: documents against each other. 14: secrets. 15: programs. 27: rules
 * and lists that are hardly meant, and tests of them. 60: the workspace file.
 */
export const codes = {
  HW1001: error('File cannot be read', 'Check the path and its permissions.'),
  HW1002: error('No manifests found', 'Name files, folders or globs that hold manifests.'),
  HW1003: error('File is too large', 'Split it into several files.'),
  HW1004: error('File is not UTF-8 text', 'Save it as UTF-8.'),
  HW1005: error('Link leads out of the workspace', 'Put the file itself into the workspace, or name its real path.'),
  HW1006: {
    severity: 'warning',
    summary: 'File holds no document',
    remedy: 'Remove the file, or write a manifest into it.',
  },
  HW1007: {
    severity: 'info',
    summary: 'Documents of other programs skipped',
    remedy: 'Nothing has to be done; a manifest says `apiVersion: hostwright/v1`.',
  },
  HW1008: error('Not a Hostwright document', 'A manifest starts with `apiVersion: hostwright/v1` and a `kind`.'),
  HW1009: error('Standard input cannot be read', 'Pipe manifests in, or name files instead of `-`.'),
  HW1010: error(
    'Workspace file given as a manifest',
    'Name it with the option for the workspace file instead, and name only manifests here.',
  ),

  HW1011: error(
    'Not to be shared',
    'Move it into the manifests of the account that it belongs to; only profiles and contacts are shared.',
  ),

  HW1015: error(
    'Not a manifest',
    'Name manifests only: what is in `.git` and `.hostwright`, in `.env` files and in the places of `spec.secrets` is none.',
  ),

  HW1016: {
    severity: 'warning',
    summary: 'Manifest among secrets',
    remedy: 'Move it out of the places of `spec.secrets`, or list there only folders that hold secrets alone.',
  },

  HW1017: error(
    'Observed manifest given as a manifest',
    'Leave it in the folder that `spec.observed` names. To declare what it says, move those lines into a manifest.',
  ),

  HW1018: error(
    'Observed manifests cannot be used',
    'Run `hostwright export --observed`, which writes the whole folder anew.',
  ),

  HW6661: {
    severity: 'info',
    summary: 'A shared folder is not there',
    remedy: 'Git keeps no empty folder: put a profile into it, or take it out of `shared` in the workspace file.',
  },

  HW1101: error('YAML cannot be parsed', 'Correct the syntax; the rest of the document was not checked.'),
  HW1102: error('Key occurs twice', 'Keep one of the two.'),
  HW1103: error('Tab used for indentation', 'Indent with spaces; YAML allows no tabs there.'),
  HW1104: error('Aliases expand too far', 'Write the values out instead of nesting aliases.'),
  HW1105: error(
    'Alias without an anchor',
    'Set the anchor before the alias, in the same document; or put a text that begins with `*` in quotes.',
  ),
  HW1106: error('Nested too deeply', 'Write the document flatter; no manifest needs this depth.'),
  HW1107: error('YAML tag not supported', 'Leave the tag out; manifests use the plain YAML 1.2 types.'),
  HW1108: error('Key is not plain text', 'Use a plain text key.'),
  HW1109: error('Merge key not supported', 'Write the fields out: `<<` is not part of YAML 1.2.'),
  HW1110: error('Document is not a mapping', 'A document holds `apiVersion`, `kind` and what belongs to that kind.'),
  HW1111: error(
    'Unfinished Git merge',
    'Keep one of the two sides, or what is right of both, and remove the lines with the markers.',
  ),
  HW1112: error('Wrong indentation', 'Indent it like the lines that it belongs with; the rest was not checked.'),
  HW1113: error('Key without a colon and a space', 'A colon and a space stand between a key and its value.'),
  HW1114: error('Text needs quotes', 'Put the whole text in quotes. The rest was not checked.'),

  HW1201: error('Unknown field', 'Correct the name or remove the field.'),
  HW1202: error('Required field missing', 'Add the field.'),
  HW1203: error('Value of the wrong type', 'Write a value of the expected type.'),
  HW1204: error('Value not allowed', 'Use one of the allowed values.'),
  HW1205: error('Number out of range', 'Use a number within the limits.'),
  HW1206: error('Malformed text', 'Write it in the expected form.'),
  HW1207: error('Not a hostname', 'Write a plain hostname such as `www.example.com`.'),
  HW1208: error('List holds a value twice', 'Keep one of the two.'),
  HW1209: error('List has the wrong number of items', 'Add or remove items, or leave the whole field out.'),
  HW1210: error('Unknown apiVersion', 'Write `apiVersion: hostwright/v1`.'),
  HW1211: error(
    'Manifest is newer than this version',
    'Upgrade Hostwright, or write the manifest for `hostwright/v1`.',
  ),
  HW1212: error('Unknown kind', 'Use a kind that this version knows.'),
  HW1214: {
    severity: 'info',
    summary: 'Further problems left out',
    remedy: 'Correct those that are shown, then run again.',
  },
  HW1230: error('Not exactly one of several fields', 'Keep one of them.'),

  HW1301: error('Two manifests have one name', 'Give each manifest of a kind its own `metadata.name`.'),
  HW1302: error('Two manifests are bound to one id', 'Bind each live object in one manifest only.'),
  HW1303: error('One object is declared twice', 'Declare it in one place only.'),
  HW1304: error('Pointer leads nowhere', 'Point at a field or a section of `spec`, such as `/caching/smartCache`.'),
  HW1305: error(
    'Pointer leads into a list',
    'Lists are managed whole: point at the list itself or at a section, not at an item.',
  ),
  HW1306: error('Former name is still in use', 'Remove `renamedFrom`, or what still has that name.'),
  HW1307: error('Two have one former name', 'Keep `renamedFrom` where the object went.'),
  HW1308: {
    severity: 'warning',
    summary: '`unlisted` without its list',
    remedy: 'Declare the list as well, or remove the entry from `unlisted`.',
  },
  HW1309: error('Settings contradict each other', 'Keep one of the two.'),
  HW1310: {
    severity: 'info',
    summary: 'A setting takes effect from another',
    remedy: 'Nothing has to be done when that is meant.',
  },

  HW1311: error(
    'Moved from where it is declared',
    'Name the manifest of the site that has it now, or leave the field out.',
  ),

  HW1320: error('Unknown profile', 'Correct the name, or have the file that holds the profile read as well.'),
  HW1321: error('Profile named twice', 'Name each profile once; a later one in the list beats an earlier one.'),
  HW1322: error('Profiles do not nest', 'Remove the field; a manifest names all the profiles that it uses, in order.'),
  HW1323: {
    severity: 'info',
    summary: 'Unused profile',
    remedy: 'Name it in the `profiles` of a manifest, or remove it.',
  },
  HW1324: error('Field cannot be shared', 'Write it in the manifest of each object.'),

  HW1331: error('Reference leads nowhere', 'Correct the address, or have the file that holds it read as well.'),
  HW1332: error('Unknown output', 'Name a value that the object has, or write the value itself.'),
  HW1333: error('References go in a circle', 'Take one of them out of the circle.'),
  HW1334: error('Reference to itself', 'Write the value itself, or name another object.'),
  HW1335: error(
    'Reference with an output that is not wanted',
    'Remove `output` to name the whole object. Otherwise name an object that has the value, or write the value itself.',
  ),
  HW1336: error('Reference to a profile', 'Name a manifest that uses the profile: a profile is no object.'),
  HW1337: {
    severity: 'info',
    summary: 'Manifest that no reference names',
    remedy: 'Name it where it is meant, or remove it.',
  },

  HW1340: error('The platform refuses this value', 'Correct it.'),
  HW1341: error(
    'The platform has no rename',
    'Remove `renamedFrom`. Another name is another object: keep the old one in the list until the new one is in use.',
  ),

  HW1401: error(
    'Secret from a variable that is not listed',
    'Correct the name, or list it under `secrets.env` in the workspace file.',
  ),
  HW1402: error(
    'Reserved variable named as a secret',
    'Give the secret another name: `HOSTWRIGHT_*` belongs to the program itself.',
  ),
  HW1403: error(
    'Secret file outside the listed places',
    'Correct the path, or list its folder under `secrets.files` in the workspace file.',
  ),
  HW1404: error('Link to a secret leads out of its place', 'Put the file itself into a listed place.'),
  HW1405: error(
    'File for credentials outside the listed places',
    'Correct the path, or list its folder under `secrets.keep` in the workspace file.',
  ),
  HW1406: error(
    'Link leads out of the place for credentials',
    'Name a file in a listed folder that no link leads out of.',
  ),
  HW1460: error(
    'Secret written in the manifest',
    'Where the workspace file has `secrets` already, add the name to the list of its `env`. If the manifest was ever committed, choose another secret.',
  ),
  HW1410: error(
    'Secret from an entry that is not listed',
    'Correct the name, or list it under `secrets.entries` in the workspace file.',
  ),
  HW1411: error('Sink that is not listed', 'Correct the name, or list it under `secrets.sinks` in the workspace file.'),

  HW1501: error('Program declares no app', 'Make an `App` in it, and `export default` that.'),
  HW1502: error(
    'Program cannot be read',
    'Correct the syntax. Enums, namespaces and parameter properties cannot be used: with `erasableSyntaxOnly` in tsconfig.json, `npx tsc` names each of them.',
  ),
  HW1503: error('Program failed', 'Correct the program, then run again.'),
  HW1504: error('Program takes too much', 'Let it do less: it only has to say what is wanted.'),
  HW1505: error(
    'Value that no manifest can hold',
    'Write text, a number, true, false, a list or an object of these; where a manifest can be named, another construct.',
  ),
  HW1506: error(
    'Program beside a credential',
    'Run `hostwright synth` where no token is set, commit the YAML that it writes, and name that here. Where only people you trust can change the program, add `--run-program`.',
  ),
  HW1507: error(
    'Two runs of the program differ',
    'Let it depend on nothing but its files: no clock, no randomness, no network.',
  ),
  HW1508: {
    severity: 'warning',
    summary: 'YAML is not what the program makes',
    remedy: 'Run `hostwright synth`, and commit what it writes.',
  },
  HW1509: error('Two accounts with one name', 'Make one of them, and declare everything of the account in it.'),
  HW1510: error('Reference out of the account', 'Declare what is named in the same account, or write its values.'),
  HW1511: error('Another file has this name', 'Move that file, or write to another folder with `--out`.'),
  HW1512: error(
    'Program declares nothing for this account',
    'Name another account with `--account`, or declare manifests for this one.',
  ),
  HW1513: error(
    'Program where YAML is expected',
    'Run `hostwright synth`, and name the YAML that it writes; or give the path of the program to the command itself.',
  ),
  HW1514: error(
    'File of places cannot be used',
    'Remove it, and make it anew with `hostwright synth --check --sources sources.json`.',
  ),
  HW1520: error('Check refused', 'Change what is declared there, or the check.'),
  HW1521: error(
    'Program stands beside a link that leads out',
    'Remove the link, or put what it leads to into the workspace: a program may read nothing else.',
  ),
  HW1523: error('Value changed after it was given', 'Finish the value before you give it to the construct.'),
  HW1524: error(
    'Program declares nothing',
    'Wait for everything that makes manifests (`await`), or remove the files: `hostwright synth --yes`.',
  ),
  HW1525: { severity: 'warning', summary: 'Check warns', remedy: 'Change what is declared there, or the check.' },
  HW1522: error(
    'Program stands beside too many files',
    'Put the workspace file and the program into a folder of their own.',
  ),

  HW2701: warning('Rule does nothing after an earlier one', 'Remove one of the two, or put the narrower one first.'),
  HW2702: warning(
    'Rule blocks or redirects everything',
    'Give it conditions that only the requests meet that are meant.',
  ),
  HW2703: warning(
    'Redirect leads to what it matches itself',
    'Redirect to another address, or take that address out of the conditions.',
  ),
  HW2704: warning('Pattern matches nothing', 'Write the pattern as the address or the extension is written.'),
  HW2705: warning('Country does not exist', 'Write the code of ISO 3166 for the country that is meant.'),
  HW2706: warning('AS number is that of no network', 'Write the number of the network that is meant.'),
  HW2707: warning('Networks in one another', 'Keep the wider or the narrower ones, whichever is meant.'),
  HW2708: warning('Network holds every address', 'Write the networks that are meant.'),
  HW2709: warning('Network is private', 'Write the address that it has on the internet.'),
  HW2710: warning('Cache time that a rule switches off', 'Narrow the conditions of the rule, or set the time to 0.'),
  HW2711: warning('Rule and access list about the same', 'Keep one of the two.'),
  HW2712: warning('Accepted warning that does not occur', 'Take it out of `accept`.'),
  HW2721: error('A test fails', 'Correct the rules of the site, or what the test expects.'),
  HW2722: error('A test has no hostname', 'Write the whole address, or name the hostnames of the site in `domains`.'),

  HW6001: error(
    'No workspace file found',
    'Run `hostwright init` to begin one here, or name the file with `--config`.',
  ),
  HW6002: error('Base URL is not acceptable', 'Use an https address, or an http address of this machine.'),
  HW6003: error('Path leaves the workspace', 'Use a path inside the folder of the workspace file.'),
  HW6010: error('Shared folder leaves the repository', 'Use a folder inside the repository of the workspace.'),
  HW6004: error(
    'Reserved environment name',
    'Give the secret another name: `HOSTWRIGHT_*` belongs to the program itself.',
  ),
  HW6005: error(
    'Secret in the workspace file',
    'Remove it and give the token by `HOSTWRIGHT_TOKEN`. If the file was ever committed, revoke the token.',
  ),
  HW6006: error(
    'Not exactly one workspace',
    'Keep one document of kind Workspace in the file, and manifests in files of their own.',
  ),
  HW6007: error('No account given', 'Set `spec.account`, the flag `--account` or `HOSTWRIGHT_ACCOUNT`.'),
  HW6008: error('No base URL given', 'Set `spec.baseUrl`, the flag `--api-url` or `HOSTWRIGHT_API_URL`.'),
  HW6009: error('Account id is malformed', 'Use the id as the platform shows it.'),
  HW6020: error('The ledger is in more than one place', 'Keep one of `file`, `git`, `http` and `postgres`.'),
  HW6021: error(
    'Address of the ledger is not acceptable',
    'Use an https address, or an http address of this machine; credentials come from the environment.',
  ),
  HW6030: error(
    'Credentials file inside the repository',
    'Move it to where no pull request can change it, such as `~/.config/hostwright/credentials.yaml`.',
  ),
  HW6031: error('Credentials file cannot be used', 'Set HOSTWRIGHT_CREDENTIALS to the absolute path of the file.'),
  HW6032: error('Entry of the credentials file makes no sense', 'Correct the entry.'),
  HW6033: error('Entry is not in the credentials file', 'Correct the name, or add the entry to the credentials file.'),
  HW6034: error('Credential could not be got', 'Mend the entry in the credentials file; `hostwright doctor` tries it.'),
  HW6035: error('Credential from two places', 'Keep one of the two.'),
  HW6022: error('Secret for a program', 'Take the name out of `spec.synth.env`: a program needs no secret.'),
} as const satisfies Readonly<Record<`HW${number}`, Entry>>;

export type Code = keyof typeof codes;

/** The parts of a diagnostic that differ from case to case. `what` says what is wrong, in full sentences. */
export interface Case {
  readonly what: string;
  readonly pointer?: string;
  readonly address?: Address;
  readonly source?: SourceRange;
  readonly frame?: string;
}

/** Codes of which the first sentence of the advice is general: where `what` says what to write, it only repeats that. */
const GENERAL: readonly Code[] = ['HW1114', 'HW1203'];
const SAYS_WHAT_TO_WRITE = /[.:] (?:Write|Put|Remove|Name|Start|give|There is no)\b/;

export function diagnose(code: Code, { what, ...rest }: Case): Diagnostic {
  const { severity, summary, remedy } = codes[code];
  const isSaid = GENERAL.includes(code) && SAYS_WHAT_TO_WRITE.test(what);
  const detail = `${what} ${isSaid ? remedy.replace(/^[^.]*\. ?/, '') : remedy}`.trimEnd();
  return { code, severity, summary, detail, ...rest };
}
