import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from '../../scripts/configuration-page';

describe('generated documents', () => {
  it('are fresh: docs/configuration.md (otherwise run `npm run docs`)', () => {
    const file = join(__dirname, '..', '..', 'docs', 'configuration.md');
    expect(readFileSync(file, 'utf8')).toBe(configurationPage());
  });
});
