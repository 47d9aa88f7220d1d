import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_ACTIONS } from '../../src/features/audit/audit.module';
import { AUDITED } from '../support/permissions/audited';

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');

describe('test/spec/audited-endpoints.tsv', () => {
  it('says of every endpoint that changes something what is recorded, or why nothing is', () => {
    const routes = read('test/architecture/routes.tsv').trim().split('\n').slice(1);
    const endpoints = routes.map((line) => {
      const [verb = '', path = ''] = line.split('\t');
      return `${verb} ${path.startsWith('/api/v1/') ? path.slice('/api/v1'.length) : `{site}${path}`}`;
    });
    const isChange = (endpoint: string) => !endpoint.startsWith('GET ');
    expect([...AUDITED.keys()].filter(isChange).sort()).toEqual(endpoints.filter(isChange).sort());
  });

  it('names actions that there are', () => {
    const actions: ReadonlySet<string> = new Set(AUDIT_ACTIONS);
    const named = [...AUDITED.values()].flat().map((action) => action.replace(/[()]/g, ''));
    expect(named.filter((action) => !actions.has(action))).toEqual([]);
  });
});

it('docs/operations.md has every action of the audit log', () => {
  const guide = read('docs/operations.md');
  expect(AUDIT_ACTIONS.filter((action) => !guide.includes(`| \`${action}\` |`))).toEqual([]);
});
