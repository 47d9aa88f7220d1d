import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withStructure } from '../../scripts/architecture-page';
import { configurationPage } from '../../scripts/configuration-page';
import { commandLinePage } from '../../scripts/command-line-page';
import { withEventList } from '../../scripts/compatibility-page';
import { integrationsPage } from '../../scripts/integrations-page';

const root = join(__dirname, '..', '..');

describe('generated documents', () => {
  it('are fresh: docs/configuration.md (otherwise run `npm run docs`)', () => {
    const file = join(root, 'docs', 'configuration.md');
    expect(readFileSync(file, 'utf8')).toBe(configurationPage());
  });

  it('are fresh: docs/command-line.md (otherwise run `npm run docs`)', () => {
    const file = join(root, 'docs', 'command-line.md');
    expect(readFileSync(file, 'utf8')).toBe(commandLinePage());
  });

  it('are fresh: docs/integrations.md (otherwise run `npm run docs`)', () => {
    const file = join(root, 'docs', 'integrations.md');
    expect(readFileSync(file, 'utf8')).toBe(integrationsPage());
  });

  it('are fresh: the tables of ARCHITECTURE.md (otherwise run `npm run docs`)', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    expect(text).toBe(withStructure(text));
  });

  it('are fresh: the events of docs/compatibility.md (otherwise run `npm run docs`)', () => {
    const text = readFileSync(join(root, 'docs', 'compatibility.md'), 'utf8');
    expect(text).toBe(withEventList(text));
  });
});
