import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefused } from '../config/start-refused';
import { BreachedPasswords } from './breached-passwords';

const folder = mkdtempSync(join(tmpdir(), 'breached-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();

function fileOf(content: string): string {
  const path = join(folder, 'hashes.txt');
  writeFileSync(path, content);
  return path;
}

const many = Array.from({ length: 2_000 }, (_, at) => `umbrella ${at} in Kraków`);
const hashes = many.map(hashOf).sort();

describe('a file of breached passwords', () => {
  it.each([
    ['hashes', hashes.join('\n')],
    ['a line break at the end', `${hashes.join('\n')}\n`],
    ['counts and line breaks of Windows', hashes.map((hash, at) => `${hash}:${10 ** (at % 9)}\r\n`).join('')],
    ['lower-case letters', hashes.join('\n').toLowerCase()],
  ])('has the same passwords with %s', (_, content) => {
    const breached = BreachedPasswords.in(fileOf(content));
    expect(many.filter((password) => !breached.has(password))).toEqual([]);
    expect(many.filter((password) => breached.has(`${password}!`))).toEqual([]);
  });

  it.each([1, 2, 3])('may have only %d lines', (count) => {
    const breached = BreachedPasswords.in(fileOf(hashes.slice(0, count).join('\n')));
    expect(many.filter((password) => breached.has(password))).toHaveLength(count);
  });

  it('may be replaced', () => {
    const breached = BreachedPasswords.in(fileOf(hashOf('one umbrella')));
    fileOf(hashOf('another umbrella'));
    expect(breached.has('one umbrella')).toBe(false);
    expect(breached.has('another umbrella')).toBe(true);
  });

  it.each([
    ['nothing', '', /hashes\.txt, which is empty/],
    ['passwords', 'password\n123456\n', /does not consist of lines with SHA-1 hashes/],
    ['a long line', 'A'.repeat(10_000), /does not consist of lines with SHA-1 hashes/],
    ['shorter hashes', hashes.map((hash) => hash.slice(8)).join('\n'), /does not consist of lines/],
    ['hashes in another order', many.map(hashOf).join('\n'), /is not sorted by hash/],
  ])('is refused with %s', (_, content, message) => {
    const path = fileOf(content);
    expect(() => BreachedPasswords.in(path)).toThrow(StartRefused);
    expect(() => BreachedPasswords.in(path)).toThrow(message);
  });

  it('is refused if it cannot be read', () => {
    expect(() => BreachedPasswords.in(join(folder, 'none'))).toThrow(/which cannot be read \(ENOENT\)/);
    expect(() => BreachedPasswords.in(folder)).toThrow(/which cannot be read \(EISDIR\)/);
  });
});
