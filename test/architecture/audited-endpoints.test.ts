import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_ACTIONS } from '../../src/features/audit/audit.module';
import { AUDITED } from '../support/permissions/audited';
import { readTable } from '../support/permissions/table';

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');

describe('what endpoints record', () => {
  it('or why they record nothing stands in test/spec/permission-matrix.tsv for all that change something', () => {
    const silent = [...readTable().endpoints].filter(([, { recorded }]) => recorded === '');
    expect(silent.map(([endpoint]) => endpoint).filter((endpoint) => !endpoint.startsWith('GET '))).toEqual(
      [],
    );
  });

  it('names actions that there are', () => {
    const actions: ReadonlySet<string> = new Set(AUDIT_ACTIONS);
    const named = [...AUDITED.values()].flat().map((action) => action.replace(/[()]/g, ''));
    expect(named.filter((action) => !actions.has(action))).toEqual([]);
  });
});

it('docs/operations.md lists exactly the actions of the audit log', () => {
  const [, section = ''] = /^## Audit log\n(.*?)^## /ms.exec(read('docs/operations.md')) ?? [];
  const listed = [...section.matchAll(/^\| `(?<kind>\w+)` \|(?<actions>[^|]*)\|$/gm)].flatMap(({ groups }) =>
    [...(groups?.actions ?? '').matchAll(/`(\w+)`(?!:)/g)].map(([, action]) => `${groups?.kind}.${action}`),
  );
  expect(listed.sort()).toEqual([...AUDIT_ACTIONS].sort());
});
