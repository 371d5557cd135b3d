// A file for what is told only once: new, blank and with room before anything is sent, for its owner alone, in a listed
// place, never overwritten.
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { secretFilesOf } from '../../src/manifest/write/secret-file.ts';
import type { Reserved } from '../../src/model/secret-sink.ts';
import { inFolder } from './support.ts';
import { matching } from '../support/matchers.ts';

const secretSinkIn = (root: string) =>
  secretFilesOf({ root, secrets: { env: [], files: [], keep: ['kept', 'linked'] } });
const TAKEN = 'is there already, and is not overwritten';
const OUTSIDE = 'is in no place that the workspace lists under `secrets.keep`';

function made(reserved: Reserved | { readonly reason: string }): Reserved {
  if ('reason' in reserved) throw new Error(reserved.reason);
  return reserved;
}

describe('a file', () => {
  it('is made with its folder, blank and for its owner alone; then holds the text and no more', async () => {
    await inFolder({}, async (root) => {
      const secretSink = secretSinkIn(root);
      const file = path.join(root, 'kept/deep/a');
      expect(await secretSink.objection('kept/deep/a')).toBeUndefined();
      const reserved = made(await secretSink.reserve('kept/deep/a'));
      expect([statSync(file).mode.toString(8), statSync(file).size, readFileSync(file, 'utf8').trim()]).toEqual([
        '100600',
        4096,
        '',
      ]);
      expect(statSync(path.dirname(file)).mode.toString(8)).toBe('40700');
      expect(await reserved.fill('{"a":1}\n', {})).toBeUndefined();
      await reserved.release();
      expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n');
      expect(await secretSink.read('kept/deep/a')).toEqual({ a: 1 });
      expect([await secretSink.objection('kept/deep/a'), await secretSink.reserve('kept/deep/a')]).toEqual([
        TAKEN,
        { reason: TAKEN },
      ]);
    });
  });

  it('that nothing was put into goes again', async () => {
    await inFolder({}, async (root) => {
      await made(await secretSinkIn(root).reserve('kept/a')).release();
      expect(existsSync(path.join(root, 'kept/a'))).toBe(false);
    });
  });

  it('that cannot be written any more says so, and stays', async () => {
    await inFolder({}, async (root) => {
      const reserved = made(await secretSinkIn(root).reserve('kept/a'));
      await reserved.fill('1', {});
      await reserved.release();
      expect(await reserved.fill('2', {})).toEqual(expect.any(String));
      expect(readFileSync(path.join(root, 'kept/a'), 'utf8')).toBe('1');
    });
  });

  it('that a dead run left blank is taken over; any other that is there is not', async () => {
    await inFolder({}, async (root) => {
      const secretSink = secretSinkIn(root);
      const dead = made(await secretSink.reserve('kept/a'));
      expect(await secretSink.objection('kept/a')).toBeUndefined();
      await made(await secretSink.reserve('kept/a')).release();
      await dead.release();
      const make = (name: string, text: string, mode = 0o600) => {
        writeFileSync(path.join(root, 'kept', name), text);
        chmodSync(path.join(root, 'kept', name), mode);
      };
      make('text', 'mine');
      make('open', '', 0o644);
      make('large', ' '.repeat(5000));
      make('two', '');
      linkSync(path.join(root, 'kept/two'), path.join(root, 'kept/names'));
      for (const name of ['text', 'open', 'large', 'two'])
        expect([await secretSink.objection(`kept/${name}`), await secretSink.reserve(`kept/${name}`)], name).toEqual([
          TAKEN,
          { reason: TAKEN },
        ]);
      expect(readFileSync(path.join(root, 'kept/text'), 'utf8')).toBe('mine');
      mkdirSync(path.join(root, 'kept/folder'));
      expect(await secretSink.objection('kept/folder')).toMatch(/^cannot be used: /);
      expect(await secretSink.reserve('kept/folder')).toEqual({ reason: matching(/^cannot be made: /) });
    });
  });

  it('is never outside the listed places, by name or by link, whatever a saved plan names', async () => {
    await inFolder({ 'elsewhere/x': '' }, async (root) => {
      mkdirSync(path.join(root, 'kept'));
      symlinkSync('../elsewhere', path.join(root, 'kept/out'));
      symlinkSync('../elsewhere/x', path.join(root, 'kept/link'));
      symlinkSync('../elsewhere/new', path.join(root, 'kept/dangling'));
      const secretSink = secretSinkIn(root);
      for (const bad of ['elsewhere/new', '../x', '/tmp/x', 'kept/out/new', 'kept/link']) {
        expect(
          [await secretSink.objection(bad), await secretSink.reserve(bad), await secretSink.read(bad)],
          bad,
        ).toEqual([OUTSIDE, { reason: OUTSIDE }, undefined]);
      }
      expect(await secretSink.reserve('kept/dangling')).toHaveProperty('reason');
      expect(existsSync(path.join(root, 'elsewhere/new'))).toBe(false);
      // The place itself is no file.
      expect(await secretSink.reserve('kept')).toHaveProperty('reason');
    });
  });

  it('whose folder is a file cannot be made', async () => {
    await inFolder({ 'kept/a': '' }, async (root) => {
      expect(await secretSinkIn(root).reserve('kept/a/b')).toHaveProperty('reason');
      expect(await secretSinkIn(root).objection('kept/a/b')).toMatch(/^cannot be used: /);
    });
  });

  it('tells nothing where it holds no whole document', async () => {
    await inFolder({ 'kept/torn': '{"a":', 'kept/list': '[1]' }, async (root) => {
      for (const name of ['torn', 'list', 'missing'])
        expect(await secretSinkIn(root).read(`kept/${name}`), name).toBeUndefined();
    });
  });
});
