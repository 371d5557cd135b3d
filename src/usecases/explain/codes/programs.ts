// Advice on HW1500 to HW1599: programs that declare manifests.
import type { AdviceTable } from './advice.ts';

export const PROGRAM_ADVICE: AdviceTable = {
  HW1501: {
    why: 'A program is read through its default export, and that is no `App`.',
    example:
      "import { App, Site } from 'hostwright/constructs';\nconst app = new App();\nnew Site(app, 'shop', {});\nexport default app;",
  },
  HW1502: {
    why: 'Types are stripped from a program and nothing else of it is changed, so that every place in it stays where it is. What is no valid JavaScript afterwards cannot be run.',
    example: '{ "compilerOptions": { "erasableSyntaxOnly": true, "verbatimModuleSyntax": true, "noEmit": true } }',
  },
  HW1503: {
    why: 'The program threw an error, or ended before its app could be read. It runs in a process of its own that may read the workspace and do nothing else: other files, other programs and writing are refused.',
    fix: 'Correct the program where the message says. Put the data that it needs into the workspace.',
  },
  HW1504: {
    why: 'A program has 30 seconds, 512 MB of memory, and 64 MiB for what it declares.',
  },
  HW1505: {
    why: 'Props become a document of YAML. A function, a date, NaN or an instance of a class has no form there, and a construct stands only where a manifest can name another one.',
    example: "new DomainRegistration(app, 'example.com', { contacts: { owner: new Contact(app, 'acme', details) } });",
  },
  HW1506: {
    why: 'A credential is set or a credentials file is there. Whoever can change the program, such as the author of a pull request or of a package, could read it. At a terminal you are asked; elsewhere, and in CI, the program is not run. YAML runs nothing.',
    example:
      'env -u HOSTWRIGHT_TOKEN hostwright synth   # or in a job without a token\nhostwright plan                            # reads the YAML',
  },
  HW1507: {
    why: 'A reviewer reads what one run made. A program that makes something else in the next run is not what was reviewed.',
  },
  HW1508: {
    why: 'The program was changed and the YAML was not, or the YAML was changed by hand. CI applies the YAML.',
    example: 'hostwright synth\ngit add manifests',
  },
  HW1509: { why: 'Each account gets a folder by its name, and two would be written into one.' },
  HW1510: {
    why: 'Each account is a workspace of its own, with its own ledger. What one of them names has to be in it.',
  },
  HW1511: {
    why: 'Only files whose first line says that `hostwright synth` made them are overwritten. Here is another file, a link or a folder.',
    fix: 'Move that file, or write to another folder: `hostwright synth --out FOLDER`.',
  },
  HW1512: {
    why: 'The program makes accounts, and none of them is the one that the command is about; or one of its manifests is in no account while others are.',
    example: 'hostwright plan hosting.ts --account acc-acme',
  },
  HW1513: {
    why: 'A program stands among `manifests` of the workspace file, or a glob found it. Programs are run only where a command is given their own path, so that nobody runs one by accident.',
    example: 'hostwright plan hosting.ts',
  },
  HW1514: {
    why: '`plan --sources` reads the places that `synth --sources` wrote, and this is another file.',
    fix: 'Give it the file that `hostwright synth --check --sources sources.json` writes in the job before.',
    example: 'hostwright synth --check --sources sources.json',
  },
  HW1520: {
    why: 'The program has a rule of its own (`app.check`), and what is declared at this place breaks it.',
  },
  HW1521: {
    why: 'A program may read what is in the workspace. A link there leads to another place, and the program could read that through it.',
  },
  HW1523: {
    why: 'A construct takes a copy of its props. A list or object that the program changes afterwards is not what the manifest says, so the change would be lost in silence.',
    example: "const mailboxes = rows.map(mailboxOf);\nnew Mailspace(app, 'example.com', { mailboxes });",
  },
  HW1524: {
    why: 'The program ended without a single manifest, and files that it made before are there. Mostly a loop ran over nothing, or nobody waited for a promise; all made files would be removed.',
    example: 'await main();\nexport default app;',
  },
  HW1525: { why: 'The program has a rule of its own (`app.check`) that warns of what is declared at this place.' },
  HW1522: {
    why: 'Every file and folder that a program could read is looked at before it is run, because a link among them could lead to what it must not read. Beyond a number of them that is given up, and the program is not run.',
  },
};
