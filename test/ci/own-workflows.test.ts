// The project's own workflows and forms are what GitHub takes: pinned, with an end and no more rights than they need.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { notesOf } from '../../.ci/release/release.ts';
import { lintWorkflow } from '../support/lint-workflow.ts';

const folder = join(import.meta.dirname, '../../.github');
const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

interface Workflow {
  readonly on: Readonly<Record<string, unknown>> | readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const workflow = (file: string): Workflow => parse(read('workflows', file)) as Workflow;

describe.each(readdirSync(join(folder, 'workflows')))('the workflow %s', (file) => {
  const text = read('workflows', file);
  // Both linters are older than the right to attest, and than machines with ARM.
  const known = text.replace(/^ +attestations: write\n/gm, '').replaceAll('ubuntu-24.04-arm', 'ubuntu-latest');

  it('is one to both linters, which find what is wrong', async () => {
    expect(await lintWorkflow(known, `.github/workflows/${file}`)).toEqual([]);
    expect(validateWorkflow(known).errors).toEqual([]);
    expect(await lintWorkflow(known.replace('permissions:', 'permission:'), `.github/workflows/${file}`)).not.toEqual(
      [],
    );
  });

  it('names its rights, has an end, and is pinned to commits', () => {
    const { permissions, jobs } = workflow(file);
    expect(Object.values(permissions).filter((right) => right !== 'read')).toEqual([]);
    for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
      expect(minutes).toBeGreaterThan(0);
      for (const { uses, run = '' } of steps) {
        if (uses !== undefined)
          expect(uses).toMatch(/^(?:actions|hashicorp|open-policy-agent|opentofu)\/[a-z-]+@[0-9a-f]{40}$/);
        // An expression in a script is text that the shell runs.
        expect(run).not.toContain('${{');
        execFileSync('bash', ['-n', '-c', run], { stdio: 'pipe' });
      }
    }
    expect(text.match(/@[0-9a-f]{40}(?! # v\d)/g)).toBeNull();
  });
});

describe('a release', () => {
  const { on, jobs } = workflow('release.yml');
  const { pack, publish } = jobs as { readonly pack: Job; readonly publish: Job };
  const lines = ({ steps }: Job): readonly string[] => steps.map(({ uses, run }) => uses ?? run ?? '');
  const indexOf = (job: Job, part: string): number => lines(job).findIndex((line) => line.includes(part));

  it('comes from a tag that names the version, and is tested before it is packed', () => {
    expect(on).toEqual({ push: { tags: ['v*.*.*'] } });
    expect(indexOf(pack, '= "v$version"')).toBeGreaterThan(-1);
    expect(indexOf(pack, '.ci/run')).toBeGreaterThan(indexOf(pack, '= "v$version"'));
    expect(indexOf(pack, 'npm run release -- --tag')).toBeGreaterThan(indexOf(pack, '.ci/run'));
  });

  it('says what the changelog says of it, and a rehearsal what is not released yet', () => {
    const changelog = '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.1.0]\n\n- old\n';
    expect(notesOf(changelog, '0.1.0', false)).toBe('- old\n');
    expect(notesOf(changelog, '0.1.0', true)).toBe('- new\n');
    expect(() => notesOf(changelog, '0.2.0', false)).toThrow('has no section [0.2.0]');
    expect(() => notesOf('# Changelog\n\n## [0.2.0]\n', '0.2.0', false)).toThrow('says nothing of 0.2.0');
  });

  it('runs no code of the project where it may publish, and attests the file before it publishes that very file', () => {
    expect(publish).toMatchObject({ needs: 'pack', environment: 'npm' });
    expect(pack.permissions).toEqual({ contents: 'read' });
    expect(publish.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
    expect(lines(publish).filter((line) => /checkout|npm ci|npm run|bash /.test(line))).toEqual([]);
    expect(indexOf(publish, 'attest-build-provenance')).toBeGreaterThan(indexOf(publish, 'download-artifact'));
    const sending = indexOf(publish, 'npm publish --provenance');
    expect(sending).toBeGreaterThan(indexOf(publish, 'attest-build-provenance'));
    expect(lines(publish)[sending]).toContain('./release/hostwright-*.tgz');
    expect(read('workflows', 'release.yml')).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN/);
  });
});

describe('forms for issues', () => {
  const forms = readdirSync(join(folder, 'ISSUE_TEMPLATE')).filter((file) => file !== 'config.yml');

  it.each(forms)('%s has a name, a description and fields of the kinds that GitHub knows', (file) => {
    const form = parse(read('ISSUE_TEMPLATE', file)) as {
      readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
    };
    expect(form).toMatchObject({ name: expect.any(String) as string, description: expect.any(String) as string });
    for (const { type, id, attributes } of form.body) {
      expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      if (type === 'markdown') expect(attributes).toHaveProperty('value');
      else expect([attributes, id]).toEqual([expect.objectContaining({ label: expect.any(String) as string }), id]);
    }
    const ids = form.body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
