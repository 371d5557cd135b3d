// Advice on HW1000 to HW1499 and HW2700 to HW2799: files, YAML, schemas, references, secrets, rules that are judged. Most of these have their remedy beside the
// summary, because it is printed with it.
import type { AdviceTable } from './advice.ts';

export const MANIFEST_ADVICE: AdviceTable = {
  HW1001: { why: 'A file that was named, or that `manifests` of the workspace file leads to, could not be opened.' },
  HW1002: {
    why: 'No path that was given, and no pattern under `manifests` of the workspace file, leads to a YAML file with a manifest. Nothing is planned, because an empty set of manifests is nearly always a slip.',
    fix: 'Name files or folders (`hostwright plan sites/`), or correct `spec.manifests` in hostwright.yaml.',
    example: 'spec:\n  manifests: ["sites/**/*.yaml", "domains/**/*.yaml"]',
  },
  HW1003: { why: 'A manifest has a limit of size, so that a wrong file cannot use up the memory of the machine.' },
  HW1004: {
    why: 'The file has bytes that are no UTF-8: it was saved in another encoding, or is not a text.',
    fix: 'Save the file as UTF-8.',
    example: 'iconv -f ISO-8859-1 -t UTF-8 old.yaml > new.yaml',
  },
  HW1005: {
    why: 'A symbolic link leads to a file outside the folder of the workspace file. What it leads to is not under review with the rest, so it is not read.',
  },
  HW1011: {
    why: 'A folder under `spec.shared` is read by several workspaces, each of which is one account. A site or a mailspace in it would be declared in each of them.',
  },
  HW1006: { why: 'The file is empty, or has nothing but comments.' },
  HW1007: {
    why: 'The file has YAML documents with another `apiVersion`, such as those of Kubernetes. They are left alone.',
  },
  HW1008: {
    why: 'A document has no `apiVersion` and `kind` that say it is a manifest, so nobody can tell what was meant.',
    example: 'apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\nspec: {}',
  },
  HW1009: {
    why: '`-` was given as a path, and standard input is closed or is a terminal.',
    example: 'cat sites/*.yaml | hostwright plan -',
  },
  HW1010: {
    why: 'The workspace file (`kind: Workspace`) says where things are. It declares nothing, so it is no manifest.',
    fix: 'Give the file with `--config hostwright.yaml`, and name only manifests as paths.',
  },
  HW1017: {
    why: 'A manifest with `lifecycle: { state: observed }` says what was live and declared by nobody. `drift` compares it, and no plan acts on it. A path or a glob of the run leads to one outside of the folder that `spec.observed` names.',
    fix: 'Write the folder under `spec.observed` of the workspace file: it is then left out of all paths.',
    example: 'spec:\n  observed: observed',
  },
  HW1018: {
    why: 'The folder that `spec.observed` names holds something that `hostwright export --observed` did not write: a document without its mark, of another account, or with values that no manifest takes.',
    fix: 'Run `hostwright export --observed`. It writes the folder anew, from what is live. A manifest that you wrote goes to the folders of `spec.manifests`.',
  },
  HW1015: {
    why: 'A path leads into `.git` or `.hostwright`, to an `.env` file, or into a place that the workspace file lists under `secrets.files` or `secrets.keep`, by its own name or through a link. Such a file is not read: a report shows the lines around what is wrong with a manifest.',
  },
  HW1016: {
    why: 'A folder that is searched for manifests has a place of `secrets.files` or `secrets.keep` in it, and a file there reads like a manifest. What is among secrets is not read as one.',
  },
  HW1101: {
    why: 'The text is not valid YAML. A missing space after a colon, an open quote or a wrong indentation are the usual causes.',
  },
  HW1102: {
    why: 'A mapping has the same key two times. YAML readers disagree on which one counts, so neither is used.',
  },
  HW1103: { why: 'A line is indented with a tab.' },
  HW1104: { why: 'Aliases (`*name`) that hold aliases grow to more values than a manifest can need.' },
  HW1105: {
    why: 'An alias (`*name`) stands where no anchor (`&name`) of that name comes before it in the same document.',
  },
  HW1106: { why: 'Mappings and lists are nested deeper than the reader follows.' },
  HW1107: {
    why: 'The document has a tag such as `!include` or `!!binary`. What it would do differs from reader to reader.',
  },
  HW1108: { why: 'A key of a mapping is a list, a mapping or a number. Fields have names.' },
  HW1109: {
    why: '`<<: *base` merges mappings in YAML 1.1 only. Profiles share fields between manifests.',
    example: 'kind: Site\nmetadata:\n  name: shop\nspec:\n  profiles: [shop-base]',
  },
  HW1110: { why: 'The document is a list or a single value. A manifest is a mapping.' },
  HW1111: {
    why: 'The file has lines such as `<<<<<<< HEAD`, `=======` and `>>>>>>> branch`. Git writes them around two versions of the same lines when it cannot merge them by itself.',
    example: 'git checkout --ours sites/shop.yaml     # or --theirs, or edit the file\ngit add sites/shop.yaml',
  },
  HW1112: {
    why: 'In YAML the indentation says what belongs to what. The fields of one mapping begin in the same column, and so do the items of one list.',
    example: 'caching:\n  smartCache: true\n  cacheExpiration: 60',
  },
  HW1113: {
    why: 'Between a key and its value stand a colon and a space. Without them YAML takes the line for a part of a text. A dash of a list needs a space as well.',
    example: 'smartCache: true   # not smartCache:true',
  },
  HW1114: {
    why: 'Some characters have a meaning of their own in YAML: `*`, `&`, `!`, `@`, `%`, a backtick, and a colon before a space. A text that begins with one of them, or holds such a colon, is not read as it is meant.',
    example: 'url: ["*"]   # not [*]',
  },
  HW1201: {
    why: 'The schema of this kind has no such field. It is refused, because a field with a slip in its name would otherwise do nothing, silently.',
    fix: 'Correct the name or remove the field. `hostwright explain Site.caching` lists the fields of a section.',
  },
  HW1202: {
    why: 'A field without which the platform, or the planner, cannot do anything is not there.',
    fix: 'Add the field. `hostwright explain` with its path shows its form and an example.',
  },
  HW1203: {
    why: 'A text stands where a number, a list or a mapping belongs, or the reverse. Quotes make a text: `"5"` is no number.',
  },
  HW1204: {
    why: 'The field takes one of a few values. The detail lists them, and so does `hostwright explain` with the path of the field.',
  },
  HW1205: { why: 'The number is smaller or larger than the platform takes.' },
  HW1206: { why: 'The text does not have the form that this field needs, such as an address, a date or a path.' },
  HW1207: {
    why: 'A hostname has no scheme, path, port or user. Names in other scripts may be written as they are, or in their xn-- form.',
    example: 'domains: [www.example.com]   # not https://www.example.com/',
  },
  HW1208: { why: 'The list is a set: its order does not count, and a second mention means nothing.' },
  HW1209: { why: 'The list is empty where one item at least is needed, or has more items than the platform takes.' },
  HW1210: { why: '`apiVersion` says which version of the schemas a manifest is written for. There is one so far.' },
  HW1211: {
    why: 'The manifest says an `apiVersion` that a later version of Hostwright brought.',
    fix: 'Upgrade Hostwright (`hostwright --version` shows the present one), or write `apiVersion: hostwright/v1`.',
  },
  HW1212: {
    why: '`kind` names nothing that can be declared.',
    fix: 'Use one of the kinds that `hostwright explain` lists.',
  },
  HW1214: {
    why: 'One file has so many problems that the rest is not printed. The first ones are often the cause of the others.',
  },
  HW1230: {
    why: 'The mapping chooses one of several things by the name of its field, and has none of them or more than one.',
    fix: 'Keep exactly one of the fields. `hostwright explain` with the path of the field lists them.',
    example: 'action:\n  redirect: { to: https://shop.example.com/new, status: 308 }',
  },
  HW1301: {
    why: '`metadata.name` is the key of an object in plans and in the ledger. Two manifests of one kind with one name cannot be told apart.',
  },
  HW1302: { why: 'Two manifests have the same `metadata.id`, so both would write to the same live object.' },
  HW1303: {
    why: 'The same hostname, mailbox, rule or other item is declared in two manifests or two times in one list. Only one declaration can be true.',
  },
  HW1304: {
    why: 'A JSON pointer, such as an entry of `lifecycle.ignore`, leads to no field of this manifest.',
    example: 'lifecycle:\n  ignore: [/caching/smartCache]',
  },
  HW1305: {
    why: 'The number of an item changes when the list does, so a pointer to an item would soon mean another one.',
  },
  HW1306: {
    why: '`renamedFrom` says that this manifest, or this item of a list, had another name. One with that name is still there, so the live object would have two.',
  },
  HW1307: {
    why: 'Two manifests, or two items of a list, say that they were called the same before. One live object cannot become two.',
  },
  HW1308: {
    why: '`unlisted` says what becomes of live items that no manifest names. Without the list itself the section is not managed, so the word has no effect.',
  },
  HW1309: { why: 'Two settings of one manifest cannot both be true on the platform.' },
  HW1310: { why: 'A setting is declared, and another one decides whether it has any effect.' },
  HW1311: {
    why: 'A hostname or another object says which site it moves from, and that is the site where it is declared, or no manifest.',
  },
  HW1320: {
    why: 'A manifest names a profile that was not read.',
    fix: 'Correct the name, or let `manifests` of the workspace file lead to the file with the profile.',
  },
  HW1321: { why: '`profiles` has one name two times. Order counts there: a later profile beats an earlier one.' },
  HW1322: {
    why: 'A profile has a list of profiles. Profiles do not build on each other, so that a reviewer can see in one place where a value comes from.',
  },
  HW1323: { why: 'A profile was read, and no manifest names it: it changes nothing.' },
  HW1324: { why: 'The field says something of one object alone, such as its hostnames, so a profile cannot hold it.' },
  HW1331: {
    why: 'A reference such as `{ ref: DomainRegistration/example.com }` names an object that no manifest declares.',
  },
  HW1332: { why: 'A reference asks for a value that objects of that kind do not have.' },
  HW1333: { why: 'A waits for a value of B, and B for a value of A: neither can be made first.' },
  HW1334: { why: 'An object refers to itself for a value.' },
  HW1335: {
    why: 'The reference names plain data of the repository, such as a Contact, and asks for one of its values. Plain data is taken whole.',
  },
  HW1336: { why: 'A reference names a profile. A profile is a part of manifests, and is not on the platform.' },
  HW1337: {
    why: 'A manifest that is no object by itself, such as a Contact, was read, and no reference leads to it. Nothing is sent for it.',
  },
  HW1340: {
    why: 'The platform refuses such a value in every account, for example an alias that points at another alias.',
    fix: 'Write what the message names.',
  },
  HW1341: {
    why: '`renamedFrom` stands on an item whose name the platform cannot change: an address, a hostname, the name of a host.',
  },
  HW1401: {
    why: 'A manifest may read only the variables that the workspace file lists, so that a pull request cannot send other secrets of the CI to the platform.',
    example: 'spec:\n  secrets:\n    env: [ALICE_PASSWORD]',
  },
  HW1402: {
    why: "A manifest names a variable that begins with HOSTWRIGHT_. These are the program's own, its token among them.",
  },
  HW1410: {
    why: 'A manifest may take secrets only from the entries that the workspace file lists, so that a reviewer has one list to look at.',
    example: 'spec:\n  secrets:\n    entries: [alice-password]',
  },
  HW1411: {
    why: 'A manifest may have credentials given only to the sinks that the workspace file lists, so that a reviewer has one list to look at.',
    example: 'spec:\n  secrets:\n    sinks: [agency-vault]',
  },
  HW1403: {
    why: 'A manifest may read only files under the folders that the workspace file lists, so that a pull request cannot send other files of the machine to the platform.',
    example: 'spec:\n  secrets:\n    files: [secrets/]',
  },
  HW1404: { why: 'The path stands in a listed folder, and a symbolic link in it leads out of that folder.' },
  HW1405: {
    why: 'Credentials that the platform tells once are written only under the folders that the workspace file lists.',
    example: 'spec:\n  secrets:\n    keep: [credentials/]',
  },
  HW1406: {
    why: 'The place for credentials is in a listed folder, and a symbolic link in it leads out of that folder.',
  },
  HW1460: {
    why: 'A password or a code stands in the manifest as text. Everybody who can read the repository could use it, now and in its history.',
  },
  HW2701: {
    why: 'Two rules match the same requests, or the earlier one matches all that the later one does, and what the earlier one does leaves the later one nothing to do.',
    example:
      'edgeRules:\n  - { name: export, triggers: [{ url: [/admin/export/*] }], action: { redirect: { to: https://files.example.com } } }\n  - { name: admin, triggers: [{ url: [/admin/*] }], action: { block: {} } }',
  },
  HW2702: {
    why: 'A rule that blocks or redirects has a condition that every request meets, such as `url: ["*"]`. The site is closed to everybody.',
    example: 'triggers: [{ url: [/admin/*] }]   # not ["*"]',
  },
  HW2703: {
    why: 'A redirect leads to an address of this site that the same rule matches again.',
    example: 'triggers: [{ url: [/old/*] }]\naction: { redirect: { to: https://shop.example.com/new/ } }',
  },
  HW2704: {
    why: 'A pattern that begins with `/` is held against the path, and any other against the whole address with its scheme. An extension is compared as it is written.',
    example:
      'triggers:\n  - { url: [/images/*, "*://shop.example.com/*"] }   # not images/*\n  - { extension: [jpg] }   # not JPG',
  },
  HW2705: {
    why: 'No country has this code (ISO 3166-1), or none has it any more, so the entry never matches.',
    example: 'triggers: [{ country: [GB] }]   # not UK',
  },
  HW2706: {
    why: 'The number is larger than AS numbers are, or it is set aside for documents and private networks: no visitor comes from it.',
    example: 'accessLists:\n  - { name: Crawlers, type: asn, content: [AS13335] }',
  },
  HW2707: {
    why: 'One entry holds all addresses of another, so the other one changes nothing. Whoever removes it later will wonder.',
    example: 'content: [198.51.100.0/24]   # not 198.51.100.7 as well',
  },
  HW2708: {
    why: '`0.0.0.0/0` and `::/0` hold all addresses there are, so the list is no list.',
    example: 'content: [198.51.100.0/24]',
  },
  HW2709: {
    why: 'Addresses such as 10.0.0.1, 192.168.1.1 and fd00::1 are used inside of networks. The CDN sees the public address of a visitor.',
    example: 'content: [198.51.100.7]   # not 192.168.1.7',
  },
  HW2710: {
    why: '`caching` says how long answers are kept, and an edge rule sets the time to 0 for every request.',
    example: 'triggers: [{ url: [/account/*] }]\naction: { cacheTime: { seconds: 0 } }',
  },
  HW2711: {
    why: 'A custom rule of Shield blocks or challenges an address or a country that an access list names too. What a list does is set in the dashboard, and no document says which of the two counts.',
    fix: 'Keep one of the two. If you want both, accept the warning in the rule.',
    example: 'accept: [{ code: HW2711, reason: The list only logs. }]',
  },
  HW2712: {
    why: 'A rule or a list accepts a warning that Hostwright does not report for it. Left there, it would hide that warning when it occurs later.',
    example: 'accept: [{ code: HW2711, reason: The list only logs. }]   # only where `validate` reports HW2711',
  },
  HW2721: {
    why: 'One of the `tests` of a site says what its rules are to do with a request. By the manifest they do something else, or it is not certain what they do. What the test leaves out of a request (country, address, headers, cookies) is not known.',
    fix: '`hostwright trace URL` with the same values shows what each rule does. Correct the rules or the test. Where something is not known, add it to the test.',
    example: 'tests:\n  - { url: /old/shoes, country: NL, expect: { redirect: https://shop.example.com/new } }',
  },
  HW2722: {
    why: 'The `url` of a test is only a path, which stands for the first hostname of the site, and the manifest names none.',
    example: 'tests:\n  - { url: "https://shop.example.com/old/shoes", expect: { passes: true } }',
  },
};
