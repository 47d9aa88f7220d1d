import { readDifferences } from '../support/contract/differences';
import { readContract } from '../support/contract/schema';
import { type Route, routesOf } from '../../scripts/routes-table';
import { TestApp } from '../support/test-app';

describe('the parameters of the contract', () => {
  let app: TestApp;
  let routes: Route[];

  beforeAll(async () => {
    app = await TestApp.start();
    routes = routesOf(app.nest);
  });

  afterAll(() => app.stop());

  it('are known to the routes, apart from those listed as unsupported in test/compat/differences.tsv', () => {
    const { operations } = readContract();
    const unknown = routes.flatMap(({ verb, path, parameters }) => {
      const name = `${verb} ${path.replace('/api/v1', '')}`;
      const named = operations[name]?.parameters ?? [];
      return named
        .filter((parameter) => !parameters.includes(parameter))
        .map((parameter) => `${name}\t${parameter}`);
    });
    const listed = readDifferences().filter(({ kind }) => kind === 'unsupported');
    expect(unknown.sort()).toEqual(listed.map(({ anchor, path }) => `${anchor}\t${path}`).sort());
  });
});
