// What reading manifests costs at best: the YAML package that the program has inside, and nothing else. The argument is
// a folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const folder = process.argv[2] as string;
for (const name of readdirSync(folder)) parseAllDocuments(readFileSync(join(folder, name), 'utf8'));
