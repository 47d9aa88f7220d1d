import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_VERSION } from './version';

it('is the version of the package', () => {
  const file = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  expect(PROGRAM_VERSION).toBe((JSON.parse(file) as { version: string }).version);
});
